import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Effect, Target } from '@vitrine/conformance';
import { Option } from 'commander';
import { readConnection } from '../input/readConnection.ts';
import { fileError, readText, replaceFile } from '../output/fileError.ts';
import { progressBar } from '../output/progressBar.ts';
import { UsageError } from '../output/usageError.ts';
import { type CommandSpec, envOption, type Run } from '../program/addCommand.ts';
import { isOn, numberOption, textOption } from '../program/readOptions.ts';

/** `vitrine conformance`: checks whether a portal conforms to the interface. */
export const conformanceCommand: Omit<CommandSpec, 'summary'> = {
  usage: 'conformance',
  details: `Checks the portal of VITRINE_BASE_URL, VITRINE_API_BASE_URL, VITRINE_TENANT_URL, VITRINE_TENANT_ID, VITRINE_TENANCY_NAME, VITRINE_API_KEY and VITRINE_PASSPHRASE. It only reads (GET) unless you allow more; this includes requests with wrong keys.

A second tenant has the same variables with VITRINE_SECOND_, and VITRINE_API_KEY_WITHOUT_PERMISSIONS may have a key without permissions.

Exit codes: 0 the portal conforms to the interface, 2 it differs, 1 the run could not start, or ended before its last check.`,
  options: [
    envOption(),
    new Option('--allow-keys', 'also create encrypted keys and open reports with them'),
    new Option(
      '--allow-writes',
      'also create resources; only users can be removed again; implies --allow-keys',
    ),
    new Option('--item-id <number>', 'report without row-level security; default: the first found'),
    new Option('--other-item-id <number>', 'another report; default: the first found'),
    new Option('--rls-item-id <number>', 'report with row-level security; default: the first found'),
    new Option('--role-name <code>', 'RLS role; default: the first found'),
    new Option('--other-role-name <code>', 'RLS role that opens other rows in the report page'),
    new Option('--viewer <userId>', 'user with rows of their own in the report page, by USERNAME()'),
    new Option('--directory-group-id <guid>', 'security group with at least one member'),
    new Option('--webhook <file>', 'JSON file with captured webhook deliveries, for section 6.1'),
    new Option('--output <folder>', 'folder for the results').default('conformance-results'),
  ],
  examples: [
    { line: 'vitrine conformance', note: 'only reads' },
    { line: 'vitrine conformance --allow-keys', note: 'also creates keys and opens reports' },
  ],
  run: (run) => runConformance(run),
};

/** Time for a stopped run: to finish its check, and then to remove what it added. Together less than a second. */
const stopping = { graceMs: 250, removalMs: 500 } as const;

const runConformance = async (run: Run): Promise<void> => {
  const { io, out, options, setExitCode } = run;
  const { checks, conformanceMarkdown, createContext, findMistake, resultsWith, runChecks } = await import(
    '@vitrine/conformance'
  );
  const target = await readTarget(run);
  const mistake = await findMistake(target, io.signal);
  // A run that was stopped says what it did not check.
  if (mistake !== undefined && !io.signal.aborted) throw new UsageError(mistake);
  const requests = new AbortController();
  const stop = () => void setTimeout(() => requests.abort(), stopping.graceMs);
  io.signal.addEventListener('abort', stop, { once: true });
  const checkedAt = new Date().toISOString();
  // A random ID, because two runs may start at the same time.
  const context = createContext(target, crypto.randomUUID().slice(0, 8), requests.signal);
  const progress = progressBar(io, out, 'Checking');
  let endedEarly: string | undefined;
  const results = await runChecks(checks, context, {
    signal: io.signal,
    onProgress: progress.update,
    onEndEarly: (reason) => (endedEarly = reason),
  }).finally(progress.stop);
  const left = await context.removeUsers(
    io.signal.aborted ? AbortSignal.timeout(stopping.removalMs) : undefined,
  );

  const { origin: baseUrl } = new URL(target.baseUrl);
  const conformance = { baseUrl, tenancyName: target.tenancyName, checkedAt, results };
  const markdown = conformanceMarkdown(conformance);
  const folder = textOption(options, 'output') ?? '';
  const path = resolve(io.cwd, folder);
  const [task, next] = [`save the results to ${path}`, 'Choose another folder with --output.'] as const;
  await mkdir(path, { recursive: true }).catch((error: unknown) => {
    throw fileError(task, error, next);
  });
  const json = `${JSON.stringify(conformance, null, 2)}\n`;
  await replaceFile(join(path, 'conformance.json'), json, task, next);
  await replaceFile(join(path, 'conformance.md'), markdown, task, next);
  out.record(conformance, markdown);
  out.note(`Wrote ${folder}/conformance.md and conformance.json.`);
  if (left.length > 0) out.warn(`Could not remove ${left.join(', ')}. Remove them by hand.`);
  if (endedEarly !== undefined) out.warn(`Not every check ran: ${endedEarly}.`);
  setExitCode(endedEarly === undefined ? (resultsWith(conformance, 'differs').length > 0 ? 2 : 0) : 1);
};

