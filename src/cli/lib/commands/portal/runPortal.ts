import { once } from 'node:events';
import { resolve } from 'node:path';
import { addressText } from '@vitrine/contract/service';
import {
  createPortal,
  envText,
  isLoopback,
  type Portal,
  type PortalSeed,
  type PortalTenant,
  readSeedFile,
  tenantEnvironment,
} from '@vitrine/portal';
import type { Colors } from '../../output/createColors.ts';
import { hasCode, statInput } from '../../output/fileError.ts';
import { dashed } from '../../output/text.ts';
import { UsageError } from '../../output/usageError.ts';
import type { Run } from '../../program/addCommand.ts';
import { isOn, textOption } from '../../program/readOptions.ts';
import { runAlongside } from './runAlongside.ts';
import { writeEnvFile } from './writeEnvFile.ts';

/** The database address for the portal: file paths are relative to the caller's folder. */
const databaseFrom = (cwd: string, address: string): string =>
  address === ':memory:' || /^postgres(ql)?:/.test(address) ? address : resolve(cwd, address);

const readPort = (text: string): number => {
  if (text === 'auto') return 0;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new UsageError(
      `--port is ${JSON.stringify(text)}. Use a port from 1 to 65535, or auto for a free one.`,
    );
  return Number(text);
};

/** The tenant of the host app. */
const findTenant = ({ tenants }: Portal, wanted: string | undefined): PortalTenant => {
  const tenant = tenants.find(({ tenancyName }) => tenancyName === (wanted ?? tenancyName));
  if (tenant !== undefined) return tenant;
  const names = tenants.map(({ tenancyName }) => tenancyName).join(', ');
  throw new UsageError(`There is no tenant "${wanted}". Set --tenant to one of: ${names}.`);
};

const readSeed = async ({ io, out, options }: Run): Promise<PortalSeed | undefined> => {
  const file = textOption(options, 'seed');
  if (file === undefined) return undefined;
  const path = resolve(io.cwd, file);
  await statInput(path, `read the seed ${path}`, '`vitrine portal export` writes one from a running portal.');
  out.note(`Reading ${path} …`);
  return readSeedFile(path);
};

/** An error of a start in terms of the command line: `publicUrl: must be an origin` names --public-url. */
const explainStart = (error: unknown, { options }: Run): unknown => {
  const [host, port] = [textOption(options, 'host'), textOption(options, 'port')];
  if (hasCode(error, 'EADDRINUSE'))
    return new UsageError(
      `Port ${port} is in use by another program, maybe another portal. Stop that program, or use another --port or --port auto.`,
      { cause: error },
    );
  const code = ['ENOTFOUND', 'EADDRNOTAVAIL', 'EACCES'].find((one) => hasCode(error, one));
  if (code !== undefined)
    return new UsageError(
      `Could not listen on ${host}, port ${port} (${code}). Set --host to an address of this machine, and --port to a port that you may use.`,
      { cause: error },
    );
  const [, name, rest] = error instanceof Error ? (/^([a-zA-Z]+): (.*)$/.exec(error.message) ?? []) : [];
  if (name === undefined) return error;
  const value = textOption(options, name);
  const seen = value === undefined ? '' : `is ${addressText(value)}: it `;
  return new UsageError(`--${dashed(name)} ${seen}${rest}.`, { cause: error });
};

/** Runs a portal until the process is told to stop. */
export const runPortal = async (run: Run): Promise<void> => {
  const { io, options } = run;
  const text = (name: string) => textOption(options, name);
  const [command, writeEnv, tenant] = [text('run'), text('writeEnv'), text('tenant')];
  if (tenant !== undefined && writeEnv === undefined && command === undefined)
    throw new UsageError(
      '--tenant has no effect without --write-env or --run. Add --write-env <file> or --run <command>.',
    );
  const seed = await readSeed(run);
  const [publicUrl, tenantUrlTemplate] = [text('publicUrl'), text('tenantUrlTemplate')];
  const portal = await createPortal({
    port: readPort(text('port') ?? ''),
    host: text('host') ?? '',
    database: databaseFrom(io.cwd, text('database') ?? ''),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(tenantUrlTemplate !== undefined && { tenantUrlTemplate }),
    ...(isOn(options, 'developerHints') && { developerHints: true }),
    ...(seed !== undefined && { seed }),
    onError: (error, requestId) =>
      io.stderr.write(`Request ${requestId} failed: ${error instanceof Error ? error.message : 'unknown'}\n`),
  }).catch((error: unknown) => {
    throw explainStart(error, run);
  });
  if (seed !== undefined && !portal.isSeeded)
    run.out.warn(
      '--seed was not applied: the database already has tenants. To replace all of its data by the seed, reset the portal in the console or with POST /_control/reset. To keep it, leave out --seed, or use another --database for the seed.',
    );
  try {
    await serveHost(run, portal);
  } catch (error) {
    throw explainStart(error, run);
  } finally {
    await portal.close();
  }
};

/** Prepares what a host app needs, and serves until its program ends, or the process is told to stop. */
const serveHost = async (run: Run, portal: Portal): Promise<void> => {
  const { io, out, options, setExitCode } = run;
  const text = (name: string) => textOption(options, name);
  const [command, writeEnv, actionTarget, host] = ['run', 'writeEnv', 'actionTarget', 'host'].map(text);
  if (actionTarget !== undefined)
    for (const { tenancyName } of portal.tenants) await portal.setActionTarget(tenancyName, actionTarget);
  if (writeEnv !== undefined) await writeEnvFile(run, writeEnv, findTenant(portal, text('tenant')));
  if (host !== undefined && !isLoopback(host))
    out.warn(
      `Anyone who can reach ${host} can change everything here: the console and /_control do not require a key. Bind 127.0.0.1 unless you intend this.`,
    );
  if (command !== undefined) {
    // Stdout belongs to the program.
    out.note(`Portal: ${portal.url}/\n`);
    const exitCode = await runAlongside(command, findTenant(portal, text('tenant')), io);
    if (exitCode !== 0 && !io.signal.aborted) out.warn(`The program ended with exit code ${exitCode}.`);
    return setExitCode(exitCode);
  }
  const tenants = portal.tenants.map((one) => tenantEnvironment(one).values);
  out.record({ url: portal.url, tenants }, portalBanner(portal, out.colors));
  if (!io.signal.aborted) await once(io.signal, 'abort');
};

/** The information that is printed when a portal has started. */
const portalBanner = ({ url, tenants }: Portal, { bold, dim }: Colors): string =>
  [
    `${bold('Portal')}   ${url}`,
    `${bold('Console')}  ${url}/`,
    `${bold('API')}      ${url}/docs`,
    '',
    ...tenants.flatMap((tenant) => [
      bold(`${tenant.tenancyName} (tenant ${tenant.tenantId})`),
      `  reports      ${tenant.items.map(({ id, displayName }) => `${id} ${displayName}`).join('\n               ') || 'none'}`,
      `  RLS codes    ${tenant.roleNames.join(', ') || 'none'}`,
      ...tenant.items
        .slice(0, 1)
        .map(({ id }) => `  sample       ${url}/#preview/${tenant.tenancyName}/${id}`),
      envText(tenant),
    ]),
    dim("Copy a tenant's variables into your host app's .env.local: node --env-file=.env.local server.ts"),
    dim('These secrets are only for development. Press Ctrl-C to stop the portal.'),
  ].join('\n');
