import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type ActionInbox, createActions, postgresInbox } from '@vitrine/server/actions';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { closeServer, listen } from '../support/standInPortal.ts';
import { claimAll, cursorOf } from './support/log.ts';
import { mountActions } from './support/mountActions.ts';
import {
  hasPostgres,
  openPostgresInbox,
  postgresUrl,
  proxyToPostgres,
  temporarySchema,
} from './support/postgres.ts';
import { numberedBody, secret, temporaryFolder } from './support/samples.ts';

const isInstalled = (): boolean => {
  try {
    execFileSync('pgbouncer', ['--version']);
    return true;
  } catch {
    return false;
  }
};

/** Whether PgBouncer is installed, and Postgres responds; otherwise its tests are reported as skipped. */
const hasPgBouncer = hasPostgres && isInstalled();

/** Starts PgBouncer in transaction mode in front of the Postgres for tests. Resolves to its address. */
const startPgBouncer = async (): Promise<string> => {
  const { hostname, port, username, pathname } = new URL(postgresUrl);
  const folder = temporaryFolder();
  // As root, it runs as another user.
  chmodSync(folder, 0o777);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${port || 5432} user=${username}
[pgbouncer]
unix_socket_dir = ${folder}
listen_port = 6432
auth_type = any
pool_mode = transaction
default_pool_size = 3
`,
  );
  const isRoot = process.getuid?.() === 0;
  const child = spawn('pgbouncer', [...(isRoot ? ['-u', 'postgres'] : []), file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      log += String(chunk);
      if (log.includes('process up')) resolve();
    });
    child.once('exit', () => reject(new Error(`PgBouncer did not start: ${log}`)));
  });
  return `postgres://${username}@${pathname}?host=${folder}&port=6432`;
};

/** Longer than a webhook may take, shorter than any sender waits. */
const answerMs = 15_000;

/** A host that stores webhooks; resolves a post to its status, and rejects if none comes. */
const startHost = async (inbox: ActionInbox) => {
  const actions = createActions({
    secrets: secret,
    inbox,
    audience: 'nobody',
    logger: false,
  });
  const server = createServer(mountActions(actions));
  const url = await listen(server);
  onTestFinished(async () => {
    await closeServer(server);
    await actions.close(0);
  });
  let count = 0;
  return async (): Promise<number> => {
    const response = await fetch(`${url}/api/embed/webhook`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: String(numberedBody((count += 1))),
      signal: AbortSignal.timeout(answerMs),
    });
    return response.status;
  };
};

const connect = async (connectionString = postgresUrl): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
};

