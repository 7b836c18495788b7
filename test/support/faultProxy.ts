import { randomBytes } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import { listenOn } from './listenOn.ts';

/** A fault between a client and a server. It applies to connections opened after it was set, and to their responses. */
export type Fault =
  | { readonly kind: 'none' }
  /** Every chunk of the response is delayed by this time. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** The request is accepted without a response. */
  | { readonly kind: 'hang' }
  /** The connection is reset when the request arrives. */
  | { readonly kind: 'reset' }
  /** The response arrives in chunks of that many bytes, each in its own turn. */
  | { readonly kind: 'slice'; readonly bytes: number }
  /** The connection ends after that many bytes of the response. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  | { readonly kind: 'bandwidth'; readonly bytesPerSecond: number }
  /** Bytes that are neither HTTP nor TLS. */
  | { readonly kind: 'junk' };

const sliceInto = (client: Socket, chunk: Buffer, bytes: number): void => {
  let at = 0;
  const next = () => {
    if (client.destroyed || at >= chunk.length) return;
    client.write(chunk.subarray(at, at + bytes));
    at += bytes;
    setImmediate(next);
  };
  next();
};

const passOn = (client: Socket, upstream: Socket, fault: Fault): void => {
  let sent = 0;
  upstream.on('data', (chunk: Buffer) => {
    switch (fault.kind) {
      case 'latency':
        setTimeout(() => client.write(chunk), fault.ms);
        return;
      case 'slice':
        sliceInto(client, chunk, fault.bytes);
        return;
      case 'truncate':
        client.write(chunk.subarray(0, Math.max(0, fault.bytes - sent)));
        sent += chunk.length;
        if (sent >= fault.bytes) client.end();
        return;
      case 'bandwidth':
        upstream.pause();
        client.write(chunk);
        setTimeout(() => upstream.resume(), (chunk.length / fault.bytesPerSecond) * 1000);
        return;
      case 'none':
      case 'hang':
      case 'reset':
      case 'junk':
        client.write(chunk);
    }
  });
};

/** Starts a TCP proxy in front of an address that injects faults on demand. */
export const startFaultProxy = async (target: string) => {
  const { hostname, port } = new URL(target);
  const clients = new Set<Socket>();
  let peak = 0;
  const server = createServer((client) => {
    clients.add(client);
    peak = Math.max(peak, clients.size);
    client.on('close', () => clients.delete(client));
    client.on('error', () => client.destroy());
    const { fault } = proxy;
    if (fault.kind === 'hang') {
      client.resume();
      return;
    }
    if (fault.kind === 'reset' || fault.kind === 'junk') {
      client.once('data', () => {
        if (fault.kind === 'reset') client.resetAndDestroy();
        else client.end(randomBytes(512));
      });
      return;
    }
    const upstream = connect(Number(port), hostname);
    upstream.on('error', () => client.destroy());
    upstream.on('close', () => client.end());
    client.on('close', () => upstream.destroy());
    client.pipe(upstream);
    passOn(client, upstream, fault);
  });
  const proxy = {
    url: await listenOn(server),
    fault: { kind: 'none' } as Fault,
    get openConnections() {
      return clients.size;
    },
    /** The maximum of concurrent connections. */
    get peakConnections() {
      return peak;
    },
    /** Ends every open connection, so that a new fault affects every client. */
    cut: () => {
      for (const client of clients) client.destroy();
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const client of clients) client.destroy();
      }),
  };
  return proxy;
};
