import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createPortal } from '@vitrine/portal';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testPostgres } from './databases.ts';

const postgres = await testPostgres('database');

const inFile = {
  name: 'SQLite',
  open: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-database-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const address = join(folder, 'portal.db');
    const run = async (sql: string) => {
      const database = new DatabaseSync(address);
      database.exec(sql);
      database.close();
    };
    return { address, run };
  },
};
const onPostgres = postgres && {
  name: 'Postgres',
  open: async () => {
    onTestFinished(postgres.drop);
    const { address } = postgres;
    const [server, schema] = address.split('?schema=');
    const run = async (sql: string) => {
      const client = new pg.Client({ connectionString: server });
      await client.connect();
      await client.query(`create schema if not exists "${schema}"; set search_path to "${schema}"; ${sql}`);
      await client.end();
    };
    return { address, run };
  },
};

describe.each([inFile, ...(onPostgres === undefined ? [] : [onPostgres])])('a database on $name', (kind) => {
  it('of another version of the portal is left alone', async () => {
    const { address, run } = await kind.open();
    await (await createPortal({ database: address })).close();
    await (await createPortal({ database: address })).close();
    await run(`update meta set value = 'another' where key = 'schema'`);
    await expect(createPortal({ database: address })).rejects.toThrow('another version of the portal');
  });

  it('of another program is left alone, and stays without tables of the portal', async () => {
    const { address, run } = await kind.open();
    await run('create table users (name text)');
    await expect(createPortal({ database: address })).rejects.toThrow('belong to another program');
    await run('create table tenants (name text)');
    await run('insert into users values (1)');
  });
});

it('a file with other tables is left alone: it belongs to another program', async () => {
  const { address, run } = await inFile.open();
  await run('create table notes (body text)');
  await expect(createPortal({ database: address })).rejects.toThrow('belong to another program');
  await run('create table meta (key text)');
  await expect(createPortal({ database: address })).rejects.toThrow('belong to another program');
});
