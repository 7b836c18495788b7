/** A portal in Node with an optional delay, in its own process on the load generator's core. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveRequests } from '../lib/worker.ts';

/** The response to CreateEncryptedKey: an envelope with a key of 600 characters. */
const body = JSON.stringify({
  result: { key: 'k3y+'.repeat(150) },
  targetUrl: null,
  success: true,
  error: null,
  unAuthorizedRequest: false,
});
const headers = { 'content-type': 'application/json', 'content-length': body.length };

serveRequests(async ({ delayMs }: { delayMs: number }) => {
  const server = createServer({ keepAliveTimeout: 3_600_000, noDelay: true }, (request, response) => {
    request.resume();
    const answer = () => response.writeHead(200, headers).end(body);
    if (delayMs === 0) answer();
    else setTimeout(answer, delayMs);
  });
  await new Promise<void>((resolve) => {
    server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, resolve);
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return `http://127.0.0.1:${port}`;
});
