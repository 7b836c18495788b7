import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { type ActionInbox, type SqliteInboxOptions, sqliteInbox } from '@vitrine/actions';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sized } from '../support/size.ts';
import { describeInbox } from './support/inboxBehaviour.ts';
import { numberedBody, temporaryFolder } from './support/samples.ts';

const open = (file: string, options: SqliteInboxOptions = {}): ActionInbox => {
  const inbox = sqliteInbox(file, options);
  onTestFinished(() => inbox.close());
  return inbox;
};
const deliver = (inbox: ActionInbox, n: number, receivedAtMs = Date.now()) =>
  inbox.append({ raw: numberedBody(n), receivedAtMs });
const lease = { limit: 10, leaseMs: 60_000 };

describe.each(['worker', 'main'] as const)('the SQLite inbox (commits in the %s thread)', (thread) => {
  describeInbox(() => open(join(temporaryFolder(), 'actions.db'), { thread }));

  it('keeps deliveries in the order they came, with rising IDs, across a restart', async () => {
    const file = join(temporaryFolder(), 'deep', 'actions.db');
    const first = sqliteInbox(file, { thread });
    const receipts = await Promise.all([1, 2, 3].map((n) => deliver(first, n)));
    expect(receipts.map(({ id }) => id)).toEqual(['1', '2', '3']);
    await first.close();
    const second = open(file, { thread });
    expect((await deliver(second, 4)).id).toBe('4');
    const found = await second.list({ limit: 10, from: '1' });
    expect(found.map(({ raw }) => Buffer.from(raw))).toEqual([1, 2, 3, 4].map(numberedBody));
    expect(found.every(({ isIntact, state }) => isIntact && state === 'pending')).toBe(true);
  });

  it('commits everything that waited in one transaction', async () => {
    const inbox = open(join(temporaryFolder(), 'actions.db'), { thread });
    let commits = 0;
    inbox.watch(() => (commits += 1));
    await Promise.all(Array.from({ length: 500 }, (_, n) => deliver(inbox, n)));
    expect(commits).toBeLessThan(10);
  });

  it('forgets a duplicate after the window', async () => {
    const inbox = open(':memory:', { thread, duplicateWindowMs: 1000 });
    await deliver(inbox, 1, 10_000);
    expect((await deliver(inbox, 1, 11_000)).duplicateOf).toBe('1');
    expect((await deliver(inbox, 1, 12_500)).duplicateOf).toBeUndefined();
  });

  it('leases a delivery to one caller, and to the next when the lease has run out', async () => {
    let now = 1_000_000;
    const inbox = open(':memory:', { thread, now: () => now });
    await deliver(inbox, 1, now);
    const [first] = await inbox.claim(lease);
    expect(await inbox.claim(lease)).toEqual([]);
    now += 60_000;
    const [second] = await inbox.claim(lease);
    expect(second).toMatchObject({ id: first!.id, attempts: 2 });
    await inbox.settle(first!, { kind: 'done' });
    expect((await inbox.list({ limit: 1 }))[0]).toMatchObject({ state: 'pending' });
    await inbox.settle(second!, { kind: 'done' });
    expect((await inbox.list({ limit: 1 }))[0]).toMatchObject({ state: 'done' });
  });

  it('gives a failed delivery out again after its pause', async () => {
    let now = 1_000_000;
    const inbox = open(':memory:', { thread, now: () => now });
    await deliver(inbox, 1, now);
    const [claimed] = await inbox.claim(lease);
    await inbox.settle(claimed!, { kind: 'retry', delayMs: 5000, error: 'no luck' });
    now += 4999;
    expect(await inbox.claim(lease)).toEqual([]);
    now += 1;
    expect(await inbox.claim(lease)).toMatchObject([{ id: '1', attempts: 2, lastError: 'no luck' }]);
  });

  it('gives out what was never attempted although the clock was set back by an hour meanwhile', async () => {
    let now = 10_000_000;
    const file = join(temporaryFolder(), 'actions.db');
    const first = sqliteInbox(file, { thread, now: () => now });
    for (const n of [1, 2, 3]) await deliver(first, n, now);
    const [done] = await first.claim({ ...lease, limit: 1 });
    await first.settle(done!, { kind: 'done' });
    now -= 3_600_000;
    expect(await first.claim({ ...lease, limit: 1 })).toMatchObject([{ id: '2' }]);
    expect(await first.replay({ states: ['done'] })).toBe(1);
    await first.close();
    const second = open(file, { thread, now: () => now - 3_600_000 });
    await deliver(second, 4, now);
    expect((await second.claim(lease)).map(({ id }) => id)).toEqual(['1', '3', '4']);
  });

  it('hands out what is due again when the clock was set back by an hour, not an hour later', async () => {
    let now = 10_000_000;
    const file = join(temporaryFolder(), 'actions.db');
    const first = sqliteInbox(file, { thread, now: () => now });
    for (const n of [1, 2]) await deliver(first, n, now);
    const [held, failed] = await first.claim(lease);
    await first.settle(failed!, { kind: 'retry', delayMs: 5000, error: 'no luck' });
    now -= 3_600_000;
    expect(await first.claim(lease)).toEqual([]);
    // The other process holds its lease by the same clock, and keeps it.
    const second = open(file, { thread, now: () => now });
    expect(await second.claim(lease)).toEqual([]);
    now += 5000;
    expect(await second.claim(lease)).toMatchObject([{ id: '2', attempts: 2 }]);
    await first.settle(held!, { kind: 'retry', delayMs: 5000, error: 'no luck' });
    now += 5000;
    expect(await second.claim(lease)).toMatchObject([{ id: '1', attempts: 2 }]);
    // Both leases now begin here; a crashed holder's event comes back when they have run out.
    now -= 3_600_000;
    await first.close();
    expect(await second.claim(lease)).toEqual([]);
    now += 55_000;
    expect(await second.claim(lease)).toMatchObject([{ id: '2', attempts: 3 }]);
    now += 5000;
    expect(await second.claim(lease)).toMatchObject([{ id: '1', attempts: 3 }]);
  });

  it('takes moments that are read one after another for no step of the clock', async () => {
    let now = 10_000_000;
    const inbox = open(':memory:', { thread, now: () => now });
    for (const n of [1, 2]) await deliver(inbox, n, now);
    await inbox.claim({ ...lease, limit: 1 });
    for (let n = 0; n < 20; n += 1) {
      now -= 1000 * (n % 2 === 0 ? 5 : -5);
      await inbox.claim({ limit: 0, leaseMs: 1000 });
    }
    now += 59_999;
    expect((await inbox.claim(lease)).map(({ id }) => id)).toEqual(['2']);
  });

  it('opens a file of an earlier version, whose leases had no token of their own', async () => {
    const file = join(temporaryFolder(), 'actions.db');
    const first = sqliteInbox(file, { thread });
    await deliver(first, 1);
    await first.close();
    const database = new DatabaseSync(file);
    database.exec('alter table deliveries drop column lease; drop table clock; pragma user_version = 3');
    database.close();
    const second = open(file, { thread });
    const [claimed] = await second.claim(lease);
    await second.settle(claimed!, { kind: 'done' });
    expect((await second.health()).counts).toMatchObject({ pending: 0, done: 1 });
  });

  it('lets nobody starve: attempts that are due again and newcomers take turns by their age', async () => {
    let now = 1_000_000;
    const inbox = open(':memory:', { thread, now: () => now });
    const again: string[] = [];
    for (let n = 0; n < 40; n += 1) {
      // One slot and two newcomers for it: there is always somebody else who is due.
      await deliver(inbox, n, now);
      await deliver(inbox, 100 + n, now);
      const [claimed] = await inbox.claim({ ...lease, limit: 1 });
      const { id, attempts } = claimed!;
      if (attempts > 1) again.push(id);
      const fails = attempts === 1 && Number(id) <= 3;
      const outcome = fails
        ? { kind: 'retry' as const, delayMs: 10, error: 'no' }
        : { kind: 'done' as const };
      await inbox.settle(claimed!, outcome);
      now += 10;
    }
    expect(again).toEqual(['1', '2', '3']);
    const rest = await inbox.claim({ ...lease, limit: 1000 });
    expect(rest.map(({ id }) => Number(id))).toEqual(Array.from({ length: 43 }, (_, n) => n + 38));
  });

  it('is shared by two processes of one machine: each delivery is leased once', async () => {
    const file = join(temporaryFolder(), 'actions.db');
    const [a, b] = [open(file, { thread }), open(file, { thread })];
    await Promise.all(Array.from({ length: 40 }, (_, n) => deliver(n % 2 ? a : b, n)));
    const claims = await Promise.all(
      [a, b, a, b].map((inbox) => inbox.claim({ limit: 15, leaseMs: 60_000 })),
    );
    const ids = claims.flat().map(({ id }) => id);
    expect(ids).toHaveLength(40);
    expect(new Set(ids).size).toBe(40);
  });

  it('never hands out bytes that changed on disk', async () => {
    const file = join(temporaryFolder(), 'actions.db');
    const first = sqliteInbox(file, { thread });
    await deliver(first, 1);
    await first.close();
    const database = new DatabaseSync(file);
    database.exec(`update deliveries set raw = x'7b7d'`);
    database.close();
    expect(await open(file, { thread }).claim(lease)).toMatchObject([{ id: '1', isIntact: false }]);
  });

  it('rejects the first call when the file cannot be opened', async () => {
    const folder = temporaryFolder();
    const inbox = () => sqliteInbox(folder, { thread });
    await expect(async () => inbox().append({ raw: new Uint8Array(), receivedAtMs: 0 })).rejects.toThrow(
      /unable to open|is a directory|EISDIR/i,
    );
  });
});

