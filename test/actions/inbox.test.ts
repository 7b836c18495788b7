import type { ActionInbox } from '@vitrine/server/actions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claimAll, cursorOf, publicationsAfter } from './support/log.ts';
import { openInbox } from './support/openInbox.ts';
import { places } from './support/places.ts';
import { numberedBody } from './support/samples.ts';

const lease = { limit: 10, leaseMs: 60_000 };
const deliver = (inbox: ActionInbox, n: number, receivedAtMs = Date.now()) =>
  inbox.append({ raw: numberedBody(n), receivedAtMs });

describe.each(places)('an inbox on $database', ({ isThere, create }) => {
  const open = (): ActionInbox => {
    const inbox = openInbox(create());
    onTestFinished(() => inbox.close());
    return inbox;
  };

  describe.skipIf(!isThere)('where it is there', () => {
    it('keeps every byte and property of a delivery', async () => {
      const inbox = open();
      const raw = Uint8Array.from({ length: 256 }, (_, n) => n);
      const receipt = await inbox.append({
        raw,
        receivedAtMs: 1_700_000_000_123,
        source: '192.0.2.1',
        contentType: 'application/json; charset="→"',
      });
      expect(receipt).toEqual({ id: '1' });
      const [found] = await inbox.list({ limit: 1 });
      expect(Buffer.from(found!.raw).equals(raw)).toBe(true);
      expect(found).toMatchObject({
        id: '1',
        receivedAtMs: 1_700_000_000_123,
        source: '192.0.2.1',
        contentType: 'application/json; charset="→"',
        state: 'pending',
        attempts: 0,
      });
    });

    it('stores bodies of any size together, including empty ones', async () => {
      const inbox = open();
      const bodies = [0, 1, 0, 100_000, 3, 0].map((length, n) => Buffer.alloc(length, n));
      await Promise.all(bodies.map((raw) => inbox.append({ raw, receivedAtMs: Date.now() })));
      const found = await inbox.list({ limit: 10, from: '1' });
      expect(found.map(({ raw }) => Buffer.from(raw))).toEqual(bodies);
    });

    it('stores many at once, in order', async () => {
      const inbox = open();
      const receipts = await Promise.all(Array.from({ length: 300 }, (_, n) => deliver(inbox, n)));
      expect(receipts.map(({ id }) => id)).toEqual(Array.from({ length: 300 }, (_, n) => String(n + 1)));
      const found = await inbox.list({ limit: 1000, from: '1' });
      expect(found.map(({ raw }) => Buffer.from(raw))).toEqual(
        Array.from({ length: 300 }, (_, n) => numberedBody(n)),
      );
    });

    it('flags identical bytes as a duplicate of the first delivery, and keeps both', async () => {
      const inbox = open();
      await deliver(inbox, 1);
      expect(await deliver(inbox, 1)).toEqual({ id: '2', duplicateOf: '1' });
      expect(await deliver(inbox, 1)).toEqual({ id: '3', duplicateOf: '1' });
      expect((await deliver(inbox, 2)).duplicateOf).toBeUndefined();
      const together = await Promise.all([3, 3, 1, 3].map((n) => deliver(inbox, n)));
      expect(together.map(({ duplicateOf }) => duplicateOf)).toEqual([undefined, '5', '1', '5']);
    });

    it('leases a delivery to one caller', async () => {
      const inbox = open();
      await Promise.all([1, 2, 3].map((n) => deliver(inbox, n)));
      const claims = await Promise.all([1, 2, 3, 4].map(() => inbox.claim({ ...lease, limit: 1 })));
      const ids = claims.flat().map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      const rest = await claimAll(inbox, 3 - ids.length);
      expect([...ids, ...rest.map(({ id }) => id)].sort()).toEqual(['1', '2', '3']);
      expect(await inbox.claim(lease)).toEqual([]);
    });

    it('returns a failed delivery again, and settles only by the newest lease', async () => {
      const inbox = open();
      await deliver(inbox, 1);
      const [first] = await claimAll(inbox, 1);
      expect(first).toMatchObject({ id: '1', attempts: 1 });
      await inbox.settle(first!, { kind: 'retry', delayMs: 0, error: 'no luck' });
      const [second] = await claimAll(inbox, 1);
      expect(second).toMatchObject({ id: '1', attempts: 2, lastError: 'no luck' });
      await inbox.settle(first!, { kind: 'dead', error: 'too late' });
      expect((await inbox.list({ limit: 1 }))[0]).toMatchObject({ state: 'pending' });
      await inbox.settle(second!, { kind: 'done' });
      expect((await inbox.list({ limit: 1 }))[0]).toMatchObject({ state: 'done', lastError: undefined });
      expect(await inbox.claim(lease)).toEqual([]);
    });

    it('keeps characters of an error that a database may reject', async () => {
      const inbox = open();
      await deliver(inbox, 1);
      const [claimed] = await claimAll(inbox, 1);
      await inbox.settle(claimed!, { kind: 'dead', error: 'a\0b\ud800' });
      expect((await inbox.list({ limit: 1 }))[0]).toMatchObject({ lastError: 'a\0b\ud800' });
    });

    it('counts no attempt when a delivery is returned unused', async () => {
      const inbox = open();
      await deliver(inbox, 1);
      const [first] = await claimAll(inbox, 1);
      await inbox.settle(first!, { kind: 'retry', delayMs: 0, error: 'stopped', isUnused: true });
      const [second] = await claimAll(inbox, 1);
      expect(second).toMatchObject({ attempts: 1 });
      await inbox.settle(first!, { kind: 'done' });
      expect((await inbox.list({ limit: 1 }))[0]).toMatchObject({ state: 'pending', attempts: 1 });
      await inbox.settle(second!, { kind: 'retry', delayMs: 0, error: 'no luck' });
      expect(await claimAll(inbox, 1)).toMatchObject([{ attempts: 2 }]);
    });

    it('publishes settled deliveries in the order of settling, with the reply', async () => {
      const inbox = open();
      for (const n of [1, 2, 3, 4]) await deliver(inbox, n);
      const [one, two, three, four] = await claimAll(inbox, 4);
      const start = await cursorOf(inbox);
      const publish = { audience: ['north', 'south'], itemId: 1042 };
      const reply = { message: 'Saved\0', result: [1] };
      await inbox.settle(three!, { kind: 'done', publish: { ...publish, reply } });
      await inbox.settle(four!, { kind: 'parked', error: 'unclear' });
      await inbox.settle(one!, { kind: 'dead', error: 'failed', publish });
      await inbox.settle(two!, { kind: 'done' });
      const published = await publicationsAfter(inbox, start, 10);
      expect(published).toMatchObject([
        { ...publish, reply, delivery: { id: '3' } },
        { ...publish, delivery: { id: '1' } },
      ]);
      expect(published.at(-1)?.cursor).toBe(await cursorOf(inbox));
      expect(await publicationsAfter(inbox, published[0]!.cursor, 10)).toHaveLength(1);
    });

    it('notifies watchers of arrivals and publications', async () => {
      const inbox = open();
      const published = Promise.withResolvers<string>();
      const appended = Promise.withResolvers<string>();
      const unwatch = inbox.watch((change) => {
        if (change === 'appended') appended.resolve(change);
        if (change === 'published') published.resolve(change);
      });
      await deliver(inbox, 1);
      expect(await appended.promise).toBe('appended');
      const [claimed] = await claimAll(inbox, 1);
      await inbox.settle(claimed!, { kind: 'done', publish: { audience: [], itemId: 1 } });
      expect(await published.promise).toBe('published');
      unwatch();
    });

    it('replays deliveries by ID or state', async () => {
      const inbox = open();
      for (const n of [1, 2, 3]) await deliver(inbox, n);
      const claims = await claimAll(inbox, 3);
      await inbox.settle(claims[0]!, { kind: 'done' });
      await inbox.settle(claims[1]!, { kind: 'dead', error: 'x' });
      await inbox.settle(claims[2]!, { kind: 'parked', error: 'y' });
      expect(await inbox.claim(lease)).toEqual([]);
      expect(await inbox.replay({ states: ['dead', 'parked'] })).toBe(2);
      expect((await claimAll(inbox, 2)).map(({ id, attempts }) => [id, attempts])).toEqual([
        ['2', 1],
        ['3', 1],
      ]);
      expect(await inbox.replay({ from: '1', to: '1' })).toBe(1);
      expect((await claimAll(inbox, 1)).map(({ id }) => id)).toEqual(['1']);
    });

    it('ignores an attempt from before a replay that settles after it', async () => {
      const inbox = open();
      await deliver(inbox, 1);
      const [before] = await claimAll(inbox, 1);
      await inbox.settle(before!, { kind: 'dead', error: 'no luck' });
      expect(await inbox.replay({ states: ['dead'] })).toBe(1);
      const [after] = await claimAll(inbox, 1);
      expect(after).toMatchObject({ attempts: 1, lastError: 'no luck' });
      await inbox.settle(before!, { kind: 'done' });
      expect((await inbox.list({ limit: 1 }))[0]).toMatchObject({ state: 'pending' });
      await inbox.settle(after!, { kind: 'done' });
      expect((await inbox.list({ limit: 1 }))[0]).toMatchObject({ state: 'done' });
    });

    it('does not replay claimed deliveries, so that no event runs twice at once', async () => {
      const inbox = open();
      for (const n of [1, 2, 3]) await deliver(inbox, n);
      const [held, waiting] = await claimAll(inbox, 2);
      await inbox.settle(waiting!, { kind: 'retry', delayMs: 600_000, error: 'no luck' });
      expect(await inbox.replay({})).toBe(0);
      expect(await inbox.replay({ states: ['pending'] })).toBe(0);
      expect((await claimAll(inbox, 1)).map(({ id }) => id)).toEqual(['3']);
      expect(await inbox.claim(lease)).toEqual([]);
      await inbox.settle(held!, { kind: 'done' });
      expect((await inbox.list({ limit: 1, to: '1' }))[0]).toMatchObject({ state: 'done' });
    });

    it('removes only handled deliveries', async () => {
      const inbox = open();
      for (const n of [1, 2, 3, 4, 5, 6]) await deliver(inbox, n);
      const claims = await claimAll(inbox, 5);
      await inbox.settle(claims[0]!, { kind: 'done' });
      await inbox.settle(claims[1]!, { kind: 'parked', error: 'y' });
      await inbox.settle(claims[2]!, { kind: 'dead', error: 'x' });
      await inbox.settle(claims[4]!, { kind: 'unrouted', error: 'z' });
      expect(await inbox.prune(Date.now() - 60_000)).toBe(0);
      expect(await inbox.prune(Date.now() + 60_000)).toBe(2);
      expect((await inbox.list({ limit: 10, from: '1' })).map(({ id }) => id)).toEqual(['2', '3', '4', '6']);
      expect(await inbox.counts()).toEqual({ pending: 2, done: 0, unrouted: 0, parked: 1, dead: 1 });
    });

    it('lists the newest first, or the oldest first from an ID on, and by state', async () => {
      const inbox = open();
      for (const n of [1, 2, 3, 4]) await deliver(inbox, n);
      const [first, second] = await claimAll(inbox, 2);
      await inbox.settle(first!, { kind: 'done' });
      await inbox.settle(second!, { kind: 'dead', error: 'x' });
      const ids = async (filter: Parameters<ActionInbox['list']>[0]) =>
        (await inbox.list(filter)).map(({ id }) => id);
      expect(await ids({ limit: 10 })).toEqual(['4', '3', '2', '1']);
      expect((await inbox.list({ limit: 1 }))[0]).toMatchObject({ id: '4' });
      expect(await ids({ limit: 2, from: '2' })).toEqual(['2', '3']);
      expect(await ids({ limit: 2, to: '3' })).toEqual(['3', '2']);
      expect(await ids({ limit: 10, states: ['done', 'pending'] })).toEqual(['4', '3', '1']);
      expect(await ids({ limit: 10, states: [] })).toEqual([]);
      expect(await inbox.replay({ states: [] })).toBe(0);
    });

    it('rejects calls after it is closed', async () => {
      const inbox = open();
      await inbox.close();
      await inbox.close();
      await expect(deliver(inbox, 1)).rejects.toThrow(/closed/);
    });
  });
});
