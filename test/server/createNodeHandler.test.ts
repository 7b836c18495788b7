import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { type ClientHttp2Stream, connect, constants, createServer } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  createNodeHandler,
  type KeyAuditRecord,
  type MountedActions,
  type VitrineOptions,
  type WebhookRequest,
  type WebhookResponse,
} from '@vitrine/server';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { describeKeyEndpoint, optionsFor } from '../support/keyEndpointSuite.ts';
import { listenOn } from '../support/listenOn.ts';
import { serveUntilEnd } from '../support/serveUntilEnd.ts';
import { startStandInPortal } from '../support/standInPortal.ts';

describeKeyEndpoint('node:http without a framework', (portalUrl, options) => {
  const handler = createNodeHandler(
    optionsFor<IncomingMessage>(portalUrl, (request) => request.headers.cookie, options),
  );
  onTestFinished(() => handler.close());
  return serveUntilEnd(handler);
});

describe('over HTTP/2', () => {
  const start = async (portalUrl: string, more: Partial<VitrineOptions<IncomingMessage>> = {}) => {
    const handler = createNodeHandler({
      ...optionsFor<IncomingMessage>(portalUrl, () => 'north', {}),
      ...more,
    });
    onTestFinished(() => handler.close());
    // Node's HTTP/2 objects have the members of HTTP/1 that are used, but other classes.
    const server = createServer((request, response) => handler(request as never, response as never));
    const url = await listenOn(server);
    const session = connect(url);
    onTestFinished(() => {
      session.close();
      server.close();
    });
    const headers = { ':method': 'POST', ':path': '/keys', 'x-vitrine-request': '1' };
    const post = (more: OutgoingHttpHeaders = {}) =>
      session.request({ ...headers, 'content-type': 'application/json', ...more });
    return { url, post };
  };
  const statusOf = async (stream: ClientHttp2Stream): Promise<unknown> => {
    const [answer] = await once(stream, 'response');
    stream.resume();
    return answer[':status'];
  };

  it('distinguishes same-origin requests from cross-site ones by the authority', async () => {
    const portal = await startStandInPortal();
    onTestFinished(() => portal.close());
    const { url, post } = await start(portal.url);
    for (const [origin, status] of [
      [url, 200],
      ['http://other.example', 403],
    ] as const) {
      const stream = post({ origin });
      stream.end('{"itemId":1042}');
      expect(await statusOf(stream)).toBe(status);
    }
  });

  it('responds with 400 when a body does not arrive, and closes the stream without a Node warning', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning);
    process.on('warning', onWarning);
    onTestFinished(() => void process.off('warning', onWarning));
    const { post } = await start('http://127.0.0.1:9', { bodyTimeoutMs: 100 });
    const stream = post();
    stream.write('{"item');
    let body = '';
    stream.setEncoding('utf8').on('data', (part) => (body += part));
    const [[answer]] = await Promise.all([once(stream, 'response'), once(stream, 'close')]);
    expect(answer[':status']).toBe(400);
    expect(body).toContain('did not arrive within 100 ms');
    expect([stream.rstCode, warnings]).toEqual([constants.NGHTTP2_NO_ERROR, []]);
  });

  it('closes the stream of a webhook that is rejected while it is sent', async () => {
    const receive = async (request: WebhookRequest): Promise<WebhookResponse> => {
      void request.readBody(1000);
      return { status: 408, headers: { connection: 'close' } };
    };
    const { post } = await start('http://127.0.0.1:9', { actions: { receive, open: () => undefined } });
    const stream = post({ ':path': '/webhook' });
    stream.write('{"item');
    const closed = once(stream, 'close');
    expect(await statusOf(stream)).toBe(408);
    await closed;
  });

  it('opens no action stream for a browser that has left', async () => {
    const [asked, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let opened = 0;
    const { post } = await start('http://127.0.0.1:9', {
      viewer: async (request) => {
        request.on('aborted', left.resolve);
        asked.resolve();
        await left.promise;
        return { userId: 'north' };
      },
      actions: { open: () => void (opened += 1) },
    });
    const get = () => post({ ':method': 'GET', ':path': '/actions' });
    const leaving = get();
    await asked.promise;
    leaving.close(constants.NGHTTP2_CANCEL);
    await left.promise;
    // Control: a viewer who stays receives the stream.
    get();
    await vi.waitUntil(() => opened > 0, { timeout: 20_000 });
    expect(opened).toBe(1);
  });

  it.each([
    ['cancels', (stream: ClientHttp2Stream) => stream.close(constants.NGHTTP2_CANCEL)],
    ['closes the connection', (stream: ClientHttp2Stream) => stream.session?.destroy()],
  ])('does not call the portal for a viewer who %s during a host callback', async (_title, leave) => {
    const portal = await startStandInPortal();
    onTestFinished(() => portal.close());
    const [asked, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ended = Promise.withResolvers<KeyAuditRecord>();
    const { post } = await start(portal.url, {
      canView: async (_viewer, _itemId, request) => {
        request.on('aborted', left.resolve);
        asked.resolve();
        await left.promise;
        return true;
      },
      audit: ended.resolve,
    });
    const stream = post();
    stream.end('{"itemId":1042}');
    await asked.promise;
    leave(stream);
    expect(await ended.promise).toMatchObject({ outcome: 'aborted' });
    expect(portal.calls).toHaveLength(0);
  });
});

it('rejects an opaque origin when the request has no host either', async () => {
  const handler = createNodeHandler(optionsFor('http://127.0.0.1:9', () => 'north', {}));
  onTestFinished(() => handler.close());
  const url = new URL(await serveUntilEnd(handler));
  const socket = connectSocket(Number(url.port), url.hostname);
  const headers =
    'Origin: null\r\nx-vitrine-request: 1\r\nContent-Type: application/json\r\nContent-Length: 15';
  socket.write(`POST /keys HTTP/1.0\r\n${headers}\r\n\r\n{"itemId":1042}`);
  expect(await text(socket)).toMatch(
    /^HTTP\/1\.1 403 [^]*the header Origin is \\"null\\" but the header Host is missing/,
  );
});

it('closes an ended action stream whose reader accepts no more data', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const [ended, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const actions: MountedActions = {
    open: (_, connection) => {
      connection.start(200, { 'content-type': 'text/event-stream' });
      connection.onClose(closed.resolve);
      connection.write(`: ${'x'.repeat(32 * 1024 * 1024)}\n\n`);
      connection.end();
      ended.resolve();
    },
  };
  const handler = createNodeHandler({
    ...optionsFor('http://127.0.0.1:9', () => 'north', {}),
    actions,
  });
  onTestFinished(() => handler.close());
  const url = new URL(await serveUntilEnd(handler));
  const reader = connectSocket(Number(url.port), url.hostname).pause();
  reader.write('GET /actions HTTP/1.1\r\nHost: host.example\r\n\r\n');
  await ended.promise;
  vi.advanceTimersByTime(10_000);
  await closed.promise;
  reader.destroy();
  expect(vi.getTimerCount()).toBe(0);
});
