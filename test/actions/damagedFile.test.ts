import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ActionInbox, describeDiagnostic, type InboxDiagnostic, sqliteInbox } from '@vitrine/actions';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createRandom } from '../support/createRandom.ts';
import { seed } from '../support/seed.ts';
import { sized } from '../support/size.ts';
import { fillSqlite } from './support/fillHandled.ts';
import { numberedBody } from './support/samples.ts';

const events = 60;
const known = new Set(Array.from({ length: events }, (_, n) => numberedBody(n).toString('latin1')));
const cases = sized(150, 2000);

let folder = '';
let original = '';
beforeAll(async () => {
  // In memory if possible, because thousands of files are opened and synced.
  folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'vitrine-damage-'));
  original = join(folder, 'original.db');
  const open = () => sqliteInbox(join(folder, 'live.db'), { thread: 'main' });
  const deliver = (n: number) => live.append({ raw: numberedBody(n), receivedAtMs: 1_000 });
  let live = open();
  for (let n = 0; n < events / 2; n += 1) await deliver(n);
  await live.close();
  live = open();
  for (let n = events / 2; n < events; n += 1) await deliver(n);
  // Copied while it is open, so that the newer events are only in the log, as after a crash.
  for (const part of ['', '-wal']) copyFileSync(join(folder, `live.db${part}`), `${original}${part}`);
  await live.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Truncates, or flips bits in, the last pages of the database or its log. */
const damage = (file: string, number: number): void => {
  const random = createRandom(number);
  const part = random.below(2) === 0 ? '' : '-wal';
  const bytes = readFileSync(`${original}${part}`);
  const tail = Math.min(bytes.length, 4 * 4096);
  if (random.below(3) === 0)
    writeFileSync(`${file}${part}`, bytes.subarray(0, bytes.length - random.below(tail)));
  else {
    for (let flips = 1 + random.below(24); flips > 0; flips -= 1) {
      const at = bytes.length - 1 - random.below(tail);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
    }
    writeFileSync(`${file}${part}`, bytes);
  }
  const other = part === '' ? '-wal' : '';
  copyFileSync(`${original}${other}`, `${file}${other}`);
};

const clean = (): void => {
  for (const name of readdirSync(folder))
    if (name.startsWith('case')) rmSync(join(folder, name), { recursive: true });
};

describe('an inbox file with truncated or corrupted last pages', () => {
  it('opens or is quarantined with a clear message, stores new events, and never returns a changed event as intact', async () => {
    const tally = { opened: 0, quarantined: 0 };
    for (let number = seed; number < seed + cases; number += 1) {
      const file = join(folder, 'case.db');
      damage(file, number);
      const diagnostics: InboxDiagnostic[] = [];
      const inbox = sqliteInbox(file, { thread: 'main' });
      inbox.onDiagnostic?.((item) => diagnostics.push(item));
      const receipt = await inbox.append({ raw: numberedBody(0), receivedAtMs: 2_000 });
      expect(receipt.isSpilled, `case ${number}`).toBe(false);
      const claims = await inbox.claim({ limit: 1000, leaseMs: 1000 });
      for (const { raw, isIntact } of claims)
        if (isIntact) expect(known.has(Buffer.from(raw).toString('latin1')), `case ${number}`).toBe(true);
      expect(claims.length, `case ${number}`).toBeGreaterThan(0);
      await inbox.close();
      const damaged = diagnostics.find((item) => item.kind === 'quarantined');
      if (damaged) expect(existsSync(damaged.movedTo), `case ${number}`).toBe(true);
      tally[damaged ? 'quarantined' : 'opened'] += 1;
      clean();
    }
    expect(tally.opened).toBeGreaterThan(0);
    expect(tally.quarantined).toBeGreaterThan(0);
  });

  it('control: would return changed events without the digest check', () => {
    let changed = 0;
    for (let number = seed; number < seed + cases; number += 1) {
      const file = join(folder, 'case.db');
      damage(file, number);
      try {
        const database = new DatabaseSync(file);
        for (const { raw } of database.prepare('select raw from deliveries').iterate())
          if (!known.has(Buffer.from(raw as Uint8Array).toString('latin1'))) changed += 1;
        database.close();
      } catch {
        // This file does not open; the control only checks files that do.
      }
      clean();
    }
    expect(changed).toBeGreaterThan(0);
  });
});

