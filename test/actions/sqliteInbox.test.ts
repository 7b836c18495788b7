import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ActionInbox, createActions, sqliteInbox } from '@vitrine/server/actions';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sized } from '../support/size.ts';
import { collectDiagnostics, numberedBody, secret, temporaryFolder } from './support/samples.ts';

const open = (file: string): ActionInbox => {
  const inbox = sqliteInbox(file);
  onTestFinished(() => inbox.close());
  return inbox;
};
/** A clock that only the test moves. */
const setClock = (nowMs: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
  onTestFinished(() => void vi.useRealTimers());
  return { move: (byMs: number) => void vi.setSystemTime(Date.now() + byMs) };
};
const deliver = (inbox: ActionInbox, n: number, receivedAtMs = Date.now()) =>
  inbox.append({ raw: numberedBody(n), receivedAtMs });
const lease = { limit: 10, leaseMs: 60_000 };

describe('the SQLite inbox', () => {
  it('keeps deliveries in order of arrival, with rising IDs, across a restart', async () => {
    const file = join(temporaryFolder(), 'deep', 'actions.db');
    const first = sqliteInbox(file);
    const receipts = await Promise.all([1, 2, 3].map((n) => deliver(first, n)));
    expect(receipts.map(({ id }) => id)).toEqual(['1', '2', '3']);
    await first.close();
    const second = open(file);
    expect((await deliver(second, 4)).id).toBe('4');
    const found = await second.list({ limit: 10, from: '1' });
    expect(found.map(({ raw }) => Buffer.from(raw))).toEqual([1, 2, 3, 4].map(numberedBody));
    expect(found.every(({ state }) => state === 'pending')).toBe(true);
  });

  it('commits up to a hundred waiting deliveries in one transaction', async () => {
    const inbox = open(join(temporaryFolder(), 'actions.db'));
    let commits = 0;
    inbox.watch(() => (commits += 1));
    await Promise.all(Array.from({ length: 500 }, (_, n) => deliver(inbox, n)));
    expect(commits).toBe(5);
  });

  it('forgets a duplicate after 24 hours', async () => {
    const inbox = open(':memory:');
    const hourMs = 3_600_000;
    await deliver(inbox, 1, 0);
    expect((await deliver(inbox, 1, 24 * hourMs)).duplicateOf).toBe('1');
    expect((await deliver(inbox, 2, 0)).duplicateOf).toBeUndefined();
    expect((await deliver(inbox, 2, 25 * hourMs)).duplicateOf).toBeUndefined();
  });

  it('leases a delivery to one caller, and to the next when the lease expires', async () => {
    const clock = setClock(1_000_000);
    const inbox = open(':memory:');
    await deliver(inbox, 1);
    const [first] = await inbox.claim(lease);
    expect(await inbox.claim(lease)).toEqual([]);
    clock.move(60_000);
    const [second] = await inbox.claim(lease);
    expect(second).toMatchObject({ id: first!.id, attempts: 2 });
    await inbox.settle(first!, { kind: 'done' });
    expect((await inbox.list({ limit: 1 }))[0]).toMatchObject({ state: 'pending' });
    await inbox.settle(second!, { kind: 'done' });
    expect((await inbox.list({ limit: 1 }))[0]).toMatchObject({ state: 'done' });
  });

  it('returns a failed delivery again after its delay', async () => {
    const clock = setClock(1_000_000);
    const inbox = open(':memory:');
    await deliver(inbox, 1);
    const [claimed] = await inbox.claim(lease);
    await inbox.settle(claimed!, { kind: 'retry', delayMs: 5000, error: 'no luck' });
    clock.move(4999);
    expect(await inbox.claim(lease)).toEqual([]);
    clock.move(1);
    expect(await inbox.claim(lease)).toMatchObject([{ id: '1', attempts: 2, lastError: 'no luck' }]);
  });

  it('leases an overdue delivery from the claim on, for any process', async () => {
    const clock = setClock(1_000_000);
    const file = join(temporaryFolder(), 'actions.db');
    const inbox = open(file);
    const other = open(file);
    await deliver(inbox, 1);
    clock.move(3_600_000);
    expect(await inbox.claim(lease)).toMatchObject([{ id: '1', attempts: 1 }]);
    clock.move(59_999);
    expect(await inbox.claim(lease)).toEqual([]);
    expect(await other.claim(lease)).toEqual([]);
    clock.move(1);
    expect(await other.claim(lease)).toMatchObject([{ id: '1', attempts: 2 }]);
  });

  it('returns due deliveries on time even if the clock was set back by an hour', async () => {
    const clock = setClock(10_000_000);
    const inbox = open(':memory:');
    for (const n of [1, 2, 3]) await deliver(inbox, n);
    const [failed] = await inbox.claim({ ...lease, limit: 1 });
    await inbox.settle(failed!, { kind: 'retry', delayMs: 5000, error: 'no luck' });
    clock.move(-3_600_000);
    const claims = await inbox.claim({ ...lease });
    expect(claims.map(({ id }) => id)).toEqual(['1', '2', '3']);
  });

  it('respects leases and delays while the clock is set back by less than the longest delay', async () => {
    const clock = setClock(10_000_000);
    const inbox = open(':memory:');
    for (const n of [1, 2]) await deliver(inbox, n);
    const [leased, failed] = await inbox.claim(lease);
    await inbox.settle(failed!, { kind: 'retry', delayMs: 60_000, error: 'no luck' });
    clock.move(-60_000);
    expect(await inbox.claim(lease)).toEqual([]);
    clock.move(120_000);
    expect(await inbox.claim(lease)).toMatchObject([
      { id: leased!.id, attempts: 2 },
      { id: failed!.id, attempts: 2 },
    ]);
  });

  it('continues in the same file after the working directory changes', async () => {
    const [before, other] = [process.cwd(), temporaryFolder()];
    const folder = temporaryFolder();
    onTestFinished(() => process.chdir(before));
    process.chdir(folder);
    const inbox = open('actions.db');
    process.chdir(other);
    await deliver(inbox, 1);
    expect(existsSync(join(folder, 'actions.db'))).toBe(true);
    expect(readdirSync(other)).toEqual([]);
  });

  it('prevents starvation: retries and new deliveries are claimed by age', async () => {
    const clock = setClock(1_000_000);
    const inbox = open(':memory:');
    const again: string[] = [];
    for (let n = 0; n < 40; n += 1) {
      // One slot and two new deliveries for it: another delivery is always due.
      await deliver(inbox, n);
      await deliver(inbox, 100 + n);
      const [claimed] = await inbox.claim({ ...lease, limit: 1 });
      const { id, attempts } = claimed!;
      if (attempts > 1) again.push(id);
      const fails = attempts === 1 && Number(id) <= 3;
      const outcome = fails
        ? { kind: 'retry' as const, delayMs: 10, error: 'no' }
        : { kind: 'done' as const };
      await inbox.settle(claimed!, outcome);
      clock.move(10);
    }
    expect(again).toEqual(['1', '2', '3']);
    const rest = await inbox.claim({ ...lease, limit: 1000 });
    expect(rest.map(({ id }) => Number(id))).toEqual(Array.from({ length: 43 }, (_, n) => n + 38));
  });

  it('is shared by two processes of one machine: each delivery has one lease', async () => {
    const file = join(temporaryFolder(), 'actions.db');
    const [a, b] = [open(file), open(file)];
    await Promise.all(Array.from({ length: 40 }, (_, n) => deliver(n % 2 ? a : b, n)));
    const claims = await Promise.all(
      [a, b, a, b].map((inbox) => inbox.claim({ limit: 15, leaseMs: 60_000 })),
    );
    const ids = claims.flat().map(({ id }) => id);
    expect(ids).toHaveLength(40);
    expect(new Set(ids).size).toBe(40);
  });

  it('leaves one file when it is closed', async () => {
    const folder = temporaryFolder();
    const inbox = sqliteInbox(join(folder, 'actions.db'));
    await deliver(inbox, 1);
    await inbox.close();
    expect(readdirSync(folder)).toEqual(['actions.db']);
  });
});

