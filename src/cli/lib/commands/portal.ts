import { resolve } from 'node:path';
import type { Portal, PortalSeed } from '@vitrine/portal';
import {
  createPortal,
  defaultSeed,
  exportSeed,
  isLoopback,
  readSeedFile,
  writeSeedFile,
} from '@vitrine/portal';
import { InvalidArgumentError } from 'commander';
import type { Io } from '../io.ts';
import { createColors } from '../output/createColors.ts';
import { UsageError } from '../program/usageError.ts';
import { portalBanner } from './portalBanner.ts';
import type { CommandContext, RegisterCommand } from './registerCommands.ts';
import { writeEnvFile } from './writeEnvFile.ts';

interface PortalCommandOptions {
  readonly port: number | 'auto';
  readonly host: string;
  readonly publicUrl?: string;
  readonly tenantUrlTemplate?: string;
  readonly developerHints?: boolean;
  readonly writeEnv?: string;
  readonly tenant?: string;
  readonly database: string;
  readonly seed?: string;
  readonly actionTarget?: string;
}

const readPort = (text: string): number | 'auto' => {
  if (text === 'auto') return text;
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('It must be a port from 1 to 65535, or auto for any free one.');
  return port;
};

/** A database address as the portal takes it: files are meant from where the command was called. */
const databaseFrom = (cwd: string, address: string): string =>
  address === ':memory:' || /^postgres(ql)?:/.test(address) ? address : resolve(cwd, address);

/** Points the webhooks at the host app, and gives it the variables of its tenant. */
const prepareHost = async (
  portal: Portal,
  { actionTarget, writeEnv, tenant: wanted }: PortalCommandOptions,
  io: Io,
): Promise<void> => {
  if (actionTarget !== undefined)
    for (const { tenancyName } of portal.tenants) await portal.setActionTarget(tenancyName, actionTarget);
  if (writeEnv === undefined) return;
  const tenant =
    wanted === undefined
      ? portal.tenants[0]
      : portal.tenants.find(({ tenancyName }) => tenancyName === wanted);
  if (tenant === undefined)
    throw new UsageError(
      `There is no tenant "${wanted}". --tenant takes one of: ${portal.tenants.map(({ tenancyName }) => tenancyName).join(', ')}.`,
    );
  await writeEnvFile(resolve(io.cwd, writeEnv), tenant);
  io.stdout.write(`Wrote the variables of ${tenant.tenancyName} to ${writeEnv}.\n\n`);
};

const runPortal = async (options: PortalCommandOptions, { io }: CommandContext): Promise<void> => {
  const seed = options.seed === undefined ? undefined : await readSeedFile(resolve(io.cwd, options.seed));
  if (options.tenant !== undefined && options.writeEnv === undefined)
    throw new UsageError('--tenant names whose variables --write-env writes. Add --write-env <file>.');
  const { port, publicUrl, tenantUrlTemplate, developerHints } = options;
  const portal = await createPortal({
    port: port === 'auto' ? 0 : port,
    host: options.host,
    database: databaseFrom(io.cwd, options.database),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(tenantUrlTemplate !== undefined && { tenantUrlTemplate }),
    ...(developerHints !== undefined && { developerHints }),
    ...(seed !== undefined && { seed }),
    onError: (error, requestId) =>
      io.stderr.write(`Request ${requestId} failed: ${error instanceof Error ? error.message : 'unknown'}\n`),
  }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw new Error(
        `Port ${port} is taken: another program, maybe another portal, listens on it. Stop that one, or pass another --port, or --port auto.`,
        { cause: error },
      );
    throw error;
  });
  try {
    await prepareHost(portal, options, io);
  } catch (error) {
    await portal.close();
    throw error;
  }
  io.stdout.write(portalBanner(portal, createColors(io, io.stdout)));
  if (!isLoopback(options.host))
    io.stderr.write(
      `Whoever reaches ${options.host} can change everything here: the console and /_control ask for no key. Bind 127.0.0.1 unless you mean that.\n`,
    );
  if (!io.signal.aborted)
    await new Promise<void>((done) => io.signal.addEventListener('abort', () => done(), { once: true }));
  await portal.close();
};