/** Reads the service to check. Throws a {@link UsageError} that contains no secret. */
const readTarget = async ({ io, options }: Run): Promise<Target> => {
  const access = await readConnection(io.env, 'vitrine conformance');
  const second = Object.entries(io.env).flatMap(([name, value]) =>
    name.startsWith('VITRINE_SECOND_') ? [[name.replace('SECOND_', ''), value] as const] : [],
  );
  const { VITRINE_API_BASE_URL, VITRINE_BASE_URL } = io.env;
  const shared = { VITRINE_API_BASE_URL, VITRINE_BASE_URL };
  const permits = new Set<Effect>(['read']);
  if (isOn(options, 'allowKeys') || isOn(options, 'allowWrites')) permits.add('mint');
  if (isOn(options, 'allowWrites')) permits.add('write');
  const webhook = textOption(options, 'webhook');
  const target: Target = {
    ...access,
    permits,
    secondTenant:
      second.length === 0
        ? undefined
        : await readConnection(
            { ...shared, ...Object.fromEntries(second) },
            'vitrine conformance',
            'VITRINE_SECOND_',
          ),
    apiKeyWithoutPermissions: io.env['VITRINE_API_KEY_WITHOUT_PERMISSIONS'],
    itemId: numberOption(options, 'itemId', 1),
    otherItemId: numberOption(options, 'otherItemId', 1),
    rlsItemId: numberOption(options, 'rlsItemId', 1),
    roleName: textOption(options, 'roleName'),
    otherRoleName: textOption(options, 'otherRoleName'),
    viewer: textOption(options, 'viewer'),
    directoryGroupId: textOption(options, 'directoryGroupId'),
    actions: webhook === undefined ? undefined : await readCapture(resolve(io.cwd, webhook), io.signal),
  };
  for (const [what, one, other] of [
    ['--item-id and --other-item-id', target.itemId, target.otherItemId],
    ['--role-name and --other-role-name', target.roleName, target.otherRoleName],
    ['VITRINE_TENANT_ID and VITRINE_SECOND_TENANT_ID', target.tenantId, target.secondTenant?.tenantId],
  ] as const)
    if (one !== undefined && one === other)
      throw new UsageError(`${what} are both ${JSON.stringify(one)}. Name two, or only one.`);
  if (target.apiKeyWithoutPermissions !== target.apiKey) return target;
  throw new UsageError(
    'VITRINE_API_KEY_WITHOUT_PERMISSIONS is the same key as VITRINE_API_KEY. Use another.',
  );
};

const readCapture = async (file: string, signal: AbortSignal): Promise<Target['actions']> => {
  const advice = 'Set --webhook to a JSON file with a captured delivery.';
  const { capturedActions } = await import('@vitrine/conformance');
  const text = await readText(file, `read ${file}`, advice, signal);
  try {
    return capturedActions(JSON.parse(text));
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? 'it is not JSON' : String(Object(cause).message);
    throw new UsageError(`${file} cannot be used: ${reason}. ${advice}`, { cause });
  }
};
