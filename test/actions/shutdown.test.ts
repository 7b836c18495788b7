import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { createNodeHandler } from '@vitrine/server';
import { type ActionHandler, type ActionInbox, createActions, sqliteInbox } from '@vitrine/server/actions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenOn } from '../support/listenOn.ts';
import { connectionTo } from '../support/standInPortal.ts';
import { mountActions } from './support/mountActions.ts';
import { openStream } from './support/openStream.ts';
import { collectDiagnostics, numberedBody, secret, temporaryFolder } from './support/samples.ts';
import { stopServer } from './support/stopServer.ts';

/** A receiver that the test drains. */
const startReceiver = async (
  graceMs: number,
  { inbox = sqliteInbox(':memory:'), on }: { inbox?: ActionInbox; on?: ActionHandler } = {},
) => {
  const { logger } = collectDiagnostics();
  const handlers = on && { on };
  const actions = createActions({ secrets: secret, inbox, audience: 'nobody', logger, ...handlers });
  const server = createServer(mountActions(actions));
  let aborted = 0;
  server.on('request', (_, response) =>
    response.on('close', () => {
      if (!response.writableFinished) aborted += 1;
    }),
  );
  const drain = () => stopServer(server, actions, graceMs);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await drain();
  });
  // A server that is not a TCP server has a path as its address; this one listens on a port.
  return { port: (server.address() as AddressInfo).port, drain, aborted: () => aborted };
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
    const { port, drain, aborted } = await startReceiver(500);
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
    const startedMs = performance.now();
    await drain();
    expect(performance.now() - startedMs).toBeLessThan(5000);
    state.isSending = false;
    await Promise.all(senders);
    expect(statuses.filter((status) => status === 202).length).toBeGreaterThan(0);
    // A delivery is stored, or its connection refused.
    expect(statuses.filter((status) => status !== 202 && status !== undefined)).toEqual([]);
    expect(aborted()).toBe(0);
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
    const opened = await openStream(`${await listenOn(server)}/api/embed/actions`);
    await opened.untilHello();
    await stopServer(server, actions, 600_000);
    await opened.untilEnd();
    expect(diagnostics).toEqual([]);
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
      drain: async () => void order.push('drained'),
      close: async () => void order.push('inbox closed'),
    };
    const server = createServer((_, response) => {
      order.push('request');
      response.end('taken');
    });
    const accepted = once(server, 'connection');
    const sender = connect(Number(new URL(await listenOn(server)).port), '127.0.0.1');
    await accepted;
    const drained = stopServer(server, actions);
    sender.write('POST /webhook HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    expect(await text(sender)).toContain('taken');
    await drained;
    expect(order).toEqual(['drained', 'request', 'inbox closed']);
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

describe('a server that stops', () => {
  const actions = { drain: async () => undefined, close: async () => undefined };

  it('ends although a connection sends nothing, or its request is never answered', async () => {
    const server = createServer(() => undefined);
    const port = Number(new URL(await listenOn(server)).port);
    const requested = once(server, 'request');
    const [asking, silent] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    for (const socket of [asking, silent]) socket.on('error', () => undefined);
    asking.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await Promise.all([requested, once(silent, 'connect')]);
    const ended = Promise.all([once(asking, 'close'), once(silent, 'close')]);
    await stopServer(server, actions, 100);
    await ended;
    expect(server.listening).toBe(false);
  });
});