const initSeed = async (file: string, { io }: CommandContext): Promise<void> => {
  const path = resolve(io.cwd, file);
  await writeSeedFile(path, defaultSeed, { isNew: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new Error(`${file} exists already. Name another file, or remove it first.`, { cause: error });
    throw error;
  });
  io.stdout.write(`Wrote ${file}. Start a portal with it: vitrine portal --seed ${file}\n`);
};

const fetchSeed = async (url: string): Promise<PortalSeed> => {
  const response = await fetch(new URL('/_control/seed', url)).catch((cause: unknown) => {
    throw new Error('No portal answers at this address. Is it running?', { cause });
  });
  if (!response.ok) throw new Error(`The portal answered ${response.status} to the question for its state.`);
  // The portal writes its state with the type of the same name; the file is validated when it is read again.
  return (await response.json()) as PortalSeed;
};

interface ExportOptions {
  readonly url?: string;
  readonly database?: string;
}

const exportState = async (file: string, options: ExportOptions, { io }: CommandContext): Promise<void> => {
  if ((options.url === undefined) === (options.database === undefined))
    throw new Error(
      'Say where the state is: --url of a running portal, or --database of one that is stopped.',
    );
  const seed =
    options.url === undefined
      ? await exportSeed(databaseFrom(io.cwd, options.database ?? ''))
      : await fetchSeed(options.url);
  await writeSeedFile(resolve(io.cwd, file), seed);
  io.stdout.write(`Wrote ${file}: ${seed.tenants.length} tenants, no secrets.\n`);
};

/** `vitrine portal`, `vitrine portal init` and `vitrine portal export`. */
export const registerPortal: RegisterCommand = (program, context) => {
  const portal = program
    .command('portal')
    .description('Run a whole portal on this machine: API, report pages, webhooks, console.')
    .option('--port <number>', 'port to listen on; auto takes a free one', readPort, 4460)
    .option('--host <address>', 'address to bind', '127.0.0.1')
    .option('--public-url <origin>', 'where others reach the API and the console')
    .option(
      '--tenant-url-template <origin>',
      "tenants' origins, such as 'http://{tenant}.portal.test:4460' (default: *.localhost)",
    )
    .option('--developer-hints', 'error pages say what to do, also where others can reach them')
    .option('--write-env <file>', "write a tenant's variables into this .env file; other lines stay")
    .option('--tenant <name>', 'whose variables --write-env writes (default: the first)')
    .option('--database <address>', ':memory:, a file, or postgres://…', ':memory:')
    .option('--seed <file>', 'YAML or JSON file that an empty database starts with')
    .option('--action-target <url>', "your host app's webhook: where clicks in reports are sent")
    .action((options: PortalCommandOptions) => runPortal(options, context));
  portal
    .command('init')
    .description('Write a seed file to start from.')
    .argument('[file]', 'YAML or JSON file', 'portal.seed.yaml')
    .action((file: string) => initSeed(file, context));
  portal
    .command('export')
    .description("Write a portal's state as a seed file. Secrets are left out.")
    .argument('<file>', 'YAML or JSON file')
    .option('--url <url>', 'address of a running portal')
    .option('--database <address>', 'database of a stopped one: a file or postgres://…')
    .action((file: string, options: ExportOptions, command: { optsWithGlobals(): ExportOptions }) =>
      exportState(file, { ...options, ...givenDatabase(command) }, context),
    );
};

/** `--database` may stand before or after `export`; its default of the parent command does not count as given. */
const givenDatabase = (command: { optsWithGlobals(): ExportOptions }): ExportOptions => {
  const { database } = command.optsWithGlobals();
  return database === undefined || database === ':memory:' ? {} : { database };
};