describe('a SQLite inbox whose file changes while it is open', () => {
  const openWatched = async () => {
    const file = join(temporaryFolder(), 'actions.db');
    const inbox = open(file);
    const problems: unknown[] = [];
    inbox.watch((change) => {
      if (typeof change !== 'string') problems.push(change);
    });
    for (const n of [1, 2, 3]) await deliver(inbox, n);
    return { file, inbox, problems };
  };

  it('reports lost deliveries when the file was removed, and continues in a new one', async () => {
    const { file, inbox, problems } = await openWatched();
    for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`);
    await deliver(inbox, 4);
    expect(problems).toEqual([
      { problem: expect.stringContaining(`${file} or its -wal was removed or replaced`) },
    ]);
    expect(await inbox.list({ limit: 10 })).toHaveLength(1);
  });

  it('control: reports no lost deliveries when it reopens the file after an error', async () => {
    const { file, inbox, problems } = await openWatched();
    const other = new DatabaseSync(file);
    other.exec("create trigger refuse before insert on deliveries begin select raise(abort, 'refused'); end");
    await expect(deliver(inbox, 4)).rejects.toThrow(/refused/);
    other.exec('drop trigger refuse');
    other.close();
    expect(await deliver(inbox, 5)).toEqual({ id: '4' });
    expect(problems).toEqual([]);
  });
});

describe('a SQLite inbox whose -wal is removed while it is open', () => {
  it('reports it, keeps what it has stored, and makes the host not ready', async () => {
    const file = join(temporaryFolder(), 'actions.db');
    const inbox = sqliteInbox(file);
    const { diagnostics, logger } = collectDiagnostics();
    const actions = createActions({
      secrets: secret,
      inbox,
      audience: 'nobody',
      dispatch: false,
      logger,
    });
    onTestFinished(() => actions.close(0));
    await deliver(inbox, 1);
    await expect.poll(actions.notReadyReason).toBeUndefined();
    rmSync(`${file}-wal`);
    await deliver(inbox, 2);
    await deliver(inbox, 3);
    expect(diagnostics).toMatchObject([
      { kind: 'inbox-failed', message: expect.stringContaining(`${file}-shm only together`) },
    ]);
    expect(actions.notReadyReason()).toContain('removed or replaced while it was open');
    await actions.close(0);
    const stored = await open(file).list({ limit: 10, from: '1' });
    expect(stored.map(({ raw }) => Buffer.from(raw))).toEqual(
      expect.arrayContaining([1, 2, 3].map(numberedBody)),
    );
  });
});

describe('options of the SQLite inbox', () => {
  it('requires the path of its file', () => {
    expect(() => sqliteInbox('')).toThrow(/needs the path/);
    expect(() => sqliteInbox(undefined as never)).toThrow(/needs the path/);
  });

  it.each(['file:actions.db', 'file:///tmp/actions.db', 'file:'])(
    'rejects %s instead of creating a folder of that name',
    (path) => {
      expect(() => sqliteInbox(path)).toThrow(/and not a URL/);
      expect(existsSync('file:')).toBe(false);
    },
  );
});

describe('duplicates in a SQLite inbox', () => {
  const count = sized(2000, 10_000);
  const deliverAll = (inbox: ActionInbox) =>
    Promise.all(Array.from({ length: count }, (_, n) => deliver(inbox, n)));

  it('are all flagged after a restart, by any process of the machine', async () => {
    const file = join(temporaryFolder(), 'actions.db');
    const first = sqliteInbox(file);
    await deliverAll(first);
    await first.close();
    const receipts = await deliverAll(open(file));
    expect(receipts.filter(({ id, duplicateOf }) => Number(duplicateOf) === Number(id) - count)).toHaveLength(
      count,
    );
    expect((await deliver(open(file), 7)).duplicateOf).toBe('8');
  });

  it('control: would be missed after a restart by an in-memory set', async () => {
    const deliverToSet = (seen: Set<string>) =>
      Array.from({ length: count }, (_, n) => seen.size < seen.add(numberedBody(n).toString()).size);
    expect(deliverToSet(new Set()).filter((isNew) => !isNew)).toHaveLength(0);
    expect(deliverToSet(new Set()).filter((isNew) => !isNew)).toHaveLength(0);
  });
});
