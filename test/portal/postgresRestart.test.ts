import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { createPortal } from '@vitrine/portal';
import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { isUnavailable } from '../../src/portal/lib/database/postgresPool.ts';
import { administer } from './administer.ts';
import { testPostgres } from './databases.ts';
import { requestKey } from './mint.ts';
import { askTenant } from './onTenant.ts';

const postgres = await testPostgres('restart');

it('counts a server that became read-only as one that is not available, and a wrong statement not', async () => {
  const codeOf = (code: string) => isUnavailable(Object.assign(new Error('Refused.'), { code }));
  expect(['25006', '57P01', '42601', '23505'].map(codeOf)).toEqual([true, true, false, false]);
});

it.skipIf(postgres === undefined)(
  'a portal on Postgres survives when its connections end during changes, and loses nothing acknowledged',
  async () => {
    const name = `vitrine_restart_${process.pid}`;
    const address = new URL(postgres?.address ?? '');
    address.searchParams.set('application_name', name);
    const told: unknown[] = [];
    const portal = await createPortal({ database: address.href, onError: (error) => told.push(error) });
    const operator = new pg.Client({ connectionString: postgres?.address ?? '' });
    await operator.connect();
    onTestFinished(async () => {
      await operator.end();
      await portal.close();
      await postgres?.drop();
    });
    const [tenant] = portal.tenants;
    if (tenant === undefined) throw new Error('The default seed has two tenants.');

    const statuses = new Set<number>();
    const acknowledged: string[] = [];
    const connections = { ended: 0 };
    const areEnough = () => connections.ended >= 40;
    const write = async (writer: number) => {
      for (let count = 0; !areEnough(); count += 1) {
        const email = `restart-${writer}-${count}@acme.example`;
        const { status } = await administer(tenant, 'POST /v1/users', {
          body: { type: 'UserPass', email, firstName: 'Re', lastName: 'Start' },
        });
        statuses.add(status);
        if (status === 201) acknowledged.push(email);
      }
    };
    const endConnections = async () => {
      for (let seen = 0; !areEnough(); seen = acknowledged.length) {
        // Otherwise a quick operator leaves no connection alive for long enough.
        await expect.poll(() => acknowledged.length, { interval: 1, timeout: 30_000 }).toBeGreaterThan(seen);
        const { rowCount } = await operator.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
          [name],
        );
        connections.ended += rowCount ?? 0;
      }
    };
    await Promise.all([endConnections(), ...[0, 1, 2, 3, 4, 5].map(write)]);

    expect([...statuses].toSorted((one, other) => one - other)).toEqual([201, 503]);
    expect(told.length).toBeGreaterThan(0);
    const emails = new Set<string>();
    for (let page = 1; ; page += 1) {
      const read = () => administer(tenant, `GET /v1/users?pageSize=200&page=${page}`);
      // The pool may still hold connections that were terminated.
      const { body } = await vi.waitUntil(async () => {
        const answer = await read();
        return answer.status === 200 && answer;
      });
      for (const user of body.items) emails.add(user.email);
      if (body.items.length === 0) break;
    }
    expect(acknowledged.filter((email) => !emails.has(email))).toEqual([]);
  },
);

it.skipIf(postgres === undefined)(
  'a portal on Postgres that closes answers every request whose change it stored',
  async () => {
    const own = await testPostgres('closing');
    if (own === undefined) throw new Error('Postgres answered a moment ago.');
    onTestFinished(own.drop);
    const portal = await createPortal({ database: own.address });
    const [tenant] = portal.tenants;
    if (tenant === undefined) throw new Error('The default seed has two tenants.');
    const acknowledged: string[] = [];
    const write = async (writer: number) => {
      for (let count = 0; ; count += 1) {
        const email = `closing-${writer}-${count}@acme.example`;
        const body = { type: 'UserPass', email, firstName: 'Clo', lastName: 'Sing' };
        const answer = await administer(tenant, 'POST /v1/users', { body }).catch(() => undefined);
        if (answer === undefined) return;
        if (answer.status === 201) acknowledged.push(email);
      }
    };
    const writers = Promise.all([0, 1, 2, 3, 4, 5].map(write));
    await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(12);
    await portal.close();
    await writers;
    const again = await createPortal({ database: own.address });
    onTestFinished(() => again.close());
    const there = again.tenants[0] ?? tenant;
    const stored: string[] = [];
    for (let page = 1; ; page += 1) {
      const { items } = (await administer(there, `GET /v1/users?pageSize=200&page=${page}`)).body;
      for (const { email } of items) if (email.startsWith('closing-')) stored.push(email);
      if (items.length === 0) break;
    }
    expect(stored.toSorted()).toEqual(acknowledged.toSorted());
  },
  60_000,
);

