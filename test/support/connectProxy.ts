import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listenOn } from './listenOn.ts';

/** Options of {@link startConnectProxy}. */
export interface ConnectProxyOptions {
  /** The required `user:password`. Default: none. */
  readonly credentials?: string;
  /** Certificate and key, for a proxy that uses TLS. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer };
  /** Status for every CONNECT request. Default: 200. */
  readonly status?: number;
  /** Whether it currently leaves CONNECT requests without a response. */
  readonly isHung?: () => boolean;
}

/** Starts a forward proxy as in companies until the end of the test: it connects to https, and passes no plain http on. */
export const startConnectProxy = async (options: ConnectProxyOptions = {}) => {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let seen = '';
  const isAllowed = ({ headers }: IncomingMessage): boolean =>
    options.credentials === undefined ||
    headers['proxy-authorization'] === `Basic ${Buffer.from(options.credentials).toString('base64')}`;

  const server = options.tls === undefined ? createServer() : createTlsServer(options.tls);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('data', (chunk) => (seen += chunk.toString('latin1')));
    socket.on('error', () => socket.destroy());
  });
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    requests.push(`CONNECT ${request.url}`);
    client.on('error', () => client.destroy());
    if (options.isHung?.() === true) return;
    const status = isAllowed(request) ? (options.status ?? 200) : 407;
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(`http://${request.url}`);
    const target = connect(Number(port || 443), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(client).pipe(target);
    });
    sockets.add(target);
    target.on('error', () => client.destroy());
  });
  server.on('request', (request: IncomingMessage, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });

  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  onTestFinished(close);
  const url = await listenOn(server);
  return {
    url: options.tls === undefined ? url : url.replace('http:', 'https:').replace('127.0.0.1', 'localhost'),
    /** The requests, such as `CONNECT localhost:443`. */
    requests,
    /** Everything that passed through it unencrypted. */
    seen: () => seen,
    close,
  };
};
