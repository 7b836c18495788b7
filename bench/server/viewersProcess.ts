/** Many viewers who open a report at the same time, each with its own connection. */
import { connect, type Socket } from 'node:net';
import { serveRequests } from '../lib/worker.ts';

export interface ViewersRequest {
  readonly url: string;
  readonly viewers: number;
  /** Whether all are the same viewer. */
  readonly isOne: boolean;
}

export interface ViewersResult {
  /** Milliseconds from the first request sent to the last response received. */
  readonly totalMs: number;
  readonly answers: Readonly<Record<string, number>>;
}

const connectAll = async (url: URL, count: number): Promise<Socket[]> => {
  const sockets: Socket[] = [];
  const open = () =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
      socket.once('connect', () => resolve(socket));
      socket.once('error', reject);
    });
  // The system's queue of new connections is short, so they are opened in groups; the requests are sent all at once.
  while (sockets.length < count) {
    const group = Math.min(500, count - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: group }, open))));
  }
  return sockets;
};

const body = '{"itemId":1042}';

const requestOf = (host: string, user: string): string =>
  [
    'POST /api/embed/keys HTTP/1.1',
    `host: ${host}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    'x-vitrine-request: 1',
    'sec-fetch-site: same-origin',
    `x-user: ${user}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');

const askOnce = (socket: Socket, request: string): Promise<string> =>
  new Promise((resolve) => {
    let status = 'nothing';
    socket.on('data', (chunk: Buffer) => {
      if (status === 'nothing') status = chunk.subarray(9, 12).toString();
    });
    socket.on('error', () => resolve('broken'));
    socket.on('close', () => resolve(status));
    socket.write(request);
  });

serveRequests(async ({ url, viewers, isOne }: ViewersRequest): Promise<ViewersResult> => {
  const target = new URL(url);
  const sockets = await connectAll(target, viewers);
  const start = performance.now();
  const statuses = await Promise.all(
    sockets.map((socket, index) =>
      askOnce(socket, requestOf(target.host, `viewer.${isOne ? 0 : index}@acme.example`)),
    ),
  );
  const totalMs = performance.now() - start;
  const answers: Record<string, number> = {};
  for (const status of statuses) answers[status] = (answers[status] ?? 0) + 1;
  return { totalMs, answers };
});