/** The value of an expression for every event in a damaged file. */
const valuesIn = (file: string, expression: string): unknown[] => {
  const database = new DatabaseSync(file);
  try {
    return database
      .prepare(`select ${expression} as value from deliveries not indexed`)
      .all()
      .map(({ value }) => value);
  } catch {
    return [];
  } finally {
    database.close();
  }
};

describe('an inbox file in which corruption gives two events the same ID', () => {
  it('is quarantined, and the new file contains both events', async () => {
    const file = join(folder, 'case.db');
    const before = sqliteInbox(file, { thread: 'main' });
    for (const n of [0, 1]) await before.append({ raw: numberedBody(n), receivedAtMs: 1_000 });
    await before.close();
    const sound = readFileSync(file);
    for (let at = sound.indexOf(2); at >= 0; at = sound.indexOf(2, at + 1)) {
      const bytes = Buffer.from(sound);
      bytes[at] = 1;
      writeFileSync(file, bytes);
      if (valuesIn(file, 'id').join() === '1,1') break;
    }
    expect(valuesIn(file, 'id')).toEqual([1, 1]);
    const diagnostics: InboxDiagnostic[] = [];
    const after = sqliteInbox(file, { thread: 'main' });
    after.onDiagnostic?.((item) => diagnostics.push(item));
    const claims = await after.claim({ limit: 10, leaseMs: 1000 });
    await after.close();
    clean();
    expect(diagnostics).toMatchObject([{ kind: 'quarantined', salvaged: 2 }]);
    expect(claims.map(({ id, raw }) => [id, Buffer.from(raw)])).toEqual([
      ['1', numberedBody(0)],
      [expect.stringMatching(/^\d{13,}$/), numberedBody(1)],
    ]);
  });
});

describe('an inbox file in which corruption changes the type of a value from blob to text', () => {
  it.each([
    ['its body', 'raw', ['1', '2']],
    ['its digest', 'digest', ['2']],
  ])('returns only intact events as intact when the value is %s', async (_title, column, expected) => {
    const file = join(folder, 'case.db');
    const before = sqliteInbox(file, { thread: 'main' });
    for (const n of [0, 1]) await before.append({ raw: numberedBody(n), receivedAtMs: 1_000 });
    await before.close();
    const sound = readFileSync(file);
    const body = sound.indexOf(numberedBody(0));
    // A record stores the types of its values before the values.
    for (let at = body - 120; at < body; at += 1) {
      const bytes = Buffer.from(sound);
      bytes[at] = (sound[at] ?? 0) ^ 1;
      writeFileSync(file, bytes);
      if (valuesIn(file, `typeof(${column})`).join() === 'text,blob') break;
    }
    expect(valuesIn(file, `typeof(${column})`)).toEqual(['text', 'blob']);
    const after = sqliteInbox(file, { thread: 'main' });
    const claims = (await after.claim({ limit: 10, leaseMs: 1000 })).filter(({ isIntact }) => isIntact);
    await after.close();
    clean();
    expect(claims.map(({ id, raw }) => [id, Buffer.from(raw)])).toEqual(
      expected.map((id) => [id, numberedBody(Number(id) - 1)]),
    );
  });
});

