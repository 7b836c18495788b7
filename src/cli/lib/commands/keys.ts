import { maxKeyLifetimeMs, minKeyLifetimeMs, reportUrl } from '@vitrine/contract';
import { Option } from 'commander';
import { parseDuration } from '../input/parseMoment.ts';
import { readConnection } from '../input/readConnection.ts';
import { UsageError } from '../output/usageError.ts';
import { type CommandSpec, envOption, listOption, type Run } from '../program/addCommand.ts';
import { isOn, listOf, readItemId, textOption } from '../program/readOptions.ts';

/** `vitrine keys`: encrypted keys for embedded reports. */
export const keysCommand: Omit<CommandSpec, 'summary'> = {
  usage: 'keys',
  commands: [
    {
      usage: 'create',
      summary: 'Create a key and print the address that shows the report',
      details: `Reads VITRINE_TENANT_URL, VITRINE_API_BASE_URL, VITRINE_TENANT_ID, VITRINE_TENANCY_NAME, VITRINE_API_KEY and VITRINE_PASSPHRASE.

Anyone with the address sees the report as that user until the key expires. A terminal therefore shows it only with --show; a pipe or file always receives it.`,
      options: [
        new Option('--item <number>', 'ID of the report that the key opens').makeOptionMandatory(),
        new Option('--user <id>', 'who views the report').makeOptionMandatory(),
        listOption('--role <code>', 'RLS role; may be repeated'),
        new Option('--lifetime <duration>', 'how long the key is valid: 1m to 24h').default('1h'),
        envOption(),
        new Option('--show', 'print the address on a terminal too'),
      ],
      examples: [
        {
          line: 'vitrine keys create --item 1042 --user jane --role region-north',
          note: 'check who sees what',
        },
      ],
      run: (run) => createKey(run),
    },
  ],
};

const createKey = async (run: Run): Promise<void> => {
  const { createPortalClient, isPortalError } = await import('@vitrine/portal-client');
  const { io, options, out } = run;
  const itemId = readItemId(textOption(options, 'item') ?? '');
  const userId = textOption(options, 'user') ?? '';
  const roleNames = listOf(options, 'role');
  const lifetimeMs = readLifetime(textOption(options, 'lifetime') ?? '');
  const embedding = await readConnection(io.env, 'vitrine keys create');
  await using client = createPortalClient({ embedding });
  const { key, expiresAt } = await client.embeddedKeys
    .create({ itemId, userId, ...(roleNames && { roleNames }), lifetimeMs, signal: io.signal })
    .catch((error: unknown) => {
      if (!isPortalError(error)) throw error;
      const { what, check } = error.explain('flag', { apiKey: 'VITRINE_API_KEY' });
      if (check === '' && error.kind !== 'config') throw error;
      throw new UsageError(`${what} ${check}`.trim(), { cause: error });
    });
  const mayShow = io.stdout.isTTY !== true || isOn(options, 'show');
  const url = mayShow ? reportUrl(embedding.tenantUrl, itemId, key) : undefined;
  out.record({ itemId, userId, roleNames: roleNames ?? [], expiresAt, url }, url);
  if (out.format === 'table' && url !== undefined) out.note(`Valid until ${expiresAt}.`);
  if (!mayShow)
    out.note('The key was created. Its address is not shown on a terminal: add --show, or pipe the output.');
};

const readLifetime = (text: string): number => {
  const ms = parseDuration(text);
  if (ms === undefined || ms < minKeyLifetimeMs || ms > maxKeyLifetimeMs)
    throw new UsageError(`--lifetime is ${JSON.stringify(text)}. Use 1m to 24h, such as 45m.`);
  return ms;
};
