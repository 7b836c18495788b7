import pg from 'pg';
import { it } from 'vitest';

/** A database to run the same tests on. */
export interface TestDatabase {
  readonly name: string;
  readonly address: string;
  /** Removes what the tests created. */
  readonly drop: () => Promise<void>;
}

const server = process.env['VITRINE_TEST_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

const query = async (sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: 2000 });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

const isReachable = query('select 1').then(
  () => true,
  () => false,
);

/** Its own empty tables on Postgres; without a reachable Postgres, a skipped test that states this. */
export const testPostgres = async (label: string): Promise<TestDatabase | undefined> => {
  if (!(await isReachable)) {
    // oxlint-disable-next-line vitest/no-disabled-tests -- the list of tests states it
    it.skip(`on Postgres too: none answers at ${new URL(server).host} (VITRINE_TEST_POSTGRES names another)`);
    return undefined;
  }
  const schema = `vitrine_${label}_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;
  return {
    name: 'Postgres',
    address: `${server}?schema=${schema}`,
    drop: () => query(`drop schema if exists "${schema}" cascade`),
  };
};

/** SQLite always, and Postgres if reachable, each empty. */
export const testDatabases = async (label: string): Promise<readonly TestDatabase[]> => {
  const sqlite: TestDatabase = { name: 'SQLite', address: ':memory:', drop: async () => {} };
  const postgres = await testPostgres(label);
  return postgres === undefined ? [sqlite] : [sqlite, postgres];
};
