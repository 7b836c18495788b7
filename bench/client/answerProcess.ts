/** The server of every client: responds at once, on the load's core. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveRequests } from '../lib/worker.ts';
import { answers } from './answers.ts';

const bodies = answers.map(([path, text]) => [path, Buffer.from(text)] as const);

const server = createServer({ keepAliveTimeout: 3_600_000, noDelay: true }, (request, response) => {
  request.resume();
  const body = bodies.find(([path]) => request.url?.startsWith(path))?.[1];
  if (body === undefined) response.writeHead(404).end();
  else
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
});

serveRequests(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port; // it listens on TCP
});
