import fs, { renameSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { type ActionInbox, sqliteInbox } from '@vitrine/actions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { numberedBody, temporaryFolder } from './support/samples.ts';

interface HeldSync {
  end(error?: Error): void;
}

const takeTwoMs = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);

/** A disk each of whose syncs takes two milliseconds; what is asked of it without waiting ends when the test says so. */
const createSlowDisk = () => {
  const { fdatasync, fdatasyncSync } = fs;
  const held: HeldSync[] = [];
  onTestFinished(() => {
    Object.assign(fs, { fdatasync, fdatasyncSync });
    syncBuiltinESMExports();
  });
  Object.assign(fs, {
    fdatasyncSync: (descriptor: number) => {
      takeTwoMs();
      fdatasyncSync(descriptor);
    },
    fdatasync: (_: number, ended: (error: Error | null) => void) => {
      takeTwoMs();
      let isHeld = true;
      const end = (error?: Error): void => {
        if (isHeld) ended(error ?? null);
        isHeld = false;
      };
      held.push({ end });
    },
  });
  syncBuiltinESMExports();
  return held;
};

const deliver = (inbox: ActionInbox, n: number) =>
  inbox.append({ raw: numberedBody(n), receivedAtMs: 1_000 });

/** An inbox that has found out how slow its disk is, with eight events in it. */
const openOnSlowDisk = async () => {
  const file = join(temporaryFolder(), 'actions.db');
  const held = createSlowDisk();
  const clock = { now: 1_000_000 };
  const inbox = sqliteInbox(file, { thread: 'main', now: () => clock.now });
  onTestFinished(async () => {
    const closed = inbox.close();
    for (const sync of held.splice(0)) sync.end();
    await closed;
  });
  const answered: number[] = [];
  /** Resolves when the event has been committed and waits for its sync. */
  const commit = async (n: number) => {
    const count = held.length;
    const receipt = deliver(inbox, n).finally(() => answered.push(n));
    await expect.poll(() => held.length, { interval: 1 }).toBe(count + 1);
    return { receipt };
  };
  for (let n = 0; n < 8; n += 1) await deliver(inbox, 100 + n);
  const numbers = async () =>
    (await inbox.list({ limit: 100 })).map(({ raw }) => Buffer.from(raw).toString()).sort();
  return { file, held, clock, inbox, answered, commit, numbers };
};
const text = (n: number): string => numberedBody(n).toString();
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('an inbox on a slow disk', () => {
  it('commits while it syncs, and answers nobody before a sync that began later has ended', async () => {
    const { held, answered, commit } = await openOnSlowDisk();
    const one = await commit(1);
    const two = await commit(2);
    await turn();
    expect(answered).toEqual([]);
    held[0]?.end();
    await one.receipt;
    await turn();
    expect(answered).toEqual([1]);
    held[1]?.end();
    expect((await two.receipt).isSpilled).toBe(false);
  });

  it('answers with the later of two syncs those of the earlier one as well, in their order', async () => {
    const { held, answered, commit } = await openOnSlowDisk();
    const [one, two] = [await commit(1), await commit(2)];
    held[1]?.end();
    await Promise.all([one.receipt, two.receipt]);
    expect(answered).toEqual([1, 2]);
  });

  it('when a sync fails, saves elsewhere whatever was not synced, and believes no other sync', async () => {
    const { held, clock, commit, numbers } = await openOnSlowDisk();
    const [one, two] = [await commit(1), await commit(2)];
    held[0]?.end(new Error('EIO: i/o error, fdatasync'));
    expect(await one.receipt).toEqual({ isSpilled: true });
    expect(await two.receipt).toEqual({ isSpilled: true });
    held[1]?.end();
    clock.now += 1000;
    const stored = await numbers();
    for (const n of [1, 2]) expect(stored).toContain(text(n));
  });

  it('puts what was not synced into the new file when another process has set this one aside', async () => {
    const { file, held, commit, inbox, numbers } = await openOnSlowDisk();
    const one = await commit(1);
    for (const part of ['', '-wal', '-shm']) renameSync(`${file}${part}`, `${file}.aside${part}`);
    const other = sqliteInbox(file, { thread: 'main' });
    onTestFinished(() => other.close());
    await deliver(other, 2);
    await deliver(inbox, 3);
    expect((await one.receipt).isSpilled).toBe(false);
    held[0]?.end();
    const stored = await numbers();
    for (const n of [1, 2, 3]) expect(stored).toContain(text(n));
  });

  it('is closed when the last sync has ended', async () => {
    const { held, answered, commit, inbox } = await openOnSlowDisk();
    const one = await commit(1);
    const closed = inbox.close().then(() => answered.push(-1));
    await turn();
    held[0]?.end();
    await one.receipt;
    await closed;
    expect(answered).toEqual([1, -1]);
  });
});
