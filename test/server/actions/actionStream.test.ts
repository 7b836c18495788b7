import { createServer } from 'node:http';
import { createActionStream, createItemIdResolver, vitrine } from '@vitrine/express';
import { createItemResolver, type Item } from '@vitrine/portal-client';
import {
  type ActionNews,
  type ActionReply,
  type ActionStreamOptions,
  createActionDispatcher,
  type InboxChange,
  on,
  type Publication,
  sqliteInbox,
} from '@vitrine/server';
import express from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { closeServer, connectionTo, listen } from '../../support/standInPortal.ts';
import { openStream } from './support/openStream.ts';
import { clickBody, reportId } from './support/samples.ts';

const otherReport = '6b1f4b65-7c6f-4b64-8b66-1e3f2f7d8c21';
/** An item as the portal lists it. */
const item = (id: number, guid: string): Item => ({ id, guid });

/** The portal's numbers of two people, and the names the host knows them by. */
const people: Record<number, string> = { 7: 'north@acme.example', 8: 'south@acme.example' };

const start = async (
  options: Partial<ActionStreamOptions> & {
    readonly canView?: (userId: string, itemId: number) => boolean;
    readonly reply?: ActionReply;
  } = {},
) => {
  const news: ActionNews[] = [];
  const report = (item: ActionNews) => void news.push(item);
  const inbox = options.inbox ?? sqliteInbox(':memory:', { thread: 'main' });
  const stream = createActionStream({
    inbox,
    audience: (event) => people[Number(event.currentUser)],
    report,
    ...options,
  });
  const dispatcher = createActionDispatcher({ inbox, routes: [on({}, () => options.reply)], report });
  const app = express();
  let isSignedIn = true;
  const mount = vitrine({
    portal: connectionTo('http://127.0.0.1:1'),
    viewer: (req) => isSignedIn && { userId: req.get('x-as') ?? '' },
    canView: ({ userId }, itemId) => options.canView?.(userId, itemId) ?? true,
    actions: stream,
    logger: false,
  });
  app.use('/api/embed', mount);
  const server = createServer(app);
  const url = await listen(server);
  onTestFinished(async () => {
    stream.close();
    await closeServer(server);
    await mount.close();
    await dispatcher.stop(0);
    await inbox.close();
  });
  const open = async (userId: string, headers: Record<string, string> = {}) => {
    const opened = await openStream(`${url}/api/embed/actions`, { 'x-as': userId, ...headers });
    if (opened.response.ok) await opened.untilHello();
    return opened;
  };
  const click = (currentUser: number, changes = {}) =>
    inbox.append({
      raw: Buffer.from(JSON.stringify(clickBody({ currentUser, ...changes }))),
      receivedAtMs: (options.now ?? Date.now)(),
    });
  return { open, click, news, stream, inbox, signOut: () => (isSignedIn = false) };
};

