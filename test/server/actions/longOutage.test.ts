import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { postgresInbox, sqliteInbox } from '@vitrine/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { numberedBody, temporaryFolder } from './support/samples.ts';

/** Fills a spill folder the way an outage does: the database behind this inbox never answers. */
const startOutage = (spillFolder: string) => {
  const away = postgresInbox('postgres://127.0.0.1:1/nobody', { spillFolder });
  return {
    deliver: (raw: Buffer) => away.append({ raw, receivedAtMs: 1_000 }),
    end: () => away.close(),
  };
};

describe('an inbox after a long outage', () => {
  it('starts, however many deliveries wait in its spill folder', async () => {
    const folder = temporaryFolder();
    const spillFolder = join(folder, 'spill');
    const count = 150_000;
    const outage = startOutage(spillFolder);
    await Promise.all(Array.from({ length: count }, (_, n) => outage.deliver(Buffer.from(`{"n":${n}}`))));
    await outage.end();
    const inbox = sqliteInbox(join(folder, 'actions.db'), { spillFolder, thread: 'main' });
    onTestFinished(() => inbox.close());
    expect((await inbox.health()).counts.pending).toBe(count);
    expect(readdirSync(spillFolder)).toEqual([]);
  });

  it('has spilled into files that can be read one by one', async () => {
    const spillFolder = temporaryFolder();
    const outage = startOutage(spillFolder);
    for (let n = 0; n < 10; n += 1) await outage.deliver(Buffer.alloc(4 * 1024 * 1024, n));
    await outage.end();
    const sizes = readdirSync(spillFolder).map((name) => statSync(join(spillFolder, name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(40 * 1024 * 1024);
    expect(Math.max(...sizes)).toBeLessThan(24 * 1024 * 1024);
  });

  it('has every delivery but one whose bytes changed on the disk, and keeps that for a person', async () => {
    const folder = temporaryFolder();
    const spillFolder = join(folder, 'spill');
    const outage = startOutage(spillFolder);
    for (const n of [1, 2, 3]) await outage.deliver(numberedBody(n));
    await outage.end();
    const file = join(spillFolder, readdirSync(spillFolder)[0]!);
    const bytes = readFileSync(file);
    bytes.write('X', bytes.indexOf(numberedBody(2)) + 5);
    // What tears off at the end was never acknowledged, and is nothing to keep.
    writeFileSync(file, Buffer.concat([bytes, bytes.subarray(0, 60)]));
    const inbox = sqliteInbox(join(folder, 'actions.db'), { spillFolder, thread: 'main' });
    onTestFinished(() => inbox.close());
    const found = await inbox.list({ limit: 10, from: '1' });
    expect(found.map(({ raw }) => Buffer.from(raw))).toEqual([numberedBody(1), numberedBody(3)]);
    expect(readdirSync(spillFolder)).toEqual([expect.stringMatching(/\.damaged$/)]);
  });

  it('lets go of its file when they cannot come home, so that the next try can open it', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'actions.db');
    await sqliteInbox(file).close();
    const beside = new DatabaseSync(file);
    onTestFinished(() => beside.close());
    beside.exec(`create trigger full before insert on deliveries begin select raise(abort, 'no space'); end`);
    const outage = startOutage(`${file}.spill`);
    await outage.deliver(numberedBody(1));
    await outage.end();
    expect(() => sqliteInbox(file, { thread: 'main' })).toThrow('no space');
    beside.exec('begin immediate; drop trigger full; commit');
    const inbox = sqliteInbox(file, { thread: 'main' });
    onTestFinished(() => inbox.close());
    expect((await inbox.health()).counts.pending).toBe(1);
  });
});

describe('the health of a SQLite inbox', () => {
  it('says that nothing can be stored when its file cannot be opened', async () => {
    const inbox = sqliteInbox(temporaryFolder());
    await expect(inbox.append({ raw: numberedBody(1), receivedAtMs: 1 })).rejects.toThrow('unable to open');
    expect(await inbox.health()).toMatchObject({ canPersist: false });
    await inbox.close();
  });

  it('says so too once it is closed', async () => {
    const inbox = sqliteInbox(':memory:');
    expect(await inbox.health()).toMatchObject({ canPersist: true });
    await inbox.close();
    expect(await inbox.health()).toMatchObject({ canPersist: false });
  });
});
