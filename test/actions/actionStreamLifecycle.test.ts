import { createServer, type ServerResponse } from 'node:http';
import { createNodeHandler } from '@vitrine/server';
import { createActions, sqliteInbox } from '@vitrine/server/actions';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { closeServer, connectionTo, listen } from '../support/standInPortal.ts';
import { cursorOf } from './support/log.ts';
import { openStream } from './support/openStream.ts';
import { clickBody, secret } from './support/samples.ts';
import { startStream } from './support/startStream.ts';

/** Clocks that only the test advances; timers and sockets are real. */
const fakeClocks = () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
};

describe('the lifetime of an action stream', () => {
  it('sends heartbeats that advance the position of the browser', async () => {
    const { open, click, inbox } = await startStream({ timing: { heartbeatMs: 50 } });
    const stream = await open('south@acme.example');
    const witness = await open('north@acme.example');
    await click(7);
    await witness.untilActions(1);
    const other = await open('south@acme.example');
    await other.untilBeat();
    await stream.untilBeat();
    expect(other.lastId).toBe(String(await cursorOf(inbox)));
  });

  it('ends after maxStreamMs, so that the browser reconnects and access is checked again', async () => {
    fakeClocks();
    const { open, signOut } = await startStream({ timing: { heartbeatMs: 50, maxStreamMs: 60_000 } });
    const stream = await open('north@acme.example');
    await stream.untilBeat();
    vi.advanceTimersByTime(66_001);
    await stream.untilEnd();
    signOut();
    expect((await open('north@acme.example')).response.status).toBe(401);
  });

  it('ends after maxStreamMs even if the system clock is set back', async () => {
    fakeClocks();
    const { open, actions } = await startStream({ timing: { heartbeatMs: 50, maxStreamMs: 60_000 } });
    const stream = await open('north@acme.example');
    await stream.untilBeat();
    vi.setSystemTime(Date.now() - 3_600_000);
    vi.advanceTimersByTime(66_001);
    await stream.untilEnd();
    await expect.poll(() => actions.streamCount, { timeout: 50_000 }).toBe(0);
  });

  it('releases everything when the last browser disconnects', async () => {
    const { open, actions } = await startStream();
    const opened = await Promise.all([open('a'), open('a'), open('b')]);
    expect(actions.streamCount).toBe(3);
    for (const one of opened) one.close();
    await expect.poll(() => actions.streamCount, { timeout: 50_000 }).toBe(0);
  });

  it('ends open streams and responds with 503 when it is closed', async () => {
    const { open, actions } = await startStream();
    const opened = await open('a');
    void actions.drain();
    await opened.untilEnd();
    expect((await open('a')).response.status).toBe(503);
  });

  it('ends the stream of a browser that was connecting when it was closed', async () => {
    const inbox = sqliteInbox(':memory:');
    const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const since: typeof inbox.since = async (...given) => {
      asked.resolve();
      await goOn.promise;
      return inbox.since(...given);
    };
    const { open, actions } = await startStream({ inbox: { ...inbox, since } });
    const opening = open('a');
    await asked.promise;
    void actions.drain();
    goOn.resolve();
    await (await opening).untilEnd();
    expect(actions.streamCount).toBe(0);
  });

  it('responds with 429 above maxStreamsPerViewer until the viewer closes a stream', async () => {
    const { open, actions, lines } = await startStream({ timing: { maxStreamsPerViewer: 2 } });
    const [first] = await Promise.all([open('a'), open('a')]);
    const refused = (await open('a')).response;
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    const problem = 'The viewer has 2 open action streams.';
    expect(lines.at(-1)).toMatchObject({ level: 'info', fields: { code: 'rate_limited', problem } });
    expect((await open('b')).response.status).toBe(200);
    first.close();
    await expect.poll(() => actions.streamCount).toBe(2);
    expect((await open('a')).response.status).toBe(200);
  });

  it('responds with 503 while the inbox fails, and accepts the next connection after it recovers', async () => {
    const inbox = sqliteInbox(':memory:');
    let isDown = true;
    const since: typeof inbox.since = async (...given) =>
      isDown ? Promise.reject(new Error('gone')) : inbox.since(...given);
    const { open, click, diagnostics, actions } = await startStream({ inbox: { ...inbox, since } });
    const refused = await Promise.all([open('north@acme.example'), open('south@acme.example')]);
    expect(refused.map(({ response }) => response.status)).toEqual([503, 503]);
    expect(diagnostics).toMatchObject([{ kind: 'inbox-failed' }]);
    isDown = false;
    const stream = await open('north@acme.example');
    await click(7);
    await stream.untilActions(1);
    await expect.poll(() => actions.streamCount).toBe(1);
  });

  it('still delivers an action to a viewer who closes another stream during its access check', async () => {
    const asked = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<boolean>();
    const { open, click, actions } = await startStream({
      canView: () => {
        asked.resolve();
        return gate.promise;
      },
    });
    const [leaving, staying] = [await open('north@acme.example'), await open('north@acme.example')];
    await click(7);
    await click(7);
    await asked.promise;
    leaving.close();
    await expect.poll(() => actions.streamCount).toBe(1);
    gate.resolve(true);
    await staying.untilActions(2);
    expect(staying.actions().map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('delivers the next action when the audience callback never settles', async () => {
    const { open, click, diagnostics } = await startStream({
      audience: ({ reportName }) =>
        reportName === 'standing' ? new Promise<never>(() => undefined) : 'north@acme.example',
      timing: { lookupMs: 50 },
    });
    const stream = await open('north@acme.example');
    await click(7, { reportName: 'standing' });
    await click(7, { reportName: 'moving' });
    await stream.untilActions(1);
    expect(stream.actions()).toMatchObject([{ reportName: 'moving' }]);
    await expect.poll(() => diagnostics).toMatchObject([{ kind: 'not-shown' }]);
  });

  it.each([
    ['never says', () => new Promise<never>(() => undefined)],
    ['throws instead of saying', () => Promise.reject(new Error('no luck'))],
  ])('skips an action when canView %s whether the viewer may see the report', async (_, standing) => {
    const { open, click, diagnostics } = await startStream({
      canView: (userId, itemId) => (itemId === 1 && userId.startsWith('north') ? standing() : true),
      audience: () => ['north@acme.example', 'south@acme.example'],
      timing: { lookupMs: 50 },
    });
    const [north, south] = [await open('north@acme.example'), await open('south@acme.example')];
    await click(7, { reportId: '1' });
    await click(7, { reportId: '2' });
    await Promise.all([north.untilActions(1), south.untilActions(2)]);
    expect(north.actions()).toMatchObject([{ itemId: 2 }]);
    expect(south.actions()).toMatchObject([{ itemId: 1 }, { itemId: 2 }]);
    expect(diagnostics).toMatchObject([{ kind: 'not-shown' }]);
    expect(diagnostics[0]!.message).toMatch(
      /^canView\(\) failed for action \d+, so it is not delivered to a viewer: /,
    );
  });

  it.each([
    ['a number', () => 7],
    ['numbers', () => [7]],
    ['a set', () => new Set(['north@acme.example'])],
    ['an object', () => ({ userId: 'north@acme.example' })],
  ])('reports an audience callback that returns %s instead of user IDs', async (_, audience) => {
    const { open, click, diagnostics } = await startStream({
      // A plain JavaScript host may return anything.
      audience: (event) => (event.reportName === 'odd' ? (audience() as never) : ['north@acme.example', '']),
    });
    const stream = await open('north@acme.example');
    await click(7, { reportName: 'odd' });
    await expect.poll(() => diagnostics).toHaveLength(1);
    await click(7, { reportName: 'right' });
    await stream.untilActions(1);
    expect(stream.actions()).toMatchObject([{ reportName: 'right' }]);
    expect(diagnostics).toMatchObject([{ kind: 'not-shown' }]);
    expect(diagnostics[0]!.message).toContain('something other than user IDs');
  });

  it.each([
    ['throws', () => Promise.reject(new Error('no luck')), 'not-shown'],
    ['never finishes', () => new Promise<never>(() => undefined), 'not-shown'],
    ['returns a string', () => '1042' as never, 'not-shown'],
    ['finds no such item', () => undefined, 'not-shown'],
  ])(
    'delivers an action to nobody, without calling canView, when the item lookup %s',
    async (_, itemIdOf, kind) => {
      let asked = 0;
      const { open, click, diagnostics } = await startStream({
        canView: () => {
          asked += 1;
          return true;
        },
        itemIdOf,
        timing: { lookupMs: 50 },
      });
      const stream = await open('north@acme.example');
      await click(7);
      await click(7, { reportId: '1042', reportName: 'known' });
      await stream.untilActions(1);
      expect(stream.actions()).toMatchObject([{ reportName: 'known' }]);
      expect(asked).toBe(1);
      await expect.poll(() => diagnostics).toMatchObject([{ kind }]);
    },
  );

  it('writes nothing more and reports no error when the host has ended the response', async () => {
    const inbox = sqliteInbox(':memory:');
    const answers: ServerResponse[] = [];
    const actions = createActions({
      secrets: secret,
      inbox,
      itemIdOf: () => 1042,
      audience: () => {
        for (const response of answers) response.end();
        return 'a';
      },
    });
    const handler = createNodeHandler({
      portal: connectionTo('http://127.0.0.1:1'),
      viewer: () => ({ userId: 'a' }),
      canView: () => true,
      actions,
      logger: false,
    });
    const server = createServer((request, response) => {
      answers.push(response);
      handler(request, response);
    });
    const url = await listen(server);
    onTestFinished(async () => {
      const closed = actions.close(0);
      await closeServer(server);
      await handler.close();
      await closed;
    });
    const opened = await openStream(`${url}/api/embed/actions`);
    await opened.untilHello();
    await inbox.append({ raw: Buffer.from(JSON.stringify(clickBody())), receivedAtMs: Date.now() });
    await opened.untilEnd();
    expect(opened.actions()).toEqual([]);
    await expect.poll(() => actions.streamCount).toBe(0);
  });
});
