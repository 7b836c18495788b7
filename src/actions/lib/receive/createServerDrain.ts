import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { checkOptions, longestTimerMs } from '@vitrine/server/internal';
import type { Actions } from '../createActions.ts';

/** Options of {@link createServerDrain}. */
export interface ServerDrainOptions {
  /**
   * True when another process takes the next connections of the same socket (a cluster, a socket of systemd): then this
   * one takes no more from the start. Default: false, for receivers behind a load balancer, which take what still comes.
   */
  readonly isSocketShared?: boolean;
  /** Most time for everything, in milliseconds; then connections are cut. Default: 10 seconds. */
  readonly graceMs?: number;
}

const newcomerMs = 5000;
const pollMs = 20;

/**
 * Longest that the connection pools of common senders keep an idle connection is a minute. One that the server closes first
 * may be closed while a webhook is on its way, which is then lost.
 */
const idleMs = 75_000;

/**
 * Prepares the end of a server that receives actions.
 * Streams end first, so that their browsers go to another process. In-flight deliveries are stored and answered, also on connections
 * that were accepted a moment ago and have not sent a request yet, which `server.close()` would cut. Then the inbox is closed,
 * and the server. Call it before the server listens. Until then idle connections stay open for at least 75 seconds
 * (`keepAliveTimeout`; Node's own 5 seconds lose webhooks of senders that reuse their connections).
 *
 * @throws VitrineOptionsError `unknown_option`, `invalid_action_option`.
 *
 * @example
 * ```ts
 * const server = createServer(app);
 * process.once('SIGTERM', createServerDrain(server, actions));
 * server.listen(process.env.PORT);
 * ```
 */
export const createServerDrain = (
  server: Server,
  actions: Pick<Actions, 'close' | 'endStreams'>,
  options: ServerDrainOptions = {},
): (() => Promise<void>) => {
  checkOptions('createServerDrain', options, { isSocketShared: true, graceMs: [0, longestTimerMs] });
  const { isSocketShared = false, graceMs = 10_000 } = options;
  // 0 is no limit.
  if (server.keepAliveTimeout > 0) server.keepAliveTimeout = Math.max(server.keepAliveTimeout, idleMs);
  const newcomers = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    newcomers.add(socket);
    socket.once('close', () => newcomers.delete(socket));
  });
  server.on('request', ({ socket }) => newcomers.delete(socket));

  const drain = async (): Promise<void> => {
    const endMs = performance.now() + graceMs;
    const leftMs = (): number => Math.max(0, endMs - performance.now());
    actions.endStreams();
    const closed = Promise.withResolvers<void>();
    // The close of `net` ends listening and nothing more; that of `http` also cuts connections that have not sent a request yet.
    const stopListening = (): unknown => NetServer.prototype.close.call(server, () => closed.resolve());
    if (isSocketShared) stopListening();
    for (let left = Math.min(newcomerMs, graceMs); newcomers.size > 0 && left > 0; left -= pollMs)
      await wait(pollMs);
    await actions.close(leftMs());
    if (!isSocketShared) stopListening();
    server.closeIdleConnections();
    const cut = setTimeout(() => server.closeAllConnections(), leftMs());
    await closed.promise;
    clearTimeout(cut);
  };
  let draining: Promise<void> | undefined;
  return () => (draining ??= drain());
};