it.skipIf(postgres === undefined)(
  'a portal on Postgres closes while its schema is being dropped, although its statements wait forever',
  async () => {
    const own = await testPostgres('dropped');
    if (own === undefined) throw new Error('Postgres answered a moment ago.');
    const portal = await createPortal({ database: own.address });
    const operator = new pg.Client({ connectionString: own.address.split('?')[0] });
    await operator.connect();
    onTestFinished(async () => {
      // Postgres goes on with the portal's statement, which would deadlock with the drop.
      await operator.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))',
      );
      await operator.end();
      await own.drop();
    });
    await operator.query(`begin; drop schema "${new URL(own.address).searchParams.get('schema')}" cascade`);
    const [tenant] = portal.tenants;
    const asked = fetch(`${portal.url}/v1/users`, {
      headers: { Authorization: `Bearer ${tenant?.apiKey}` },
    }).then(
      () => 'answered',
      (error: Error) => error.message,
    );
    const waiting = `select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and pg_backend_pid() = any(pg_blocking_pids(pid))`;
    await expect.poll(async () => (await operator.query(waiting)).rows).toEqual([{ count: 1 }]);
    await portal.close();
    expect(await asked).toBe('fetch failed');
  },
  20_000,
);

/** A way to Postgres that can be closed and opened again. */
const wayTo = async (address: string) => {
  const { hostname, port } = new URL(address);
  const sockets = new Set<Socket>();
  const server = createServer((incoming) => {
    const outgoing = connect(Number(port || 5432), hostname);
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => [incoming, outgoing].map((each) => each.destroy()));
    }
    incoming.pipe(outgoing).pipe(incoming);
  });
  const open = async (at: number) => {
    await once(server.listen(at, '127.0.0.1'), 'listening');
    return (server.address() as { readonly port: number }).port;
  };
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const opened = await open(0);
  const through = new URL(address);
  through.host = `127.0.0.1:${opened}`;
  return { address: through.href, close, reopen: () => open(opened) };
};

it.skipIf(postgres === undefined)(
  'a portal whose Postgres is down answers 503 with Retry-After everywhere, and recovers',
  async () => {
    const own = await testPostgres('down');
    if (own === undefined) throw new Error('Postgres answered a moment ago.');
    const way = await wayTo(own.address);
    const told: unknown[] = [];
    const portal = await createPortal({ database: way.address, onError: (error) => told.push(error) });
    onTestFinished(async () => {
      await portal.close();
      await way.close();
      await own.drop();
    });
    const [tenant] = portal.tenants;
    if (tenant === undefined) throw new Error('The default seed has two tenants.');
    const ask = async () => {
      const answers = [
        await administer(tenant, 'GET /v1/users'),
        await requestKey({ tenant, itemId: 1042 }),
        await fetch(`${portal.url}/_control/tenants`),
      ].map(({ status, headers }) => [status, headers.get('retry-after')]);
      const page = await askTenant(tenant.tenantUrl, '/report/1042');
      return [...answers, [page.status, page.headers['retry-after'] ?? null]];
    };
    const up = [200, 200, 200, 403].map((status) => [status, null]);
    expect(await ask()).toEqual(up);
    await way.close();
    expect(await ask()).toEqual(up.map(() => [503, '5']));
    expect(told).toHaveLength(4);
    // An envelope with `success: false` would say that a retry never helps (docs/gaps.md).
    expect(await (await requestKey({ tenant, itemId: 1042 })).json()).toEqual({
      error: { code: 'unavailable', message: expect.any(String), requestId: expect.any(String) },
    });
    await way.reopen();
    expect(await ask()).toEqual(up);
  },
);
