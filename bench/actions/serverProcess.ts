/** One of the designs in its own process. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { fillPostgres, fillSqlite } from '../../test/actions/support/fillHandled.ts';
import { serveRequests } from '../lib/worker.ts';
import { type DesignName, designs, postgresUrl, schema } from './designs.ts';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-actions-'));
const file = join(folder, 'actions.db');

/** Requests to such a process. */
type ServerRequest =
  | { readonly kind: 'listen'; readonly name: DesignName }
  /** Adds a number of handled deliveries. */
  | { readonly kind: 'fill'; readonly rows: number }
  | { readonly kind: 'end' };

let usesPostgres = false;

const listen = async (name: DesignName): Promise<string> => {
  usesPostgres = name === 'Postgres';
  const server = designs[name](file);
  // Filling the table stops the event loop for longer than a sender's connection may be idle.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => {
    server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
};

/** Removes all data. */
const end = async (): Promise<void> => {
  rmSync(folder, { recursive: true, force: true });
  if (!usesPostgres) return;
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  await client.query(`set client_min_messages = error; drop schema if exists ${schema} cascade`);
  await client.end();
};

serveRequests(async (request: ServerRequest) => {
  switch (request.kind) {
    case 'listen':
      return listen(request.name);
    case 'fill':
      return usesPostgres ? fillPostgres(schema, request.rows) : fillSqlite(file, request.rows);
    case 'end':
      return end();
  }
});