describe('the stream of actions, GET {endpoint}/actions', () => {
  it('is server-sent events that no cache keeps and no compression holds back', async () => {
    const { open } = await start();
    const { response, events } = await open('north@acme.example');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(events[0]).toMatchObject({ name: 'hello', data: { heartbeatMs: 15_000 } });
  });

  it('brings an action to every stream of the viewer it is meant for, and to nobody else', async () => {
    const { open, click } = await start();
    const first = await open('north@acme.example');
    const second = await open('north@acme.example');
    const other = await open('south@acme.example');
    await click(7);
    await Promise.all([first.untilActions(1), second.untilActions(1)]);
    await click(8);
    await other.untilActions(1);
    expect(first.actions()).toEqual([
      {
        id: '1',
        reportId,
        reportName: 'Sales by region',
        visual: 'sales-by-region',
        triggeredAt: '2026-11-20T08:00:00.000Z',
        isClear: false,
        rows: [{ 'Sales.Region': 'North', 'Sales.Amount': 1250.5 }],
      },
    ]);
    expect(second.actions()).toHaveLength(1);
    expect(other.actions().map(({ id }) => id)).toEqual(['2']);
  });

  it('carries what the handler returned', async () => {
    const reply = { result: { opened: 3 }, refresh: true, message: 'Three orders opened.' };
    const { open, click } = await start({ reply });
    const stream = await open('north@acme.example');
    await click(7);
    await stream.untilActions(1);
    expect(stream.actions()[0]).toMatchObject(reply);
  });

  it.each([
    ['nothing', () => undefined],
    ['an empty list', () => []],
    ['an empty name', () => ''],
    ['something else', () => ({ everybody: true }) as never],
  ])('brings an action to nobody when the audience is %s', async (_, audience) => {
    const { open, click } = await start({
      audience: (event) => (event.reportName === 'The last' ? ['a'] : audience()),
    });
    const streams = await Promise.all([open('a'), open('undefined'), open('')]);
    await click(7);
    await click(7);
    await click(7, { reportName: 'The last' });
    await streams[0].untilActions(1);
    expect(streams[0].actions().map(({ reportName }) => reportName)).toEqual(['The last']);
    expect(streams[1].actions()).toEqual([]);
    expect(streams[2].actions()).toEqual([]);
  });

  it('brings an action to nobody when the audience fails, and says so', async () => {
    const { open, click, news } = await start({
      audience: ({ reportName }) => {
        if (reportName === 'Broken') throw new Error('directory is down');
        return 'a';
      },
    });
    const stream = await open('a');
    await click(7, { reportName: 'Broken' });
    await click(7, { reportName: 'Fine' });
    await stream.untilActions(1);
    expect(stream.actions().map(({ reportName }) => reportName)).toEqual(['Fine']);
    expect(news).toMatchObject([{ kind: 'audience-failed', deliveryId: '1' }]);
  });

  it('knows the item by both forms of its ID and asks canView once more', async () => {
    const itemIdOf = createItemIdResolver(
      createItemResolver(async function* () {
        yield item(1042, reportId);
        yield item(1043, otherReport);
      }),
    );
    const { open, click } = await start({
      itemIdOf,
      audience: () => ['a', 'b'],
      canView: (userId, itemId) => userId === 'a' || itemId !== 1042,
    });
    const [allowed, denied] = [await open('a'), await open('b')];
    await click(7);
    await click(7, { reportId: otherReport });
    await Promise.all([allowed.untilActions(2), denied.untilActions(1)]);
    expect(allowed.actions().map(({ itemId }) => itemId)).toEqual([1042, 1043]);
    expect(denied.actions().map(({ itemId }) => itemId)).toEqual([1043]);
  });

  it('takes an ID made of digits as the number of the item', async () => {
    const { open, click } = await start();
    const stream = await open('north@acme.example');
    await click(7, { reportId: '1042' });
    await stream.untilActions(1);
    expect(stream.actions()[0]).toMatchObject({ itemId: 1042, reportId: '1042' });
  });

  it('replays by Last-Event-ID what a browser missed, in order and once', async () => {
    const { open, click } = await start();
    const first = await open('north@acme.example');
    await click(7, { reportName: 'One' });
    await first.untilActions(1);
    first.close();
    const witness = await open('north@acme.example');
    await click(7, { reportName: 'Two' });
    await click(8, { reportName: 'Of somebody else' });
    await click(7, { reportName: 'Three' });
    await witness.untilActions(2);
    const again = await open('north@acme.example', { 'last-event-id': first.lastId });
    await again.untilActions(2);
    await click(7, { reportName: 'Four' });
    await again.untilActions(3);
    expect(again.actions().map(({ reportName }) => reportName)).toEqual(['Two', 'Three', 'Four']);
  });

  it('replays from the inbox what nobody was there to hear', async () => {
    const { open, click, inbox } = await start();
    const before = await inbox.lastCursor();
    const published = Promise.withResolvers<void>();
    let left = 200;
    inbox.watch((change) => {
      if (change === 'published' && (left -= 1) === 0) published.resolve();
    });
    await Promise.all(Array.from({ length: 200 }, (_, n) => click(7, { reportName: `Sales ${n}` })));
    await published.promise;
    const stream = await open('north@acme.example', { 'last-event-id': String(before) });
    await stream.untilActions(200);
    expect(new Set(stream.actions().map(({ id }) => id)).size).toBe(200);
  });

  it('replays the newest even when more was missed than one return may read', async () => {
    const log: Publication[] = [];
    let tell: (change: InboxChange) => void = () => undefined;
    const inbox = sqliteInbox(':memory:', { thread: 'main' });
    const busy = {
      ...inbox,
      lastCursor: async () => log.length,
      publications: async (after: number, limit: number) => log.slice(after, after + limit),
      watch: (listener: typeof tell) => {
        tell = listener;
        return () => undefined;
      },
    };
    const { open } = await start({ inbox: busy });
    const witness = await open('north@acme.example');
    for (let cursor = 1; cursor <= 3000; cursor += 1)
      log.push({
        cursor,
        publishedAtMs: 0,
        delivery: {
          id: String(cursor),
          raw: Buffer.from(JSON.stringify(clickBody({ reportName: 'Newest' }))),
          receivedAtMs: cursor < 3000 ? 0 : Date.now(),
          state: 'done',
          attempts: 1,
          dueAtMs: 0,
          isIntact: true,
        },
      });
    tell('published');
    await witness.untilActions(1);
    const again = await open('north@acme.example', { 'last-event-id': '0' });
    await again.untilActions(1);
    expect(again.actions()).toMatchObject([{ id: '3000', reportName: 'Newest' }]);
  });

  it('starts at the present without a Last-Event-ID, or with one that is none', async () => {
    const { open, click } = await start();
    const witness = await open('north@acme.example');
    await click(7, { reportName: 'Old' });
    await witness.untilActions(1);
    for (const headers of [
      {},
      { 'last-event-id': 'abc' },
      { 'last-event-id': '-1' },
      { 'last-event-id': '9'.repeat(16) },
    ]) {
      const stream = await open('north@acme.example', headers);
      await click(7, { reportName: 'New' });
      await stream.untilActions(1);
      expect(stream.actions().map(({ reportName }) => reportName)).toEqual(['New']);
    }
  });

  it("keeps old actions to itself: a click of yesterday is nobody's present business", async () => {
    let now = 1_000_000_000;
    const { open, inbox } = await start({ now: () => now, maxAgeMs: 60_000 });
    const before = await inbox.lastCursor();
    const append = (reportName: string) =>
      inbox.append({
        raw: Buffer.from(JSON.stringify(clickBody({ reportName }))),
        receivedAtMs: now,
      });
    await append('Old');
    now += 60_001;
    const stream = await open('north@acme.example', { 'last-event-id': String(before) });
    await append('New');
    await stream.untilActions(1);
    expect(stream.actions().map(({ reportName }) => reportName)).toEqual(['New']);
  });

  it("proves that it lives, and moves the browser's position on while it does", async () => {
    const { open, click, inbox } = await start({ heartbeatMs: 50 });
    const stream = await open('south@acme.example');
    const witness = await open('north@acme.example');
    await click(7);
    await witness.untilActions(1);
    const other = await open('south@acme.example');
    await other.untilBeat();
    await stream.untilBeat();
    expect(other.lastId).toBe(String(await inbox.lastCursor()));
  });

  it('ends after a while, so that the browser returns and access is checked again', async () => {
    let now = Date.now();
    const { open, signOut } = await start({ heartbeatMs: 50, maxStreamMs: 60_000, now: () => now });
    const stream = await open('north@acme.example');
    await stream.untilBeat();
    now += 66_001;
    await stream.untilEnd();
    signOut();
    expect((await open('north@acme.example')).response.status).toBe(401);
  });

  it('is shared by the tabs of one person: the same scope for the same viewer, another for another', async () => {
    const { open } = await start();
    const scopes = await Promise.all(
      ['a', 'a', 'b'].map(async (userId) => (await open(userId)).events[0]?.data.scope),
    );
    expect(scopes[0]).toBe(scopes[1]);
    expect(scopes[0]).not.toBe(scopes[2]);
    expect(scopes[0]).toMatch(/^[\w-]{22}$/);
  });

  it('lets go of everything when the last browser leaves', async () => {
    const { open, stream } = await start();
    const opened = await Promise.all([open('a'), open('a'), open('b')]);
    expect(stream.streamCount).toBe(3);
    for (const one of opened) one.close();
    await expect.poll(() => stream.streamCount, { timeout: 50_000 }).toBe(0);
  });

  it('sends browsers to another process when it is closed', async () => {
    const { open, stream } = await start();
    const opened = await open('a');
    stream.close();
    await opened.untilEnd();
    expect((await open('a')).response.status).toBe(503);
  });

  it('ends for a browser that was just being let in when it was closed', async () => {
    const inbox = sqliteInbox(':memory:', { thread: 'main' });
    const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const lastCursor = async () => {
      asked.resolve();
      await goOn.promise;
      return inbox.lastCursor();
    };
    const { open, stream } = await start({ inbox: { ...inbox, lastCursor } });
    const opening = open('a');
    await asked.promise;
    stream.close();
    goOn.resolve();
    await (await opening).untilEnd();
    expect(stream.streamCount).toBe(0);
  });

  it('answers 503 when the inbox does not, and the browser tries again', async () => {
    const inbox = sqliteInbox(':memory:', { thread: 'main' });
    const failing = { ...inbox, lastCursor: () => Promise.reject(new Error('gone')) };
    const { open, news } = await start({ inbox: failing });
    expect((await open('a')).response.status).toBe(503);
    expect(news).toMatchObject([{ kind: 'inbox-failed' }]);
  });
});

