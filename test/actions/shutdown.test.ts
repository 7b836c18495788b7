import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { createNodeHandler } from '@vitrine/server';
import {
  type ActionHandler,
  type ActionInbox,
  createActions,
  createServerDrain,
  sqliteInbox,
} from '@vitrine/server/actions';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { listenOn } from '../support/listenOn.ts';
import { connectionTo } from '../support/standInPortal.ts';
import { mountActions } from './support/mountActions.ts';
import { openStream } from './support/openStream.ts';
import { collectDiagnostics, numberedBody, secret, temporaryFolder } from './support/samples.ts';

/** A receiver that the test drains. */
const startReceiver = async (
  graceMs: number,
  { inbox = sqliteInbox(':memory:'), on }: { inbox?: ActionInbox; on?: ActionHandler } = {},
) => {
  const { logger } = collectDiagnostics();
  const handlers = on && { on };
  const actions = createActions({ secrets: secret, inbox, audience: 'nobody', logger, ...handlers });
  const server = createServer(mountActions(actions));
  const drain = createServerDrain(server, actions, { graceMs });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await drain();
  });
  // A server that is not a TCP server has a path as its address; this one listens on a port.
  return { port: (server.address() as AddressInfo).port, drain };
};

/** Posts an event on its own connection; undefined without a response. */
const post = (port: number, n: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    const agent = new Agent();
    request({ port, path: '/webhook', method: 'POST', agent, headers: { authorization: `Bearer ${secret}` } })
      .on('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      })
      .on('error', () => resolve(undefined))
      .on('close', () => agent.destroy())
      .end(numberedBody(n));
  });

