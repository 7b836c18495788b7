import { it } from 'vitest';
import { hasPostgres, postgresUrl, query } from '../support/postgres.ts';

/** Its own empty tables on Postgres; without a reachable Postgres, a skipped test that states this. */
export const testPostgres = async (label: string) => {
  if (!hasPostgres) {
    // oxlint-disable-next-line vitest/no-disabled-tests -- the list of tests states it
    it.skip(
      `on Postgres too: none answers at ${new URL(postgresUrl).host} (VITRINE_TEST_POSTGRES names another)`,
    );
    return undefined;
  }
  const schema = `vitrine_${label}_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;
  return {
    name: 'Postgres',
    address: `${postgresUrl}?schema=${schema}`,
    /** Removes what the tests created. */
    drop: () => query(`drop schema if exists "${schema}" cascade`),
  };
};

/** SQLite always, and Postgres if reachable, each empty. */
export const testDatabases = async (label: string) => {
  const sqlite = { name: 'SQLite', address: ':memory:', drop: async () => {} };
  const postgres = await testPostgres(label);
  return postgres === undefined ? [sqlite] : [sqlite, postgres];
};