describe('an inbox file with one destroyed page', () => {
  it.each([
    ['and says that others may be lost', ''],
    ['even when no index shows which others there were', 'drop index deliveries_state_id'],
  ])('loses only the events on that page, %s', async (_title, change) => {
    const file = join(folder, 'case.db');
    const deliver = (inbox: ActionInbox, n: number) =>
      inbox.append({ raw: numberedBody(n), receivedAtMs: 1_000 });
    const before = sqliteInbox(file, { thread: 'main' });
    for (let n = 0; n < 120; n += 1) await deliver(before, n);
    for (const claimed of await before.claim({ limit: 120, leaseMs: 1000 }))
      await before.settle(claimed, { kind: 'done' });
    for (let n = 120; n < 160; n += 1) await deliver(before, n);
    await before.close();
    const database = new DatabaseSync(file);
    database.exec(`${change}; vacuum; pragma wal_checkpoint(truncate)`);
    database.close();
    const sound = readFileSync(file);
    const pageSize = sound.readUInt16BE(16);
    const losses: number[] = [];
    // The first page identifies the file type.
    for (let at = pageSize; at < sound.length; at += pageSize) {
      clean();
      writeFileSync(file, Buffer.from(sound).fill(0xaa, at, at + pageSize));
      const diagnostics: InboxDiagnostic[] = [];
      const after = sqliteInbox(file, { thread: 'main' });
      after.onDiagnostic?.((item) => diagnostics.push(item));
      const lost = 40 - (await after.claim({ limit: 1000, leaseMs: 1000 })).length;
      await after.close();
      const found = diagnostics.find((item) => item.kind === 'quarantined');
      const told = found ? describeDiagnostic({ kind: 'inbox', diagnostic: found }) : '';
      if (lost > 0)
        expect(told, `byte ${at}`).toContain(
          `Others may be lost; \`sqlite3 ${found?.movedTo} .recover\` may find them.`,
        );
      losses.push(lost);
    }
    clean();
    // The root page, which makes all other pages unreachable.
    expect(losses.filter((lost) => lost === 40)).toHaveLength(1);
    expect(losses.filter((lost) => lost > 0).length).toBeGreaterThan(3);
    expect(losses.filter((lost) => lost > 10 && lost < 40)).toEqual([]);
  });
});

/** Makes a file unreadable from its first byte. */
const ruin = (file: string): void => {
  const bytes = readFileSync(file);
  bytes.fill(0xff, 0, 200);
  writeFileSync(file, bytes);
};

describe('a quarantined inbox file', () => {
  const deliver = (inbox: ActionInbox, n: number) =>
    inbox.append({ raw: numberedBody(n), receivedAtMs: Date.now() });
  const open = (file: string): ActionInbox => {
    const inbox = sqliteInbox(file, { thread: 'main' });
    onTestFinished(async () => {
      await inbox.close();
      clean();
    });
    return inbox;
  };

  it('does not reuse its IDs, because they are idempotency keys', async () => {
    const file = join(folder, 'case.db');
    const before = sqliteInbox(file, { thread: 'main' });
    const old = [await deliver(before, 1), await deliver(before, 2)].map(({ id }) => id);
    await before.close();
    ruin(file);
    const after = open(file);
    const fresh = [await deliver(after, 3), await deliver(after, 4)];
    expect(fresh.map(({ id }) => id).filter((id) => old.includes(id))).toEqual([]);
    expect((await deliver(after, 3)).duplicateOf).toBe(fresh[0]?.id);
  });

  it('receives no writes from a process that had it open, which continues in the new file', async () => {
    const file = join(folder, 'case.db');
    const one = open(file);
    await deliver(one, 1);
    const writer = new DatabaseSync(file);
    writer.exec('pragma wal_checkpoint(truncate)');
    writer.close();
    ruin(file);
    const other = open(file);
    await deliver(other, 2);
    await deliver(one, 3);
    await deliver(other, 4);
    for (const inbox of [one, other]) {
      const texts = (await inbox.list({ limit: 10 })).map(({ raw }) => Buffer.from(raw).toString());
      for (const n of [2, 3, 4]) expect(texts).toContain(numberedBody(n).toString());
    }
    const quarantined = readdirSync(folder).filter((name) => /^case.*damaged-[^.]*Z$/.test(name));
    expect(quarantined).toHaveLength(1);
  });
});

/** Overwrites the pages of a file that contain a text. */
const ruinPages = (file: string, text: string): number => {
  const bytes = readFileSync(file);
  let pages = 0;
  for (let at = 0; at < bytes.length; at += 4096) {
    const page = bytes.subarray(at, at + 4096);
    if (!page.includes(text)) continue;
    page.fill(0xaa);
    pages += 1;
  }
  writeFileSync(file, bytes);
  return pages;
};

