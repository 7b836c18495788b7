import pg from 'pg';

/** A database to run the same tests on. */
export interface TestDatabase {
  readonly name: string;
  readonly address: string;
  /** Removes what the tests left. */
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

/** SQLite always, and Postgres where one is reachable, each empty. */
export const testDatabases = async (label: string): Promise<readonly TestDatabase[]> => {
  const sqlite: TestDatabase = { name: 'SQLite', address: ':memory:', drop: async () => {} };
  const schema = `vitrine_${label}_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;
  const isReachable = await query('select 1').then(
    () => true,
    () => false,
  );
  if (!isReachable) return [sqlite];
  return [
    sqlite,
    {
      name: 'Postgres',
      address: `${server}?schema=${schema}`,
      drop: () => query(`drop schema if exists "${schema}" cascade`),
    },
  ];
};