describe('a stream of actions that would let somebody in does not start', () => {
  it('without an audience', () => {
    const inbox = sqliteInbox(':memory:', { thread: 'main' });
    onTestFinished(() => inbox.close());
    expect(() => createActionStream({ inbox } as never)).toThrow(/who may see an action.*missing_audience/);
  });

  it('without an inbox', () => {
    expect(() => createActionStream({ audience: () => [] } as never)).toThrow(/missing_inbox/);
  });
});

describe('finding the number of an item by its GUID', () => {
  it("asks the client's resolver, and remembers for a minute that an ID is unknown", async () => {
    let reads = 0;
    let now = 0;
    const items = [item(1, reportId)];
    const resolver = createItemResolver(async function* () {
      reads += 1;
      yield* items;
    });
    const itemIdOf = createItemIdResolver(resolver, { now: () => now });
    expect(await Promise.all([reportId, reportId.toUpperCase(), otherReport].map(itemIdOf))).toEqual([
      1,
      1,
      undefined,
    ]);
    items.push(item(2, otherReport));
    const readsBefore = reads;
    expect(await itemIdOf(otherReport)).toBeUndefined();
    expect(reads).toBe(readsBefore);
    now = 60_000;
    expect(await itemIdOf(otherReport)).toBe(2);
    expect(reads).toBe(readsBefore + 1);
  });

  it('never guesses: a failed list means that the item is unknown', async () => {
    const itemIdOf = createItemIdResolver({ toNumber: () => Promise.reject(new Error('portal is down')) });
    expect(await itemIdOf(reportId)).toBeUndefined();
  });
});
