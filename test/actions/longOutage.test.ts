import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  type ActionInbox,
  describeDiagnostic,
  type InboxDiagnostic,
  postgresInbox,
  sqliteInbox,
} from '@vitrine/actions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { numberedBody, temporaryFolder } from './support/samples.ts';

/** Fills a spill folder as an outage does: the database of this inbox never responds. */
const startOutage = (spillFolder: string) => {
  const away = postgresInbox('postgres://127.0.0.1:1/nobody', { spillFolder });
  return {
    deliver: (raw: Buffer) => away.append({ raw, receivedAtMs: 1_000 }),
    end: () => away.close(),
  };
};

describe('an inbox after a long outage', () => {
  it('starts with any number of deliveries in its spill folder', async () => {
    const folder = temporaryFolder();
    const spillFolder = join(folder, 'spill');
    const count = 20_000;
    const outage = startOutage(spillFolder);
    await Promise.all(Array.from({ length: count }, (_, n) => outage.deliver(Buffer.from(`{"n":${n}}`))));
    await outage.end();
    const inbox = sqliteInbox(join(folder, 'actions.db'), { spillFolder });
    onTestFinished(() => inbox.close());
    // A new delivery does not wait for the import.
    expect(await inbox.append({ raw: numberedBody(1), receivedAtMs: 1_000 })).toMatchObject({
      isSpilled: false,
    });
    await expect.poll(() => readdirSync(spillFolder), { timeout: 50_000 }).toEqual([]);
    let stored = 0;
    for (let from = 1; ; from += 5000) {
      const page = await inbox.list({ from: String(from), to: String(from + 4999), limit: 5000 });
      stored += page.length;
      if (page.length === 0) break;
    }
    expect(stored).toBe(count + 1);
  });

  it('has written spill files small enough to read one at a time', async () => {
    const spillFolder = temporaryFolder();
    const outage = startOutage(spillFolder);
    for (let n = 0; n < 10; n += 1) await outage.deliver(Buffer.alloc(4 * 1024 * 1024, n));
    await outage.end();
    const sizes = readdirSync(spillFolder).map((name) => statSync(join(spillFolder, name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(40 * 1024 * 1024);
    expect(Math.max(...sizes)).toBeLessThan(24 * 1024 * 1024);
  });

  it('imports every delivery except one that changed on disk, and reports that one', async () => {
    const folder = temporaryFolder();
    const spillFolder = join(folder, 'spill');
    const outage = startOutage(spillFolder);
    await Promise.all([1, 2, 3].map((n) => outage.deliver(numberedBody(n))));
    await outage.end();
    const [name = ''] = readdirSync(spillFolder);
    const lines = readFileSync(join(spillFolder, name), 'utf8').split('\n');
    lines[1] = lines[1]?.replace('"base64":"', '"base64":"X') ?? '';
    writeFileSync(join(spillFolder, name), lines.join('\n'));
    const diagnostics: InboxDiagnostic[] = [];
    const inbox = sqliteInbox(join(folder, 'actions.db'), { spillFolder, thread: 'main' });
    onTestFinished(() => inbox.close());
    inbox.onDiagnostic?.((item) => void diagnostics.push(item));
    await expect.poll(() => diagnostics.length, { timeout: 50_000 }).toBe(2);
    const found = await inbox.list({ limit: 10, from: '1' });
    expect(found.map(({ raw }) => Buffer.from(raw))).toEqual([numberedBody(1), numberedBody(3)]);
    const keptAs = join(spillFolder, `${name}.damaged`);
    expect(readdirSync(spillFolder)).toEqual([`${name}.damaged`]);
    const damaged = { kind: 'spill-damaged', keptAs, lost: 1, imported: 2 };
    expect(diagnostics).toEqual([damaged, { kind: 'recovered', imported: 2 }]);
    expect(describeDiagnostic({ kind: 'inbox', diagnostic: diagnostics[0]! })).toContain(
      '1 deliveries are lost, 2 were imported',
    );
  });

  it('counts each imported delivery once, although the import fails midway and a file appears twice', async () => {
    const folder = temporaryFolder();
    const [file, spillFolder] = [join(folder, 'actions.db'), join(folder, 'spill')];
    const outage = startOutage(spillFolder);
    for (const n of [1, 2]) await outage.deliver(numberedBody(n));
    await outage.end();
    const [first = ''] = readdirSync(spillFolder);
    const copy = readFileSync(join(spillFolder, first));
    const open = (): ActionInbox => {
      const inbox = sqliteInbox(file, { spillFolder, thread: 'main' });
      onTestFinished(() => inbox.close());
      return inbox;
    };
    const before = sqliteInbox(file, { spillFolder: false, thread: 'main' });
    await before.lastCursor();
    const database = new DatabaseSync(file, { timeout: 5000 });
    onTestFinished(() => database.close());
    database.exec(`create trigger refuse before insert on deliveries when new.raw = x'${numberedBody(2).toString('hex')}'
      begin select raise(abort, 'refused'); end`);
    await before.close();
    const diagnostics: InboxDiagnostic[] = [];
    const inbox = open();
    inbox.onDiagnostic?.((item) => void diagnostics.push(item));
    await expect.poll(() => readdirSync(spillFolder).length).toBe(1);
    database.exec('drop trigger refuse');
    await expect.poll(() => diagnostics, { timeout: 50_000 }).toEqual([{ kind: 'recovered', imported: 2 }]);
    await inbox.close();
    writeFileSync(join(spillFolder, first), copy);
    const again = open();
    again.onDiagnostic?.((item) => void diagnostics.push(item));
    await expect.poll(() => readdirSync(spillFolder)).toEqual([]);
    await again.close();
    expect(diagnostics).toHaveLength(1);
  });
});

describe('the health of a SQLite inbox', () => {
  it('reports that nothing can be stored when its file cannot be opened', async () => {
    const inbox = sqliteInbox(temporaryFolder(), { spillFolder: false });
    await expect(inbox.append({ raw: numberedBody(1), receivedAtMs: 1 })).rejects.toThrow('unable to open');
    expect(await inbox.health()).toMatchObject({ canPersist: false });
    await inbox.close();
  });

  it('names both causes when the spill folder fails too', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'spill'), 'a file where a folder is expected');
    const inbox = sqliteInbox(folder, { spillFolder: join(folder, 'spill') });
    onTestFinished(() => inbox.close());
    await expect(inbox.append({ raw: numberedBody(1), receivedAtMs: 1 })).rejects.toThrow(
      /unable to open.*; the spill folder failed too: EEXIST/,
    );
  });

  it('responds at once with canPersist: false while another program locks the file', async () => {
    const file = join(temporaryFolder(), 'actions.db');
    const inbox = sqliteInbox(file);
    onTestFinished(() => inbox.close());
    await inbox.append({ raw: numberedBody(1), receivedAtMs: 1 });
    const other = new DatabaseSync(file);
    onTestFinished(() => other.close());
    other.exec('begin immediate');
    const startMs = performance.now();
    const counts = Promise.all([inbox.health(), inbox.health()]);
    const unknown = { canPersist: false, isSpilling: false, spilled: 0 };
    expect(await counts).toEqual([unknown, unknown]);
    expect(performance.now() - startMs).toBeLessThan(4000);
    other.exec('rollback');
    await expect.poll(() => inbox.health(), { timeout: 20_000 }).toMatchObject({ canPersist: true });
  });

  it('reports canPersist: false after it is closed', async () => {
    const inbox = sqliteInbox(':memory:');
    expect(await inbox.health()).toMatchObject({ canPersist: true });
    await inbox.close();
    expect(await inbox.health()).toMatchObject({ canPersist: false });
  });
});
