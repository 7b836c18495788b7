import pg from 'pg';

/** The Postgres for tests: `VITRINE_TEST_POSTGRES`, or the one on the local address of a CI machine. */
export const postgresUrl =
  process.env['VITRINE_TEST_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** Runs statements in that Postgres, over a connection of their own. */
export const query = async (sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: postgresUrl, connectionTimeoutMillis: 2000 });
  await client.connect();
  await client.query(sql).finally(() => client.end());
};

/** Whether it responds; otherwise its tests are reported as skipped. */
export const hasPostgres = await query('select 1').then(
  () => true,
  () => false,
);
