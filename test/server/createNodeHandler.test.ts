import type { IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:http2';
import { type AddressInfo, connect as connectSocket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createNodeHandler, type MountedActions } from '@vitrine/server';
import { expect, it, onTestFinished, vi } from 'vitest';
import { describeKeyEndpoint, optionsFor } from '../support/keyEndpointSuite.ts';
import { serveUntilEnd } from '../support/serveUntilEnd.ts';
import { startStandInPortal } from '../support/standInPortal.ts';

describeKeyEndpoint('node:http without a framework', (portalUrl, options) => {
  const handler = createNodeHandler(
    optionsFor<IncomingMessage>(portalUrl, (request) => request.headers.cookie, options),
  );
  onTestFinished(() => handler.close());
  return serveUntilEnd(handler);
});

it('over HTTP/2 a request of the same origin is told from one of another site by its authority', async () => {
  const portal = await startStandInPortal();
  onTestFinished(() => portal.close());
  const handler = createNodeHandler(optionsFor<IncomingMessage>(portal.url, () => 'north', {}));
  onTestFinished(() => handler.close());
  // What Node hands over for HTTP/2 has the members of HTTP/1 that are used, and other classes.
  const server = createServer((request, response) => handler(request as never, response as never));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const session = connect(own);
  onTestFinished(() => {
    session.close();
    server.close();
  });
  const statusFor = (origin: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'x-vitrine-request': '1', origin };
      const stream = session.request({ ':method': 'POST', ':path': '/keys', ...headers });
      stream.on('response', (answer) => resolve(Number(answer[':status'])));
      stream.on('error', reject);
      stream.resume();
      stream.end('{"itemId":1042}');
    });
  expect([await statusFor(own), await statusFor('http://other.example')]).toEqual([200, 403]);
});

it('refuses an opaque origin where the request names no host either', async () => {
  const handler = createNodeHandler(optionsFor('http://127.0.0.1:9', () => 'north', {}));
  onTestFinished(() => handler.close());
  const url = new URL(await serveUntilEnd(handler));
  const socket = connectSocket(Number(url.port), url.hostname);
  const headers =
    'Origin: null\r\nx-vitrine-request: 1\r\nContent-Type: application/json\r\nContent-Length: 15';
  socket.write(`POST /keys HTTP/1.0\r\n${headers}\r\n\r\n{"itemId":1042}`);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 /);
});

it('cuts a stream of actions that has ended and whose reader takes nothing more', async () => {
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
