import { checkWebUrl } from '@vitrine/contract';
import { addressText } from '@vitrine/contract/service';
import type { Io } from '../io.ts';
import type { BaseUrl } from '../output/portalErrorText.ts';
import { UsageError } from '../output/usageError.ts';
import type { Run } from '../program/addCommand.ts';
import { textOption } from '../program/readOptions.ts';
import { findEnvFile } from '../program/withEnvFile.ts';

/** Reads the address of the portal. Throws an error that names the option or variable, and shows its value. */
export const readBaseUrl = async ({ io, options }: Pick<Run, 'io' | 'options'>): Promise<BaseUrl> => {
  const given = textOption(options, 'baseUrl');
  // As in portalFromEnv(): the administration API usually has the address of CreateEncryptedKey.
  const variable = io.env['VITRINE_BASE_URL'] === undefined ? 'VITRINE_API_BASE_URL' : 'VITRINE_BASE_URL';
  const name = given === undefined ? variable : '--base-url';
  const url = given ?? io.env[variable];
  if (url === undefined || url === '') throw await missingAddress(io);
  const reason = checkWebUrl(url);
  if (reason === undefined) return { url, name };
  throw new UsageError(
    `${name} is ${addressText(url)}: ${reason}. Use the address of the portal, such as https://api.example.com.`,
  );
};

const missingAddress = async ({ cwd, env }: Io): Promise<UsageError> => {
  const file = await findEnvFile(cwd);
  const { renameHints } = await import('@vitrine/server/portal-from-env');
  const advice =
    file === undefined
      ? 'Set VITRINE_BASE_URL or --base-url. `vitrine portal` starts a development portal.'
      : `Add --env ${file} to read the variables of that file, or set VITRINE_BASE_URL or --base-url.`;
  return new UsageError(`No portal address. ${advice}${renameHints(env)}`);
};