describe.skipIf(!hasPostgres)('a Postgres that fails (needs Postgres, see VITRINE_TEST_POSTGRES)', () => {
  it('answers every webhook while packets are dropped, and stores again afterward', async () => {
    const proxy = await proxyToPostgres();
    // As a host passes on options that it has not set.
    const options = {
      connectionString: proxy.url,
      query_timeout: undefined,
      connectionTimeoutMillis: undefined,
    };
    const post = await startHost(postgresInbox(options, { schema: temporarySchema() }));
    expect(await post()).toBe(202);
    proxy.drop();
    const answers: Promise<number>[] = [];
    for (let n = 0; n < 30; n += 1) {
      answers.push(post());
      await wait(50);
    }
    expect(new Set(await Promise.all(answers))).toEqual(new Set([503]));
    proxy.restore();
    await expect.poll(post, { timeout: 30_000 }).toBe(202);
  });

  it('survives the error of an idle connection', async () => {
    const name = temporarySchema();
    const options = { connectionString: postgresUrl, application_name: name };
    const inbox = postgresInbox(options, { schema: name });
    onTestFinished(() => inbox.close());
    await inbox.append({ raw: numberedBody(1), receivedAtMs: Date.now() });
    const other = await connect();
    const ended = 'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1';
    expect((await other.query(ended, [name])).rows.length).toBeGreaterThan(0);
    const again = () => inbox.append({ raw: numberedBody(2), receivedAtMs: Date.now() });
    await expect.poll(again, { timeout: 20_000 }).toMatchObject({ id: expect.any(String) });
  });

  it.each(['is reset', 'is ended by a restart of the server'])(
    'answers when a connection %s within a transaction, and stores again afterward',
    async (fault) => {
      const schema = temporarySchema();
      const proxy = await proxyToPostgres();
      // The lock may also stop the attempt of the first click, the next look and the stream, a connection each.
      const post = await startHost(postgresInbox(proxy.url, { schema }));
      expect(await post()).toBe(202);
      const other = await connect();
      await other.query(`begin; lock table ${schema}.deliveries in access exclusive mode`);
      const looking = await connect();
      const answer = post();
      // The database has other tests' inboxes too.
      const waiting = `select pid from pg_locks join pg_stat_activity using (pid)
        where relation = '${schema}.deliveries'::regclass and not granted and query like '%into deliveries%'`;
      const pids = async () => (await looking.query(waiting)).rows.map(({ pid }) => pid);
      await expect.poll(pids, { timeout: 20_000 }).toHaveLength(1);
      if (fault === 'is reset') proxy.cut();
      else await looking.query('select pg_terminate_backend($1)', await pids());
      expect(await answer).toBe(503);
      await other.query('rollback');
      proxy.restore();
      await expect.poll(post, { timeout: 20_000 }).toBe(202);
    },
  );

  it('frees the locks of a process that can no longer be reached', async () => {
    const schema = temporarySchema();
    const proxy = await proxyToPostgres();
    const lost = postgresInbox(proxy.url, { schema });
    const inbox = openPostgresInbox(schema);
    for (const n of [1, 2]) await inbox.append({ raw: numberedBody(n), receivedAtMs: Date.now() });
    const [first, second] = await claimAll(inbox, 2);
    const publish = { audience: ['a'], itemId: 1 };
    await cursorOf(lost);
    // The lock that gives publications their order is taken by now.
    proxy.drop('set lease = null');
    await expect(lost.settle(first!, { kind: 'done', publish })).rejects.toThrow(/timeout/);
    const settle = () =>
      inbox.settle(second!, { kind: 'done', publish }).then(
        () => 'settled',
        () => 'blocked',
      );
    await expect.poll(settle, { timeout: 30_000 }).toBe('settled');
    proxy.restore();
    await lost.close();
  });

  it('closes while packets are dropped', async () => {
    const proxy = await proxyToPostgres();
    const inbox = postgresInbox(proxy.url, { schema: temporarySchema() });
    await inbox.append({ raw: numberedBody(1), receivedAtMs: Date.now() });
    proxy.drop();
    await inbox.close();
    await expect(inbox.list({ limit: 1 })).rejects.toThrow('closed');
  });

  it('stores and leases every delivery where transactions are serializable or read-only by default', async () => {
    const schema = temporarySchema();
    const defaults = '-cdefault_transaction_isolation=serializable -cdefault_transaction_read_only=on';
    const url = `${postgresUrl}?options=${encodeURIComponent(defaults)}`;
    const inboxes = [1, 2, 3].map(() => postgresInbox(url, { schema }));
    onTestFinished(async () => void (await Promise.all(inboxes.map((inbox) => inbox.close()))));
    const [count, claimed] = [90, new Set<string>()];
    const deliver = async (n: number) => {
      await wait(n * 5);
      await inboxes[n % 3]!.append({ raw: numberedBody(n), receivedAtMs: Date.now() });
    };
    const handle = async (inbox: ActionInbox) => {
      while (claimed.size < count)
        for (const one of await inbox.claim({ limit: 5, leaseMs: 60_000 })) {
          claimed.add(one.id);
          await inbox.settle(one, { kind: 'done', publish: { audience: ['a'], itemId: 1 } });
        }
    };
    await Promise.all([...Array.from({ length: count }, (_, n) => deliver(n)), ...inboxes.map(handle)]);
    expect(await inboxes[0]!.counts()).toMatchObject({ pending: 0, done: count });
  });
});

describe.skipIf(!hasPgBouncer)('behind PgBouncer in transaction mode (needs PgBouncer)', () => {
  it('leaves no setting and no LISTEN on the connections that others use', async () => {
    const url = await startPgBouncer();
    const inbox = postgresInbox(url, { schema: temporarySchema() });
    for (const n of [1, 2, 3]) await inbox.append({ raw: numberedBody(n), receivedAtMs: Date.now() });
    for (const claimed of await claimAll(inbox, 3)) await inbox.settle(claimed, { kind: 'done' });
    const clients = await Promise.all([1, 2, 3].map(() => connect(url)));
    const look = () =>
      Promise.all(
        clients.map(async (client) => {
          // Each keeps its connection for as long as the others look.
          const { rows } = await client.query(
            `select pg_backend_pid() as pid, (select count(*)::int from pg_listening_channels()) as channels,
               (select string_agg(name, ',') from pg_settings where source = 'session' and name <> 'client_encoding'
                 and name <> 'application_name') as settings, pg_sleep(0.3)`,
          );
          return rows[0];
        }),
      );
    const untouched = [1, 2, 3].map(() => ({ pid: expect.any(Number), channels: 0, settings: null }));
    const seen = await look();
    expect(new Set(seen.map(({ pid }) => pid)).size).toBe(3);
    expect(seen).toMatchObject(untouched);
    await inbox.close();
    expect(await look()).toMatchObject(untouched);
  });

  it('hands over deliveries and results at the next look, without notifications', async () => {
    const url = await startPgBouncer();
    const schema = temporarySchema();
    const handled = Promise.withResolvers<string>();
    const inbox = postgresInbox(url, { schema });
    const actions = createActions({
      secrets: secret,
      inbox,
      audience: 'nobody',
      on: ({ reportName }) => handled.resolve(reportName),
      logger: false,
    });
    onTestFinished(() => actions.close(0));
    await cursorOf(inbox);
    const other = postgresInbox(url, { schema });
    onTestFinished(() => other.close());
    await other.append({ raw: numberedBody(1), receivedAtMs: Date.now() });
    expect(await handled.promise).toBe('Sales 1');
  });
});
