import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  createPortal,
  isLoopback,
  type Portal,
  type PortalSeed,
  type PortalTenant,
  readSeedFile,
  SeedFileError,
} from '@vitrine/portal';
import type { Io } from '../../io.ts';
import { createColors } from '../../output/createColors.ts';
import { dashed } from '../../output/dashed.ts';
import { fileError, hasCode } from '../../output/fileError.ts';
import { seenAddress } from '../../output/seenAddress.ts';
import { UsageError } from '../../output/usageError.ts';
import type { CommandContext } from '../../program/addCommand.ts';
import { textOption } from '../../program/readOptions.ts';
import { portalBanner } from './portalBanner.ts';
import { runAlongside } from './runAlongside.ts';
import { writeEnvFile } from './writeEnvFile.ts';

/** Options of `vitrine portal`. */
export interface PortalCommandOptions {
  readonly port: number | 'auto';
  readonly host: string;
  readonly publicUrl?: string;
  readonly tenantUrlTemplate?: string;
  readonly developerHints?: boolean;
  readonly writeEnv?: string;
  readonly run?: string;
  readonly tenant?: string;
  readonly database: string;
  readonly seed?: string;
  readonly actionTarget?: string;
}

/** The database address for the portal: file paths are relative to the caller's folder. */
export const databaseFrom = (cwd: string, address: string): string =>
  address === ':memory:' || /^postgres(ql)?:/.test(address) ? address : resolve(cwd, address);

/** Whether Git would commit a file; false without Git or a repository. */
const isCommitted = (path: string): Promise<boolean> =>
  new Promise((done) => {
    execFile('git', ['check-ignore', '--quiet', path], { cwd: dirname(path) }, (error) =>
      done(error?.code === 1),
    );
  });

/** The tenant of the host app. */
const findTenant = (portal: Portal, { tenant: wanted }: PortalCommandOptions): PortalTenant => {
  const tenant =
    wanted === undefined
      ? portal.tenants[0]
      : portal.tenants.find(({ tenancyName }) => tenancyName === wanted);
  if (tenant === undefined)
    throw new UsageError(
      `There is no tenant "${wanted}". Set --tenant to one of: ${portal.tenants.map(({ tenancyName }) => tenancyName).join(', ')}.`,
    );
  return tenant;
};

/** Where our own messages go: with --run, stdout belongs to the program. */
const notesOf = ({ run }: PortalCommandOptions, io: Io): NodeJS.WritableStream =>
  run === undefined ? io.stdout : io.stderr;

/** Points the webhooks to the host app, and writes the variables of its tenant. */
const prepareHost = async (portal: Portal, options: PortalCommandOptions, io: Io): Promise<void> => {
  const { actionTarget, writeEnv } = options;
  if (actionTarget !== undefined)
    for (const { tenancyName } of portal.tenants) await portal.setActionTarget(tenancyName, actionTarget);
  if (writeEnv === undefined) return;
  const tenant = findTenant(portal, options);
  const path = resolve(io.cwd, writeEnv);
  const isWritten = await writeEnvFile(path, tenant).catch((error: unknown) => {
    if (error instanceof UsageError) throw error;
    throw fileError(`write ${writeEnv}`, error, 'Choose another file with --write-env.');
  });
  notesOf(options, io).write(
    isWritten
      ? `Wrote the variables of ${tenant.tenancyName} to ${writeEnv}.\n\n`
      : `${writeEnv} already has the variables of ${tenant.tenancyName}.\n\n`,
  );
  if (await isCommitted(path))
    io.stderr.write(`${writeEnv} contains secrets, and Git does not ignore it. Add it to .gitignore.\n`);
};

/** Seed files above this size take seconds, so a note is printed. */
const largeSeedBytes = 1024 * 1024;

const readSeed = async (path: string, io: Io): Promise<PortalSeed> => {
  try {
    const isLarge = (await stat(path)).size > largeSeedBytes;
    if (isLarge) io.stderr.write(`Reading ${path}…\n`);
    const seed = await readSeedFile(path);
    const users = seed.tenants.reduce((count, tenant) => count + (tenant.users?.length ?? 0), 0);
    if (isLarge) io.stderr.write(`Starting with ${users.toLocaleString('en')} users…\n`);
    return seed;
  } catch (error) {
    if (error instanceof SeedFileError) throw error;
    throw fileError(
      `read the seed ${path}`,
      error,
      '`vitrine portal export` writes one from a running portal.',
    );
  }
};

/** Replaces option names of the portal's code by those of the command line: `publicUrl: must be an origin`. */
const withOptionName = (error: unknown, options: PortalCommandOptions): unknown => {
  const [, name, rest] = error instanceof Error ? (/^([a-zA-Z]+): (.*)$/.exec(error.message) ?? []) : [];
  if (name === undefined) return error;
  const value = textOption({ ...options }, name);
  const seen = value === undefined ? '' : `${seenAddress(value)}: it `;
  return new UsageError(`--${dashed(name)} ${seen}${rest}.`, { cause: error });
};

const explainStart = (error: unknown, options: PortalCommandOptions): unknown => {
  const { port, host } = options;
  if (hasCode(error, 'EADDRINUSE'))
    return new UsageError(
      `Port ${port} is in use by another program, maybe another portal. Stop that program, or use another --port or --port auto.`,
      { cause: error },
    );
  for (const code of ['ENOTFOUND', 'EADDRNOTAVAIL', 'EACCES'])
    if (hasCode(error, code))
      return new UsageError(
        `Could not listen on ${host}, port ${port} (${code}). Set --host to an address of this machine, and --port to a port that you may use.`,
        { cause: error },
      );
  return withOptionName(error, options);
};

/** Runs a portal until the process is told to stop. */
export const runPortal = async (
  options: PortalCommandOptions,
  { io, setExitCode }: CommandContext,
): Promise<void> => {
  if (options.run?.trim() === '')
    throw new UsageError('--run is empty. Use a command, such as --run "npm run dev".');
  const seed = options.seed === undefined ? undefined : await readSeed(resolve(io.cwd, options.seed), io);
  if (options.tenant !== undefined && options.writeEnv === undefined && options.run === undefined)
    throw new UsageError(
      '--tenant has no effect without --write-env or --run. Add --write-env <file> or --run <command>.',
    );
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
    throw explainStart(error, options);
  });
  try {
    await prepareHost(portal, options, io);
    if (options.run !== undefined) {
      notesOf(options, io).write(`Portal: ${portal.url}/\n\n`);
      const exitCode = await runAlongside(options.run, findTenant(portal, options), io);
      if (exitCode !== 0 && !io.signal.aborted)
        io.stderr.write(`The program ended with exit code ${exitCode}.\n`);
      setExitCode(exitCode);
      await portal.close();
      return;
    }
  } catch (error) {
    await portal.close();
    throw withOptionName(error, options);
  }
  io.stdout.write(portalBanner(portal, createColors(io, io.stdout)));
  if (!isLoopback(options.host))
    io.stderr.write(
      `Anyone who can reach ${options.host} can change everything here: the console and /_control do not require a key. Bind 127.0.0.1 unless you intend this.\n`,
    );
  if (!io.signal.aborted)
    await new Promise<void>((done) => io.signal.addEventListener('abort', () => done(), { once: true }));
  await portal.close();
};
