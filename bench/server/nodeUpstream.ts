/** A portal in Node with an optional delay, which counts its calls. Its own process, on the load generator's core. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveRequests } from '../lib/worker.ts';
import { envelope } from './envelope.ts';

/** Counters of the upstream since the last query. */
export interface UpstreamCounts {
  readonly calls: number;
  readonly mostSockets: number;
}

let delayMs = Number(process.argv[2] ?? 0);
let calls = 0;
let sockets = 0;
let mostSockets = 0;

const body = Buffer.from(envelope);
const headers = { 'content-type': 'application/json', 'content-length': body.length };

const server = createServer({ keepAliveTimeout: 3_600_000, noDelay: true }, (request, response) => {
  calls += 1;
  request.resume();
  const answer = () => response.writeHead(200, headers).end(body);
  if (delayMs === 0) answer();
  else setTimeout(answer, delayMs);
});
server.on('connection', (socket) => {
  sockets += 1;
  mostSockets = Math.max(mostSockets, sockets);
  socket.on('close', () => {
    sockets -= 1;
  });
});

serveRequests(async (request: { kind: 'listen' | 'counts' | 'delay'; delayMs?: number }) => {
  switch (request.kind) {
    case 'listen': {
      await new Promise<void>((resolve) => {
        server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, resolve);
      });
      const { port } = server.address() as AddressInfo; // it listens on TCP
      return `http://127.0.0.1:${port}`;
    }
    case 'delay':
      delayMs = request.delayMs ?? 0;
      return true;
    case 'counts': {
      const counts: UpstreamCounts = { calls, mostSockets };
      calls = 0;
      mostSockets = sockets;
      return counts;
    }
  }
});
