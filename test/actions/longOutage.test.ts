import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describeNews, postgresInbox, type StoreNews, sqliteInbox } from '@vitrine/actions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { numberedBody, temporaryFolder } from './support/samples.ts';

/** Where the two lengths of a numbered delivery stand in a spill file: before its digest and its facts. */
const lengthsOf = (bytes: Buffer, n: number): number =>
  bytes.lastIndexOf('{"key":"', bytes.indexOf(numberedBody(n))) - 40;

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

  it.each([
    ['a body', (bytes: Buffer) => bytes.write('X', bytes.indexOf(numberedBody(2)) + 5)],
    ['a length that is then too great', (bytes: Buffer) => bytes.writeUInt32LE(2 ** 31, lengthsOf(bytes, 2))],
    ['a length that is then too small', (bytes: Buffer) => bytes.writeUInt32LE(1, lengthsOf(bytes, 2) + 4)],
  ])(
    'has every delivery but one that changed on the disk, and tells a person: %s',
    async (_title, damage) => {
      const folder = temporaryFolder();
      const spillFolder = join(folder, 'spill');
      const outage = startOutage(spillFolder);
      for (const n of [1, 2, 3]) await outage.deliver(numberedBody(n));
      await outage.end();
      const file = join(spillFolder, readdirSync(spillFolder)[0]!);
      const bytes = readFileSync(file);
      damage(bytes);
      // What tears off at the end was never acknowledged, and is nothing to keep.
      writeFileSync(file, Buffer.concat([bytes, bytes.subarray(0, 60)]));
      const news: StoreNews[] = [];
      const options = {
        spillFolder,
        thread: 'main',
        onNews: (item: StoreNews) => void news.push(item),
      } as const;
      const inbox = sqliteInbox(join(folder, 'actions.db'), options);
      onTestFinished(() => inbox.close());
      const found = await inbox.list({ limit: 10, from: '1' });
      expect(found.map(({ raw }) => Buffer.from(raw))).toEqual([numberedBody(1), numberedBody(3)]);
      const [kept] = readdirSync(spillFolder);
      expect(kept).toMatch(/\.damaged$/);
      const told = { kind: 'spill-damaged', keptAs: join(spillFolder, kept!), damagedPlaces: 1, imported: 2 };
      expect(news).toEqual([told, { kind: 'recovered', imported: 2 }]);
      const words = describeNews({ kind: 'store', news: news[0]! });
      expect(words).toContain(`damaged in 1 place(s), and the deliveries there are lost; 2 others`);
      expect(words).toContain(join(spillFolder, kept!));
    },
  );

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
