import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ActionInbox, postgresInbox, sqliteInbox } from '@vitrine/server/actions';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fillPostgres, fillSqlite } from './support/fillHandled.ts';
import { claimAll, cursorOf, publicationsAfter } from './support/log.ts';
import { hasPostgres, openPostgresInbox, postgresUrl, temporarySchema } from './support/postgres.ts';
import { numberedBody, temporaryFolder } from './support/samples.ts';

const rows = 40_000;
/** Enough for many steps of a removal. */
const removedRows = 4000;
const deliver = (inbox: ActionInbox, n: number) =>
  inbox.append({ raw: numberedBody(n), receivedAtMs: Date.now() });

/** Everything that an inbox does while it runs, and what operators do at the same time. */
const runAll = async (inbox: ActionInbox): Promise<void> => {
  await Promise.all([1, 2, 3].map((n) => deliver(inbox, n)));
  const [one, two] = await claimAll(inbox, 2);
  const publish = { audience: ['north'], itemId: 1042 };
  await inbox.settle(one!, { kind: 'done', publish });
  await inbox.settle(two!, { kind: 'dead', error: 'no luck' });
  await publicationsAfter(inbox, (await cursorOf(inbox)) - 1, 10);
  await inbox.counts();
  await inbox.list({ states: ['dead', 'parked'], limit: 10 });
  await inbox.list({ limit: 10 });
  expect(await inbox.replay({ states: ['dead'] })).toBe(1);
  expect(await inbox.prune(1000 + 500)).toBe(499);
};

describe('a SQLite inbox with many handled deliveries', () => {
  const openFilled = async (count: number) => {
    const file = join(temporaryFolder(), 'actions.db');
    const first = sqliteInbox(file);
    await first.since();
    await first.close();
    fillSqlite(file, count);
    const open = () => {
      const inbox = sqliteInbox(file);
      onTestFinished(() => inbox.close());
      return inbox;
    };
    return { file, open };
  };

  /**
   * Statements that scan the whole table, or sort more than a list with a limit (named `…_ids`), by SQLite's query
   * plan.
   */
  const findScans = (file: string, statements: Iterable<string>): string[] => {
    const database = new DatabaseSync(file);
    database.function('now_ms', () => 0);
    const scans = [...statements].filter((sql) => {
      const steps = database.prepare(`explain query plan ${sql}`).all();
      const plan = steps.map(({ detail }) => detail).join('\n');
      return /^SCAN (deliveries|d)\b/m.test(plan) || /(?<!_ids)\nUSE TEMP B-TREE/.test(plan);
    });
    database.close();
    return scans;
  };

  it('runs no statement that scans the table', async () => {
    const { file, open } = await openFilled(rows);
    const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
    onTestFinished(() => prepare.mockRestore());
    await runAll(open());
    const statements = new Set(
      prepare.mock.calls
        .map(([sql]) => sql)
        .filter((sql) => /^\s*(select|insert|update|delete|with)/.test(sql)),
    );
    prepare.mockRestore();
    expect(statements.size).toBeGreaterThan(10);
    expect(findScans(file, statements)).toEqual([]);
    // Control: the same without an index.
    const database = new DatabaseSync(file);
    database.exec('drop index deliveries_state; drop index deliveries_state_id');
    database.close();
    expect(findScans(file, statements).length).toBeGreaterThan(1);
  });

  it('acknowledges a delivery while rows are being removed', async () => {
    const { open } = await openFilled(removedRows);
    const inbox = open();
    let isRemoved = false;
    const removing = inbox.prune(Date.now()).then((count) => {
      isRemoved = true;
      return count;
    });
    await deliver(inbox, 1);
    expect(isRemoved).toBe(false);
    expect(await removing).toBe(removedRows);
  });
});

describe.skipIf(!hasPostgres)('a Postgres inbox with many handled deliveries', () => {
  const openFilled = async () => {
    const schema = temporarySchema();
    const first = postgresInbox(postgresUrl, { schema });
    await first.since();
    await first.close();
    await fillPostgres(schema, rows);
    const client = new pg.Client({ connectionString: postgresUrl });
    onTestFinished(() => client.end());
    await client.connect();
    return { schema, client };
  };

  /** Rows of the table that the database has read, with or without an index, since it was filled. */
  const countRead = async (client: pg.Client, schema: string, work: () => Promise<void>): Promise<number> => {
    const read = async (): Promise<number> => {
      const { rows: found } = await client.query(
        `select (seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid))::int as read
         from pg_stat_user_tables t where schemaname = $1 and relname = 'deliveries'`,
        [schema],
      );
      return found[0].read;
    };
    const before = await read();
    await work();
    // Sessions report their statistics when they end, slightly delayed.
    await expect.poll(read, { timeout: 20_000 }).toBeGreaterThan(before);
    return (await read()) - before;
  };
  const runOnce = async (schema: string): Promise<void> => {
    const inbox = openPostgresInbox(schema);
    await runAll(inbox);
    await inbox.close();
  };

  it('reads only part of the table for all operations together', async () => {
    const { schema, client } = await openFilled();
    // The largest count of `counts()` is 10,000.
    expect(await countRead(client, schema, () => runOnce(schema))).toBeLessThan(rows / 2);
  });

  it('does not read the rest of a backlog when it settles one delivery', async () => {
    const { schema, client } = await openFilled();
    const backlog = 5000;
    await client.query(
      `insert into ${schema}.deliveries (received_at, raw, digest, at)
       select 1, '', sha256(i::text::bytea), 1 from generate_series(1, ${backlog}) i`,
    );
    const inbox = postgresInbox(postgresUrl, { schema });
    const claims = await claimAll(inbox, 10);
    await inbox.close();
    const settleAll = async (): Promise<void> => {
      const settling = postgresInbox(postgresUrl, { schema });
      for (const claimed of claims) await settling.settle(claimed, { kind: 'done' });
      await settling.close();
    };
    expect(await countRead(client, schema, settleAll)).toBeLessThan(backlog);
  });

  it('control: would read the whole table without an index', async () => {
    const { schema, client } = await openFilled();
    await client.query(
      `set search_path = ${schema}; drop index deliveries_state; drop index deliveries_state_id`,
    );
    expect(await countRead(client, schema, () => runOnce(schema))).toBeGreaterThan(rows);
  });
});
