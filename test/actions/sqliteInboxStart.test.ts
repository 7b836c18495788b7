import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { VitrineOptionsError } from '@vitrine/server';
import { type ActionInbox, createActions, sqliteInbox } from '@vitrine/server/actions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canMount, mountDisk } from '../support/mountDisk.ts';
import { numberedBody, secret, temporaryFolder } from './support/samples.ts';

/** Starts a host with an inbox. */
const start = (file: string): ActionInbox => {
  const inbox = sqliteInbox(file);
  const actions = createActions({
    secrets: secret,
    inbox,
    audience: 'nobody',
    logger: false,
  });
  onTestFinished(() => actions.close(0));
  return inbox;
};
/** Why a host does not start with a file. */
const refusal = (file: string): string => {
  try {
    start(file);
    return 'It has started.';
  } catch (error) {
    return error instanceof VitrineOptionsError ? error.message : `No VitrineOptionsError: ${String(error)}`;
  }
};
const deliver = (inbox: ActionInbox, n: number) =>
  inbox.append({ raw: numberedBody(n), receivedAtMs: Date.now() });
const fill = async (file: string): Promise<void> => {
  const inbox = sqliteInbox(file);
  for (const n of [1, 2, 3]) await deliver(inbox, n);
  await inbox.close();
};
const damage = (file: string, from: number): Buffer => {
  const bytes = readFileSync(file).fill(0xaa, from);
  writeFileSync(file, bytes);
  return bytes;
};

describe('a host with a SQLite inbox', () => {
  it('does not start if the path is a folder, as of a bind mount without its file', () => {
    const folder = temporaryFolder();
    const said = refusal(folder);
    expect(said).toContain(`sqliteInbox() cannot use ${folder}: unable to open database file.`);
    expect(said).toMatch(/must be an action inbox or a new file, in a folder that this process may write to/);
  });

  it('creates the folder of the file, and does not start if it cannot', async () => {
    const folder = temporaryFolder();
    await deliver(start(join(folder, 'new', 'actions.db')), 1);
    writeFileSync(join(folder, 'file'), '');
    const said = refusal(join(folder, 'file', 'data', 'actions.db'));
    expect(said).toMatch(/ENOTDIR.*in a folder that this process may write to/s);
  });

  it.skipIf(!canMount)('does not start on a read-only disk, with or without an inbox on it', async () => {
    const disk = mountDisk('1m');
    await fill(join(disk.folder, 'actions.db'));
    expect(disk.makeReadOnly()).toBe(true);
    expect(refusal(join(disk.folder, 'actions.db'))).toMatch(/this process may write to/);
    expect(refusal(join(disk.folder, 'other.db'))).toMatch(/unable to open.*this process may write to/s);
    expect(refusal(join(disk.folder, 'new', 'actions.db'))).toMatch(/mkdir.*this process may write to/s);
  });

  it.skipIf(!canMount)('does not start on a full disk', () => {
    const { folder } = mountDisk('64k');
    const left = Buffer.alloc(65 * 1024);
    expect(() => writeFileSync(join(folder, 'rest'), left)).toThrow('ENOSPC');
    expect(refusal(join(folder, 'actions.db'))).toMatch(/full.*on a disk with space/);
  });

  it('does not start with an inbox of another format, and does not change it', () => {
    const file = join(temporaryFolder(), 'actions.db');
    const other = new DatabaseSync(file);
    other.exec('create table deliveries (id integer)');
    other.close();
    const before = readFileSync(file);
    expect(refusal(file)).toMatch(/no such column: publication\. It must be an action inbox or a new file/);
    expect(readFileSync(file)).toEqual(before);
  });

  it.each([20, 7000])('does not start with %s bytes that are no database, and keeps them', (bytes) => {
    const file = join(temporaryFolder(), 'package.json');
    writeFileSync(file, 'x'.repeat(bytes));
    expect(refusal(file)).toMatch(/file is not a database.*must be an action inbox/);
    expect(readFileSync(file, 'utf8')).toBe('x'.repeat(bytes));
  });

  it('does not start with a file whose list of tables is damaged, and does not change it', async () => {
    const file = join(temporaryFolder(), 'actions.db');
    await fill(file);
    const before = damage(file, 100);
    expect(refusal(file)).toMatch(/malformed.*Move a damaged one away with its -wal and -shm.*\.recover/);
    expect(readFileSync(file)).toEqual(before);
  });

  it('does not start while another program keeps the file locked', async () => {
    const file = join(temporaryFolder(), 'actions.db');
    await fill(file);
    const other = new DatabaseSync(file);
    other.exec('pragma locking_mode = exclusive; begin exclusive');
    expect(refusal(file)).toMatch(/database is locked.*not locked by another program/);
    other.close();
    expect(refusal(file)).toBe('It has started.');
  });

  it('starts with a file of zero bytes, which a container may have created', async () => {
    const file = join(temporaryFolder(), 'actions.db');
    writeFileSync(file, '');
    expect(await deliver(start(file), 1)).toEqual({ id: '1' });
  });

  it('rejects deliveries while a page is damaged, and says which file', async () => {
    const file = join(temporaryFolder(), 'actions.db');
    await fill(file);
    damage(file, 4096);
    const inbox = start(file);
    await expect(deliver(inbox, 4)).rejects.toThrow(`malformed (${file})`);
  });
});
