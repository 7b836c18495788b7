import type { PortalClient } from '@vitrine/portal-client';
import { type Command, Option } from 'commander';
import type { Io } from '../io.ts';
import { UsageError } from '../output/usageError.ts';
import { envOption, type Run } from '../program/addCommand.ts';
import { isOn, numberOption, textOption } from '../program/readOptions.ts';
import { readApiKey } from './readApiKey.ts';
import { findEnvFile } from './withEnvFile.ts';

/** Options of every command that calls the portal: connection, output and confirmation. */
export const addPortalOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--base-url <url>', 'address of the administration interface; default VITRINE_BASE_URL'),
    )
    .addOption(new Option('--api-key-file <file>', 'file that contains the API key; default VITRINE_API_KEY'))
    .addOption(envOption())
    .addOption(new Option('--timeout <seconds>', 'seconds until a call times out; default 30'))
    .addOption(new Option('--rate <number>', 'maximum number of requests per second'))
    .addOption(new Option('--read-only', 'reject every change'))
    .addOption(new Option('--json', 'print JSON: one document, for programs').conflicts('ndjson'))
    .addOption(new Option('--ndjson', 'print one JSON line per row, as rows arrive'))
    .addOption(new Option('--no-color', 'print without colors; default without a terminal or with NO_COLOR'))
    .addOption(new Option('-q, --quiet', 'print no progress and no notes, only warnings'))
    .addOption(new Option('-y, --yes', 'do not ask before changing something'));

const missingAddress = async ({ cwd }: Io): Promise<UsageError> => {
  const file = await findEnvFile(cwd);
  return new UsageError(
    file === undefined
      ? 'No portal address. Set VITRINE_BASE_URL or --base-url. `vitrine portal` starts a development portal.'
      : `No portal address. Add --env ${file} to read the variables of that file, or set VITRINE_BASE_URL or --base-url.`,
  );
};

/** Adds the address to an error of a portal that does not respond. */
const withAddress = async (error: unknown, baseUrl: string): Promise<unknown> => {
  const { isPortalError } = await import('@vitrine/portal-client');
  if (!isPortalError(error) || !['network', 'timeout'].includes(error.kind) || !URL.canParse(baseUrl))
    return error;
  const { withOptionNames } = await import('../output/describeError.ts');
  return new UsageError(
    `${withOptionNames(error.message)} The address was ${new URL(baseUrl).origin}, from --base-url or VITRINE_BASE_URL.`,
    { cause: error },
  );
};

/** Runs work with a client of the portal, and closes it afterward. */
export const withClient = async (run: Run, work: (client: PortalClient) => Promise<void>): Promise<void> => {
  const { io, options } = run;
  const baseUrl = textOption(options, 'baseUrl') ?? io.env['VITRINE_BASE_URL'];
  if (baseUrl === undefined || baseUrl === '') throw await missingAddress(io);
  const timeoutSeconds = numberOption(options, 'timeout', 0.001);
  const { createPortalClient } = await import('@vitrine/portal-client');
  const client = createPortalClient({
    baseUrl,
    apiKey: await readApiKey(run),
    readOnly: isOn(options, 'readOnly'),
    requestsPerSecond: numberOption(options, 'rate', 0.001),
    ...(timeoutSeconds !== undefined && { timeoutMs: Math.ceil(timeoutSeconds * 1000) }),
  });
  try {
    await work(client);
  } catch (error) {
    throw await withAddress(error, baseUrl);
  } finally {
    await client.close();
  }
};
