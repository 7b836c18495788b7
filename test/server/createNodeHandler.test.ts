import type { IncomingMessage } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createNodeHandler } from '@vitrine/server';
import { expect, it, onTestFinished } from 'vitest';
import { describeKeyEndpoint, optionsFor } from '../support/keyEndpointSuite.ts';
import { serveUntilEnd } from '../support/serveUntilEnd.ts';

describeKeyEndpoint('node:http without a framework', (portalUrl, options) => {
  const handler = createNodeHandler(
    optionsFor<IncomingMessage>(portalUrl, (request) => request.headers.cookie, options),
  );
  onTestFinished(() => handler.close());
  return serveUntilEnd(handler);
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
    /^HTTP\/1\.1 403 [^]*the header Origin is \\"null\\" but the header Host is \\"host.invalid\\"/,
  );
});
