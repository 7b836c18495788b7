import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createPortal } from '@vitrine/portal';
import { createPortalClient } from '@vitrine/portal-client';
import { onTestFinished } from 'vitest';
import { proxyToPostgres, temporarySchema } from '../../actions/support/postgres.ts';
import { startNginxWith } from '../../hosts/startNginx.ts';
import { portalEnv } from '../../packaging/harness/portalEnv.ts';
import { redisUrl } from '../../server/support/sharedStores.ts';

interface Backend {
  readonly child: ChildProcess;
  readonly port: number;
}

const folder = 'examples/deploy/backend';
const sendMemoryUsage = new URL('sendMemoryUsage.mjs', import.meta.url).href;
const mib = 2 ** 20;

/** Memory in use by a backend, in MiB, without garbage. Rejects when the backend is killed in the meantime. */
const memoryInUse = async (child: ChildProcess): Promise<number> => {
  const answer = once(child, 'message');
  // Without a callback the child would emit `error`, which also ends the wait for its exit.
  await new Promise<void>((resolve, reject) =>
    child.send('memory', (error) => (error === null ? resolve() : reject(error))),
  );
  const [bytes] = await answer;
  return Number(bytes) / mib;
};

/** Resident memory of a process in MiB, or undefined when it has ended. */
const residentMemory = (pid: number): number | undefined => {
  const file = `/proc/${pid}/status`;
  const [, size] = /VmRSS:\s+(\d+)/.exec(existsSync(file) ? readFileSync(file, 'utf8') : '') ?? [];
  return size === undefined ? undefined : Number(size) / 1024;
};

/** Two backends of examples/deploy behind its nginx, with a portal. Everything is closed at the end of the test. */
export const startDeployment = async () => {
  const portal = await createPortal();
  onTestFinished(() => portal.close());
  const [tenant] = portal.tenants;
  if (tenant === undefined) throw new Error('The portal has no tenant.');
  const postgres = await proxyToPostgres();
  const env = {
    ...process.env,
    ...portalEnv(tenant),
    WEBHOOK_SECRET: tenant.webhookSecret,
    DATABASE_URL: postgres.url,
    DATABASE_SCHEMA: temporarySchema(),
    REDIS_URL: redisUrl,
    KEY_LIFETIME: '60s',
    PORT: '0',
  };
  const warnings: string[] = [];
  const start = async (): Promise<Backend> => {
    const execArgv = ['--conditions=@vitrine/source', '--expose-gc', '--import', sendMemoryUsage];
    const child = fork(`${folder}/server.js`, { env, execArgv, silent: true });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: unknown) => warnings.push(...(String(chunk).match(/code: '\w+'/g) ?? [])));
    onTestFinished(() => void child.kill('SIGKILL'));
    const [port] = await once(child, 'message');
    return { child, port: Number(port) };
  };
  const backends = [await start(), await start()] as [Backend, Backend];

  const template = readFileSync(`${folder}/nginx.conf`, 'utf8');
  const configOf = (down?: Backend) => (port: number) =>
    backends.reduce(
      (text, backend, index) =>
        text.replace(`:300${index + 1};`, `:${backend.port}${backend === down ? ' down' : ''};`),
      template.replace(':8080', `:${port}`),
    );
  const nginx = await startNginxWith(configOf());
  onTestFinished(() => nginx.stop());

  const client = createPortalClient({ baseUrl: tenant.baseUrl, apiKey: tenant.apiKey });
  onTestFinished(() => client.close());
  const ids = new Map<string, number>();
  for await (const { email, id } of client.users.list()) if (email) ids.set(email, Number(id));
  return {
    url: nginx.url,
    tenant,
    /** Codes that the backends logged. */
    warnings,
    /** The portal's number of a user by email address. */
    userNumber: (email: string): number => ids.get(email) ?? 0,
    /** MiB per serving process: used and resident memory of a backend, resident memory of an nginx worker. */
    memory: async (): Promise<Map<string, number>> => {
      const sizes = new Map<string, number | undefined>();
      for (const { child } of backends) {
        if (!child.connected) continue;
        sizes.set(`backend ${child.pid}`, await memoryInUse(child));
        sizes.set(`backend ${child.pid}, resident`, residentMemory(child.pid ?? 0));
      }
      for (const pid of nginx.workers()) sizes.set(`nginx ${pid}`, residentMemory(pid));
      return new Map(
        [...sizes].flatMap(([name, size]) => (size === undefined ? [] : [[name, size] as const])),
      );
    },
    /** The portal's fault injection. */
    portalFaults: portal.faults,
    /** The connection of the backends to Postgres. */
    postgres,
    reloadNginx: () => nginx.reload(configOf()),
    /** Replaces a backend as the README describes: nginx stops using it, it shuts down, and a new one starts. */
    restart: async (index: 0 | 1): Promise<void> => {
      const leaving = backends[index];
      await nginx.reload(configOf(leaving));
      const gone = once(leaving.child, 'exit');
      leaving.child.kill('SIGTERM');
      await gone;
      backends[index] = await start();
      await nginx.reload(configOf());
    },
    /** The wrong way: a backend crashes while nginx uses it, and a new one starts a moment later. */
    crash: async (index: 0 | 1): Promise<void> => {
      const gone = once(backends[index].child, 'exit');
      backends[index].child.kill('SIGKILL');
      await gone;
      backends[index] = await start();
      await nginx.reload(configOf());
    },
  };
};

export type Deployment = Awaited<ReturnType<typeof startDeployment>>;