describe('options of the SQLite inbox', () => {
  it('needs the path of its file', () => {
    expect(() => sqliteInbox('')).toThrow(/needs the path/);
    expect(() => sqliteInbox(undefined as never)).toThrow(/needs the path/);
  });
});

describe('duplicates in a SQLite inbox', () => {
  const count = sized(9000, 30_000);

  it('are all flagged after a restart, whether their first is in memory or written down', async () => {
    const file = join(temporaryFolder(), 'actions.db');
    const first = sqliteInbox(file);
    await Promise.all(Array.from({ length: count }, (_, n) => deliver(first, n)));
    await first.close();
    const second = open(file);
    const receipts = await Promise.all(Array.from({ length: count }, (_, n) => deliver(second, n)));
    expect(receipts.filter(({ duplicateOf }, n) => duplicateOf !== String(n + 1))).toEqual([]);
    expect((await second.health()).counts.pending).toBe(2 * count);
  });

  it('would be missed after a restart by a set in memory (the control)', async () => {
    const file = join(temporaryFolder(), 'actions.db');
    const remembering = (inbox: ActionInbox) => {
      const seen = new Set<string>();
      return async (n: number): Promise<boolean> => {
        const text = numberedBody(n).toString('latin1');
        const isKnown = seen.has(text);
        seen.add(text);
        await deliver(inbox, n);
        return isKnown;
      };
    };
    const first = sqliteInbox(file);
    await remembering(first)(1);
    await first.close();
    const inbox = open(file);
    const isKnown = remembering(inbox);
    expect([await isKnown(1), await isKnown(1)]).toEqual([false, true]);
  });

  it('are flagged whichever process of the machine took the first', async () => {
    const file = join(temporaryFolder(), 'actions.db');
    const [a, b] = [open(file), open(file)];
    await Promise.all(Array.from({ length: 4500 }, (_, n) => deliver(n % 2 ? a : b, n)));
    const receipts = await Promise.all(Array.from({ length: 4500 }, (_, n) => deliver(n % 3 ? a : b, n)));
    expect(receipts.filter(({ duplicateOf }) => duplicateOf === undefined)).toEqual([]);
  });

  it('are forgotten when the window has passed and the inbox is pruned, and only they', async () => {
    let now = 1_000_000_000;
    const inbox = open(':memory:', { now: () => now, duplicateWindowMs: 1000 });
    await Promise.all(Array.from({ length: 9000 }, (_, n) => deliver(inbox, n, now)));
    now += 600;
    await deliver(inbox, 20_000, now);
    now += 600;
    await inbox.prune(0);
    expect((await deliver(inbox, 20_000, now)).duplicateOf).toBe('9001');
    expect((await deliver(inbox, 7, now)).duplicateOf).toBeUndefined();
  });
});

it('the SQLite inbox refuses deliveries at once when its thread is gone, instead of letting them wait', async () => {
  const posts = vi.spyOn(Worker.prototype, 'postMessage');
  const inbox = open(join(temporaryFolder(), 'actions.db'));
  await deliver(inbox, 1);
  const thread: unknown = posts.mock.contexts.at(-1);
  if (thread instanceof Worker) await thread.terminate();
  await expect(deliver(inbox, 2)).rejects.toThrow('has ended');
});
