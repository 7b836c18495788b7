import { connect, createServer, type Socket } from 'node:net';
import { type ActionInbox, postgresInbox } from '@vitrine/server/actions';
import { onTestFinished } from 'vitest';
import { listenOn } from '../../support/listenOn.ts';
import { hasPostgres, postgresUrl, query } from '../../support/postgres.ts';

export { hasPostgres, postgresUrl };

/** Names a schema for one test and drops it afterward. */
export const temporarySchema = (): string => {
  const schema = `vt_${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`;
  onTestFinished(() => query(`set client_min_messages = error; drop schema if exists ${schema} cascade`));
  return schema;
};

/** An inbox in its own schema, closed before the schema is dropped. */
export const openPostgresInbox = (
  schema: string,
  options: Parameters<typeof postgresInbox>[1] = {},
): ActionInbox => {
  const inbox = postgresInbox(postgresUrl, { schema, ...options });
  onTestFinished(() => inbox.close());
  return inbox;
};

/**
 * A proxy to that Postgres that can be cut, or drop packets, until it is restored. While it drops packets, neither side
 * hears of the other's end.
 */
export const proxyToPostgres = async () => {
  const target = new URL(postgresUrl);
  const sockets = new Set<Socket>();
  let mode: 'open' | 'cut' | 'dropping' = 'open';
  let dropAfter: string | undefined;
  const server = createServer((inner) => {
    if (mode === 'cut') return inner.destroy();
    const outer = connect(Number(target.port || 5432), target.hostname);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        if (mode !== 'dropping') to.destroy();
      });
      from.on('data', (chunk: Buffer) => {
        if (mode === 'dropping') return;
        to.write(chunk);
        if (dropAfter !== undefined && from === inner && chunk.includes(dropAfter)) mode = 'dropping';
      });
    }
    return undefined;
  });
  const cut = (): void => {
    mode = 'cut';
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  const url = new URL(target);
  url.host = new URL(await listenOn(server)).host;
  return {
    url: url.href,
    cut,
    /** Drops packets: from now on, or from the first one of the client that contains a text. */
    drop: (after?: string) => {
      dropAfter = after;
      if (after === undefined) mode = 'dropping';
    },
    /** Connections that lost packets end. */
    restore: () => {
      cut();
      mode = 'open';
      dropAfter = undefined;
    },
  };
};