describe('a large inbox file with one damaged page', () => {
  it('opens at once and is replaced when the damaged page is read', async () => {
    const file = join(folder, 'case.db');
    onTestFinished(clean);
    const before = sqliteInbox(file, { thread: 'main' });
    await before.append({ raw: numberedBody(1), receivedAtMs: 1_000 });
    await before.close();
    fillSqlite(file, 15_000);
    expect(statSync(file).size).toBeGreaterThan(9 * 1024 * 1024);
    expect(ruinPages(file, `7000${' '.repeat(596)}`)).toBeGreaterThan(0);
    const diagnostics: InboxDiagnostic[] = [];
    const inbox = sqliteInbox(file);
    onTestFinished(() => inbox.close());
    inbox.onDiagnostic?.((item) => diagnostics.push(item));
    await inbox.append({ raw: numberedBody(2), receivedAtMs: 1_000 });
    expect(diagnostics).toEqual([]);
    await inbox.prune(Date.now());
    expect(diagnostics).toMatchObject([{ kind: 'quarantined', salvaged: 2, parked: 0 }]);
    const claims = await inbox.claim({ limit: 10, leaseMs: 1000 });
    expect(claims.map(({ raw }) => Buffer.from(raw))).toEqual([numberedBody(1), numberedBody(2)]);
  });
});

describe('an inbox file with one damaged page', () => {
  /** Forty handled and forty pending deliveries; one of them has started, and one of its effects is noted. */
  const prepareFile = async () => {
    const file = join(folder, 'case.db');
    onTestFinished(clean);
    const inbox = sqliteInbox(file, { thread: 'main' });
    for (let n = 0; n < 80; n += 1) await inbox.append({ raw: numberedBody(n), receivedAtMs: 1_000 });
    for (const claimed of await inbox.claim({ limit: 40, leaseMs: 60_000 }))
      await inbox.settle(claimed, { kind: 'done' });
    const [begun] = await inbox.claim({ limit: 1, leaseMs: 60_000 });
    await inbox.noteEffect(begun!.id, { key: 'order', value: 'the note of an order' });
    await inbox.settle(begun!, { kind: 'retry', delayMs: 0, error: 'no luck' });
    await inbox.close();
    return file;
  };
  const reopen = async (file: string) => {
    const diagnostics: InboxDiagnostic[] = [];
    const inbox = sqliteInbox(file, { thread: 'main' });
    onTestFinished(() => inbox.close());
    inbox.onDiagnostic?.((item) => diagnostics.push(item));
    return { inbox, diagnostics, stored: await inbox.list({ from: '1', limit: 100 }) };
  };

  it('loses only the rows of that page', async () => {
    const file = await prepareFile();
    expect(ruinPages(file, '"Sales 12"')).toBe(1);
    const { stored, diagnostics } = await reopen(file);
    expect(diagnostics).toMatchObject([{ kind: 'quarantined', salvaged: 40 }]);
    expect(stored.map(({ raw }) => Buffer.from(raw))).toEqual(
      Array.from({ length: 40 }, (_, n) => numberedBody(n + 40)),
    );
  });

  it('keeps the recorded effects that it can read, so that none of them is repeated', async () => {
    const file = await prepareFile();
    ruinPages(file, '"Sales 12"');
    const { inbox, stored } = await reopen(file);
    expect(stored[0]).toMatchObject({ id: '41', state: 'pending', attempts: 1 });
    expect(await inbox.effect('41', 'order')).toEqual({ value: 'the note of an order' });
  });

  it('parks started events whose recorded effects are lost, and keeps the others pending', async () => {
    const file = await prepareFile();
    expect(ruinPages(file, 'the note of an order')).toBe(1);
    const { stored, diagnostics } = await reopen(file);
    expect(diagnostics).toMatchObject([{ kind: 'quarantined', salvaged: 40, parked: 1 }]);
    expect(stored[0]).toMatchObject({
      id: '41',
      state: 'parked',
      lastError: expect.stringContaining('effects'),
    });
    expect(stored.slice(1).every(({ state }) => state === 'pending')).toBe(true);
  });
});
