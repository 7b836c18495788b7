import { postgresInbox } from '@vitrine/server/actions';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claimAll, cursorOf, publicationsAfter } from './support/log.ts';
import {
  hasPostgres,
  openPostgresInbox,
  postgresUrl,
  proxyToPostgres,
  temporarySchema,
} from './support/postgres.ts';
import { numberedBody } from './support/samples.ts';

describe.skipIf(!hasPostgres)('the Postgres inbox (needs Postgres, see VITRINE_TEST_POSTGRES)', () => {
  it('is shared by processes: each delivery has one lease, and every process receives all notifications', async () => {
    const schema = temporarySchema();
    const inboxes = [1, 2, 3].map(() => openPostgresInbox(schema));
    const heard = inboxes.map((inbox) => {
      const published = Promise.withResolvers<void>();
      inbox.watch((change) => change === 'published' && published.resolve());
      return published.promise;
    });
    await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        inboxes[n % 3]!.append({ raw: numberedBody(n), receivedAtMs: Date.now() }),
      ),
    );
    const claims = await Promise.all(inboxes.map((inbox) => claimAll(inbox, 20)));
    expect(new Set(claims.flat().map(({ id }) => id)).size).toBe(60);
    await inboxes[0]!.settle(claims[0]![0]!, { kind: 'done' });
    await Promise.all(heard);
  });

  it('stores texts that Postgres rejects, and settles the deliveries in the same batch', async () => {
    const inbox = openPostgresInbox(temporarySchema());
    const before = await cursorOf(inbox);
    for (const n of [1, 2, 3]) await inbox.append({ raw: numberedBody(n), receivedAtMs: Date.now() });
    const [one, two, three] = await claimAll(inbox, 3);
    const shown = { audience: ['a\0b'], itemId: 1 };
    const odd = { 'a\0\\u0000': ['\0\0', '\ud800', '\\u0000', '\u{1F600}'] };
    await Promise.all([
      inbox.settle(one!, { kind: 'done', publish: { ...shown, reply: { result: odd } } }),
      inbox.settle(two!, { kind: 'dead', error: 'no\0luck', publish: shown }),
      inbox.settle(three!, { kind: 'done', publish: shown }),
    ]);
    const published = await publicationsAfter(inbox, before, 10);
    expect(published.map(({ delivery, reply }) => [delivery.lastError, reply])).toEqual([
      [undefined, { result: odd }],
      ['no\0luck', undefined],
      [undefined, undefined],
    ]);
  });

  it('stores replies, errors and names of any letters in a database with an encoding of few', async () => {
    const database = `vt_${crypto.randomUUID().slice(0, 8)}`;
    const admin = new pg.Client({ connectionString: postgresUrl });
    await admin.connect();
    await admin.query(`create database ${database} encoding 'LATIN1' template template0 locale 'C'`);
    const url = new URL(postgresUrl);
    url.pathname = `/${database}`;
    const inbox = postgresInbox(url.href);
    onTestFinished(async () => {
      await inbox.close();
      await admin.query(`drop database ${database} with (force)`);
      await admin.end();
    });
    const contentType = 'text/→';
    for (const n of [1, 2])
      await inbox.append({ raw: numberedBody(n), receivedAtMs: Date.now(), contentType });
    const [one, two] = await claimAll(inbox, 2);
    const { cursor } = await inbox.since();
    const publish = { audience: ['Łukasz'], itemId: 1, reply: { message: '12 €', result: '😀' } };
    await inbox.settle(one!, { kind: 'done', publish });
    await inbox.settle(two!, { kind: 'dead', error: 'order → failed' });
    expect((await inbox.since(cursor, 10)).publications).toMatchObject([publish]);
    const stored = await inbox.list({ limit: 10 });
    expect(stored.map(({ lastError, contentType: type }) => [lastError, type])).toEqual([
      ['order → failed', contentType],
      [undefined, contentType],
    ]);
  });

  it('receives notifications even when its database was down at startup', async () => {
    const schema = temporarySchema();
    const proxy = await proxyToPostgres();
    proxy.cut();
    const inbox = postgresInbox(proxy.url, { schema });
    onTestFinished(() => inbox.close());
    const heard = Promise.withResolvers<unknown>();
    inbox.watch(heard.resolve);
    await expect(inbox.counts()).rejects.toThrow(/connect/i);
    proxy.restore();
    await openPostgresInbox(schema).append({ raw: numberedBody(1), receivedAtMs: Date.now() });
    expect(await heard.promise).toBe('appended');
  });

  it('flags duplicates across processes', async () => {
    const schema = temporarySchema();
    const inboxes = [openPostgresInbox(schema), openPostgresInbox(schema)];
    const receipts = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        inboxes[n % 2]!.append({ raw: numberedBody(7), receivedAtMs: Date.now() }),
      ),
    );
    expect(receipts.filter(({ duplicateOf }) => duplicateOf === undefined)).toHaveLength(1);
  });

  it('gives the deliveries of an ended process to another process when their lease expires', async () => {
    const schema = temporarySchema();
    const first = openPostgresInbox(schema);
    await first.append({ raw: numberedBody(1), receivedAtMs: Date.now() });
    await first.claim({ limit: 1, leaseMs: 1000 });
    await first.close();
    const second = openPostgresInbox(schema);
    await expect
      .poll(() => second.claim({ limit: 1, leaseMs: 1000 }), { timeout: 50_000, interval: 200 })
      .toMatchObject([{ id: '1', attempts: 2 }]);
  });

  it('never strands a delivery that is settled after its lease was lost', async () => {
    const inbox = openPostgresInbox(temporarySchema());
    await inbox.append({ raw: numberedBody(1), receivedAtMs: Date.now() });
    const [slow] = await inbox.claim({ limit: 1, leaseMs: 1 });
    let again: readonly { readonly id: string; readonly lease: string }[] = [];
    while (again.length === 0) again = await inbox.claim({ limit: 1, leaseMs: 60_000 });
    await inbox.settle(slow!, { kind: 'retry', delayMs: 600_000, error: 'too late' });
    await inbox.settle(slow!, { kind: 'done' });
    await inbox.settle(again[0]!, { kind: 'retry', delayMs: 0, error: 'no luck' });
    expect(await claimAll(inbox, 1)).toMatchObject([{ id: '1', attempts: 3, lastError: 'no luck' }]);
  });

  it('opens while another process is settling, without waiting for its locks', async () => {
    const schema = temporarySchema();
    const first = openPostgresInbox(schema);
    await first.append({ raw: numberedBody(1), receivedAtMs: Date.now() });
    const client = new pg.Client({ connectionString: postgresUrl });
    onTestFinished(() => client.end());
    await client.connect();
    await client.query(
      `set search_path = ${schema}; begin; update meta set value = value + 1; update deliveries set attempts = 1`,
    );
    expect(await openPostgresInbox(schema).list({ limit: 10 })).toHaveLength(1);
    await client.query('rollback');
  });

  it('starts with a role that may create tables in its schema, but no schema', async () => {
    const schema = temporarySchema();
    const role = `${schema}_role`;
    const admin = new pg.Client({ connectionString: postgresUrl });
    await admin.connect();
    await admin.query(
      `create role ${role} login; create schema ${schema}; grant usage, create on schema ${schema} to ${role}`,
    );
    const url = new URL(postgresUrl);
    url.username = role;
    const open = (name: string) => postgresInbox(url.href, { schema: name });
    const [inbox, other] = [open(schema), open(`${schema}_other`)];
    onTestFinished(async () => {
      await Promise.all([inbox.close(), other.close()]);
      await admin.query(`drop owned by ${role}; drop role ${role}`);
      await admin.end();
    });
    expect(await inbox.append({ raw: numberedBody(1), receivedAtMs: Date.now() })).toEqual({ id: '1' });
    // Control: it may not create another schema.
    await expect(other.counts()).rejects.toThrow('permission denied');
  });

  it('waits for the disk at each delivery and each result, even if the database defaults to asynchronous commits', async () => {
    const schema = temporarySchema();
    const url = `${postgresUrl}?options=-csynchronous_commit%3Doff`;
    await cursorOf(openPostgresInbox(schema));
    const client = new pg.Client({ connectionString: url });
    onTestFinished(() => client.end());
    await client.connect();
    await client.query(`create function ${schema}.check_sync() returns trigger language plpgsql as $$ begin
        if current_setting('synchronous_commit') <> 'on' then raise 'not synced'; end if; return new; end $$;
      create trigger check_sync before insert or update of state on ${schema}.deliveries for each row execute function ${schema}.check_sync()`);
    const inbox = postgresInbox(url, { schema });
    onTestFinished(() => inbox.close());
    await inbox.append({ raw: numberedBody(1), receivedAtMs: Date.now() });
    const [claimed] = await claimAll(inbox, 1);
    await inbox.settle(claimed!, { kind: 'done' });
    // Control: any other statement on such a connection.
    await expect(client.query(`update ${schema}.deliveries set state = 'done'`)).rejects.toThrow(
      'not synced',
    );
  });

  it.each([1, 2])('works with the options of a pool of %s connections', async (max) => {
    const schema = temporarySchema();
    const inbox = postgresInbox({ connectionString: postgresUrl, max }, { schema });
    onTestFinished(() => inbox.close());
    const published = Promise.withResolvers<void>();
    inbox.watch((change) => change === 'published' && published.resolve());
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => inbox.append({ raw: numberedBody(n), receivedAtMs: Date.now() })),
    );
    for (const claimed of await claimAll(inbox, 20)) await inbox.settle(claimed, { kind: 'done' });
    await published.promise;
    expect(await inbox.counts()).toMatchObject({ done: 20 });
  });

  it('rejects deliveries while its database is down, and stores them when it is back', async () => {
    const proxy = await proxyToPostgres();
    const inbox = postgresInbox(proxy.url, { schema: temporarySchema() });
    onTestFinished(() => inbox.close());
    const deliver = (n: number) => inbox.append({ raw: numberedBody(n), receivedAtMs: Date.now() });
    await deliver(1);
    proxy.cut();
    await expect(deliver(2)).rejects.toThrow(/connect/i);
    proxy.restore();
    await deliver(3);
    expect(await inbox.counts()).toMatchObject({ pending: 2 });
  });

  it('reads only a few rows per delivery during a burst of identical bodies', async () => {
    const schema = temporarySchema();
    const count = 4000;
    const inbox = openPostgresInbox(schema);
    for (let n = 0; n < count; n += 500)
      await Promise.all(
        Array.from({ length: 500 }, () => inbox.append({ raw: numberedBody(1), receivedAtMs: Date.now() })),
      );
    // Sessions report their statistics when they end.
    await inbox.close();
    const client = new pg.Client({ connectionString: postgresUrl });
    onTestFinished(() => client.end());
    await client.connect();
    const rowsRead = async (): Promise<number> => {
      const { rows } = await client.query(
        `select coalesce(sum(idx_tup_read), 0)::int as read from pg_stat_user_indexes
         where schemaname = $1 and relname = 'deliveries'`,
        [schema],
      );
      return rows[0].read;
    };
    await expect.poll(rowsRead, { timeout: 20_000 }).toBeGreaterThan(0);
    expect((await rowsRead()) / count).toBeLessThan(200);
  });

  it('starts when its database starts later', async () => {
    const inbox = postgresInbox('postgres://postgres@127.0.0.1:1/postgres');
    await expect(inbox.append({ raw: numberedBody(1), receivedAtMs: 0 })).rejects.toThrow(/ECONNREFUSED/);
    await inbox.close();
  });
});

describe('options of the Postgres inbox', () => {
  it('requires a connection', () => {
    expect(() => postgresInbox('')).toThrow(/needs an address/);
    expect(() => postgresInbox(undefined as never)).toThrow(/needs an address/);
    expect(() => postgresInbox(new pg.Pool())).toThrow(/the options of a pool of `pg`/);
  });

  it.each(['Quoted', 'a b', '1st', 'x; drop schema public', ''])('rejects %j as a schema name', (schema) => {
    expect(() => postgresInbox('postgres://host/database', { schema })).toThrow(
      /The schema of postgresInbox/,
    );
  });
});
