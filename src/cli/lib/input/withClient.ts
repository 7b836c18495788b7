import type { PortalClient } from '@vitrine/portal-client';
import { type Command, Option } from 'commander';
import type { FailedCommand } from '../output/portalErrorText.ts';
import { UsageError } from '../output/usageError.ts';
import { envOption, outputOptions, type Run } from '../program/addCommand.ts';
import { isOn, numberOption } from '../program/readOptions.ts';
import { readApiKey } from './readApiKey.ts';
import { readBaseUrl } from './readBaseUrl.ts';

/** Options of every command that calls the portal: connection, output and confirmation, which `isReading` hides. */
export const addPortalOptions = (command: Command, { isReading = false } = {}): Command => {
  command
    .addOption(new Option('--base-url <url>', 'address of the administration API; default VITRINE_BASE_URL'))
    .addOption(
      new Option('--api-key-file <file>', 'file that contains the API key; default VITRINE_API_KEY_FILE'),
    )
    .addOption(envOption())
    .addOption(new Option('--timeout <seconds>', 'seconds until a call times out; default 30'))
    .addOption(new Option('--read-only', 'reject every change').hideHelp(isReading))
    .addOption(new Option('-y, --yes', 'do not ask before changing something').hideHelp(isReading));
  for (const option of outputOptions()) command.addOption(option);
  return command;
};

/** Describes an error of the portal in terms of this command. */
const inTermsOf = async (error: unknown, command: FailedCommand): Promise<unknown> => {
  const { isPortalError } = await import('@vitrine/portal-client');
  if (!isPortalError(error) || error.kind === 'aborted') return error;
  const { portalErrorText } = await import('../output/portalErrorText.ts');
  return new UsageError(portalErrorText(error, command), { cause: error });
};

/** Runs work with a client of the portal, and closes it afterward. */
export const withClient = async (run: Run, work: (client: PortalClient) => Promise<void>): Promise<void> => {
  const { options } = run;
  const baseUrl = await readBaseUrl(run);
  const timeoutSeconds = numberOption(options, 'timeout', 0.001);
  const { createPortalClient } = await import('@vitrine/portal-client');
  const client = createPortalClient({
    baseUrl: baseUrl.url,
    apiKey: await readApiKey(run),
    readOnly: isOn(options, 'readOnly'),
    ...(timeoutSeconds !== undefined && { timeoutMs: Math.ceil(timeoutSeconds * 1000) }),
  });
  try {
    await work(client);
  } catch (error) {
    throw await inTermsOf(error, { options, baseUrl });
  } finally {
    await client.close();
  }
};
