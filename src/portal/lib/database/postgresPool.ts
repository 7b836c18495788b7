import type { Client, Pool, PoolClient } from 'pg';

/** Postgres's type number of an 8-byte integer, which `pg` returns as text by default. */
const int8 = 20;
const schemaName = /^[a-z_][a-z0-9_]{0,62}$/;

/** Codes and messages of a server that is down, starting, stopping, read-only or out of connections, and of lost connections. */
const unavailable =
  /^(?:E(?:CONN|HOST|NET|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN)\w*|57P0\d|53300|25006|08\w{3})$|^(?:Connection terminated|Client has encountered a connection error)/;

/** Whether a statement failed because Postgres cannot be reached. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof Error && unavailable.test('code' in error ? String(error.code) : error.message);

/** A pool, with a way to abort its statements. */
export interface PostgresPool {
  readonly pool: Pool;
  /** Closes all connections at once; running statements fail. */
  readonly disconnect: () => void;
}

/**
 * Opens a pool of connections. `?schema=name` puts all tables into that schema, which is created if missing, so that
 * portals can share a database.
 */
export const openPostgresPool = async (address: string): Promise<PostgresPool> => {
  const { default: pg } = await import('pg').catch((cause: unknown) => {
    throw new Error(
      'A portal on Postgres needs the package "pg". Install it alongside @vitrine/portal: npm install pg',
      { cause },
    );
  });
  const url = new URL(address);
  const schema = url.searchParams.get('schema');
  url.searchParams.delete('schema');
  if (schema !== null && !schemaName.test(schema))
    throw new Error(
      'The schema in the database address must be lower-case letters, digits and underscores, at most 63.',
    );
  const types = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === int8 ? Number : pg.types.getTypeParser(oid, format ?? 'text'),
  };
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    if (schema !== null) {
      // If two portals start at once, both may find it missing, and one would fail.
      await client.query('select pg_advisory_lock(hashtext($1))', [`vitrine portal ${schema}`]);
      await client.query(`create schema if not exists "${schema}"`);
    }
  } finally {
    await client.end();
  }
  const pool = new pg.Pool({
    connectionString: url.href,
    max: 8,
    // pg only calls getTypeParser of a custom parser; its declared type also has setters.
    types: types as unknown as typeof pg.types,
    ...(schema !== null && { options: `-c search_path=${schema}` }),
  });
  // A connection that ends, such as after a restart of Postgres, also emits an error event, which would crash the
  // process without a listener. Its statement rejects, and the pool opens another.
  pool.on('error', () => {});
  const clients = new Set<PoolClient>();
  pool.on('connect', (client) => {
    clients.add(client);
    client.on('error', () => {});
  });
  pool.on('remove', (client) => void clients.delete(client));
  return {
    pool,
    disconnect: () => {
      for (const client of clients) void (client as unknown as Client).end();
    },
  };
};
