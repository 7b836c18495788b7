import { checkWebUrl } from '@vitrine/contract';
import { addressText } from '@vitrine/contract/service';
import { type PortalSeed, writeSeedFile } from '@vitrine/portal';
import { confirm } from '../../input/ask.ts';
import { fileError, fileToWrite } from '../../output/fileError.ts';
import { UsageError } from '../../output/usageError.ts';
import type { Run } from '../../program/addCommand.ts';
import { textOption } from '../../program/readOptions.ts';

const fetchSeed = async (url: string): Promise<PortalSeed> => {
  const reason = checkWebUrl(url);
  if (reason !== undefined)
    throw new UsageError(
      `--url is ${addressText(url)}: ${reason}. Use the address that \`vitrine portal\` printed.`,
    );
  const response = await fetch(new URL('/_control/seed', url)).catch((cause: unknown) => {
    throw new UsageError(`No portal responds at ${url}. Check that it is running, and compare --url.`, {
      cause,
    });
  });
  if (!response.ok)
    throw new UsageError(
      `${url} responded with status ${response.status} to the request for its state. Compare --url with the address that \`vitrine portal\` printed.`,
    );
  // The portal's state has this type; the file is validated when it is read again.
  return (await response.json()) as PortalSeed;
};

/** `vitrine portal export`: writes a portal's state as a seed file. */
export const exportState = async (run: Run): Promise<void> => {
  const { io, out, options, args } = run;
  const [file = ''] = args;
  const { path, isThere } = await fileToWrite(io, file, 'Choose another file.');
  if (isThere && !(await confirm(run, `${file} exists. Replace it?`))) return;
  const seed = await fetchSeed(textOption(options, 'url') ?? '');
  await writeSeedFile(path, seed).catch((error: unknown) => {
    throw fileError(`write ${file}`, error, 'Choose another file.');
  });
  const tenants = seed.tenants.length;
  out.done({ written: path, tenants }, `Wrote ${file}: ${tenants} tenants, no secrets.`);
};