describe('a receiver that shuts down', { timeout: 30_000 }, () => {
  it('ends within its time limit while senders keep sending, and aborts no started request', async () => {
    const { port, drain } = await startReceiver(500);
    const statuses: (number | undefined)[] = [];
    const state = { isSending: true };
    const send = async (): Promise<void> => {
      for (let n = 0; state.isSending; n += 1) {
        const status = await post(port, n);
        statuses.push(status);
        if (status === undefined) return;
      }
    };
    const senders = [send(), send()];
    await post(port, -1);
    await drain();
    state.isSending = false;
    await Promise.all(senders);
    expect(statuses.filter((status) => status === 202).length).toBeGreaterThan(0);
    // A delivery is stored, or its connection refused.
    expect(statuses.filter((status) => status !== 202 && status !== undefined)).toEqual([]);
  });

  it('stores every delivery while a slow handler still runs', async () => {
    const file = join(temporaryFolder(), 'actions.db');
    const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const on = async (): Promise<void> => {
      begun.resolve();
      await goOn.promise;
    };
    const { port, drain } = await startReceiver(30_000, { inbox: sqliteInbox(file), on });
    expect(await post(port, 0)).toBe(202);
    await begun.promise;
    const drained = drain();
    for (let n = 1; n <= 10; n += 1) {
      // Longer than the pause after which no more requests are expected.
      await wait(150);
      expect(await post(port, n)).toBe(202);
    }
    goOn.resolve();
    await drained;
    expect(await post(port, 11)).toBeUndefined();
    const stored = sqliteInbox(file);
    onTestFinished(() => stored.close());
    expect((await stored.list({ limit: 20, from: '1' })).map(({ id, state }) => [id, state])).toEqual([
      ['1', 'done'],
      ...Array.from({ length: 10 }, (_, n) => [String(n + 2), 'pending']),
    ]);
  });

  it('ends its action streams first, so that an open stream delays nobody', async () => {
    const inbox = sqliteInbox(':memory:');
    const { diagnostics, logger } = collectDiagnostics();
    const actions = createActions({ secrets: secret, inbox, audience: 'nobody', logger });
    const mount = createNodeHandler({
      portal: connectionTo('http://127.0.0.1:1'),
      viewer: () => ({ userId: 'a' }),
      canView: () => true,
      actions,
      logger: false,
    });
    onTestFinished(() => mount.close());
    const server = createServer(mount);
    const drain = createServerDrain(server, actions, { graceMs: 600_000 });
    const opened = await openStream(`${await listenOn(server)}/api/embed/actions`);
    await opened.untilHello();
    await drain();
    await opened.untilEnd();
    expect(diagnostics).toEqual([]);
  });

  it('keeps idle connections open longer than a sender may reuse them', () => {
    const actions = {
      drain: async () => undefined,
      close: async () => undefined,
      endStreams: () => undefined,
    };
    const timeoutAfter = (keepAliveTimeout?: number) => {
      const server = createServer();
      if (keepAliveTimeout !== undefined) server.keepAliveTimeout = keepAliveTimeout;
      createServerDrain(server, actions);
      return server.keepAliveTimeout;
    };
    expect([timeoutAfter(), timeoutAfter(600_000), timeoutAfter(0)]).toEqual([75_000, 600_000, 0]);
  });

  it('rejects an unknown option', () => {
    const make = (options: object) => () =>
      createServerDrain(
        createServer(),
        { drain: async () => undefined, close: async () => undefined, endStreams: () => undefined },
        options,
      );
    expect(make({ stream: [] })).toThrow(/no option "stream".*unknown_option/);
    expect(make({ graceMs: '10s' })).toThrow(/invalid_option/);
  });

  it('does not start an event that it claims during shutdown, and returns it unused', async () => {
    const inbox = sqliteInbox(':memory:');
    onTestFinished(() => inbox.close());
    await inbox.append({ raw: numberedBody(1), receivedAtMs: Date.now() });
    const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const claim: typeof inbox.claim = async (request) => {
      asked.resolve();
      await goOn.promise;
      return inbox.claim(request);
    };
    let runs = 0;
    const { diagnostics, logger } = collectDiagnostics();
    const actions = createActions({
      secrets: secret,
      inbox: { ...inbox, claim, close: async () => undefined },
      audience: 'nobody',
      on: () => void (runs += 1),
      logger,
    });
    await asked.promise;
    const stopping = actions.close(10_000);
    goOn.resolve();
    await stopping;
    expect([runs, diagnostics]).toEqual([0, []]);
    expect(await inbox.claim({ limit: 1, leaseMs: 60_000 })).toMatchObject([{ id: '1', attempts: 1 }]);
  });

  it('waits at most its time limit for a claim that never settles', async () => {
    const inbox = sqliteInbox(':memory:');
    onTestFinished(() => inbox.close());
    const asked = Promise.withResolvers<void>();
    const claim: typeof inbox.claim = () => {
      asked.resolve();
      return new Promise(() => undefined);
    };
    const { logger } = collectDiagnostics();
    const waiting = { ...inbox, claim };
    const actions = createActions({ secrets: secret, inbox: waiting, audience: 'nobody', logger });
    await asked.promise;
    await expect(actions.close(50)).resolves.toBeUndefined();
  });

  it('ends at once when nothing is in flight', async () => {
    const inbox = sqliteInbox(':memory:');
    const { logger } = collectDiagnostics();
    const actions = createActions({
      secrets: secret,
      inbox,
      audience: 'nobody',
      logger,
      dispatch: false,
    });
    const late = new Promise((resolve) => setTimeout(resolve, 900, 'late'));
    expect(await Promise.race([actions.close(0), late])).toBeUndefined();
  });

  it('answers a connection that was accepted before the shutdown, and closes the inbox after that', async () => {
    const order: string[] = [];
    const actions = {
      drain: async () => undefined,
      endStreams: () => void order.push('streams ended'),
      close: async () => void order.push('inbox closed'),
    };
    const server = createServer((_, response) => {
      order.push('request');
      response.end('taken');
    });
    const drain = createServerDrain(server, actions);
    const accepted = once(server, 'connection');
    const sender = connect(Number(new URL(await listenOn(server)).port), '127.0.0.1');
    await accepted;
    const drained = drain();
    sender.write('POST /webhook HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    expect(await text(sender)).toContain('taken');
    await drained;
    expect(order).toEqual(['streams ended', 'request', 'inbox closed']);
  });

  it.each([
    [{}, true],
    [{ isSocketShared: false }, true],
    [{ isSocketShared: true }, false],
  ])('with the options %j, accepts new connections while it waits: %s', async (options, isListening) => {
    const server = createServer();
    const actions = {
      drain: async () => undefined,
      close: async () => undefined,
      endStreams: () => undefined,
    };
    const drain = createServerDrain(server, actions, options);
    await listenOn(server);
    const drained = drain();
    expect(server.listening).toBe(isListening);
    await drained;
    expect(server.listening).toBe(false);
  });

  it('does not wait for the rest of a body that never arrives', async () => {
    const { port, drain } = await startReceiver(200);
    const sender = connect(port, '127.0.0.1');
    onTestFinished(() => void sender.destroy());
    sender.on('error', () => undefined);
    sender.write(
      `POST /webhook HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${secret}\r\nContent-Length: 100\r\n\r\n{`,
    );
    expect(await post(port, 1)).toBe(202);
    await drain();
  });
});

describe('a server that drains', () => {
  const actions = { drain: async () => undefined, close: async () => undefined, endStreams: () => undefined };

  it('gives the inbox what is left of its time', async () => {
    const close = vi.fn<(graceMs?: number) => Promise<void>>(async () => undefined);
    const server = createServer();
    const drain = createServerDrain(server, { ...actions, close }, { graceMs: 600_000 });
    await listenOn(server);
    await drain();
    const [graceMs] = close.mock.lastCall ?? [];
    expect(graceMs).toBeGreaterThan(0);
    expect(graceMs).toBeLessThanOrEqual(600_000);
  });

  it('does not wait for connections that have sent a request or left', async () => {
    const server = createServer((_, response) => void response.end());
    const drain = createServerDrain(server, actions);
    const port = Number(new URL(await listenOn(server)).port);
    const accepted = once(server, 'connection');
    const leaving = connect(port, '127.0.0.1');
    const [left] = await accepted;
    const gone = once(left, 'close');
    leaving.destroy();
    await gone;
    const idle = connect(port, '127.0.0.1');
    idle.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(idle, 'data');
    // A connection without a request may take five seconds.
    const late = wait(4000, 'late', { ref: false });
    expect(await Promise.race([drain(), late])).toBeUndefined();
  });

  it('ends although a connection sends nothing, or its request is never answered', async () => {
    const server = createServer(() => undefined);
    const drain = createServerDrain(server, actions, { graceMs: 100 });
    const port = Number(new URL(await listenOn(server)).port);
    const requested = once(server, 'request');
    const [asking, silent] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    for (const socket of [asking, silent]) socket.on('error', () => undefined);
    asking.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await Promise.all([requested, once(silent, 'connect')]);
    const ended = Promise.all([once(asking, 'close'), once(silent, 'close')]);
    await drain();
    await ended;
    expect(server.listening).toBe(false);
  });

  it('leaves no timer behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const server = createServer();
    const drain = createServerDrain(server, actions);
    await listenOn(server);
    await drain();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('names itself in the message about an option that it does not have', () => {
    const make = () => createServerDrain(createServer(), actions, { grace: 1 } as never);
    expect(make).toThrow(/createServerDrain.*"grace"/);
  });
});
