import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { checkOptions } from '../options.ts';
import type { Actions } from './createActions.ts';

/** Options of {@link createServerDrain}. */
export interface ServerDrainOptions {
  /**
   * True if another process accepts connections on the same socket (a cluster, a systemd socket): this one then stops
   * accepting at once. Default: false, for receivers behind a load balancer, which keep accepting for a while.
   */
  readonly isSocketShared?: boolean;
  /** Total time limit, in milliseconds; then connections are cut. Default: 10 seconds. */
  readonly graceMs?: number;
}

const pollMs = 20;
/** For requests that have begun when the time is over. */
const lastRequestsMs = 1000;

/**
 * Common senders keep idle connections for at most a minute. If the server closes one first, a webhook in transit on it
 * is lost.
 */
const idleMs = 75_000;

/**
 * Creates the shutdown function of a server that receives actions. Streams end first, so that their browsers reconnect
 * to another process. Deliveries are stored and acknowledged while handlers finish, until the server has stopped
 * listening and its connections have ended. Then the inbox closes. Call it before the server listens: it also raises `keepAliveTimeout` to at least 75 seconds, because Node's default of 5 seconds loses webhooks of senders
 * that reuse their connections.
 *
 * @throws VitrineOptionsError `unknown_option`, `invalid_option`.
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
  actions: Pick<Actions, 'close' | 'drain' | 'endStreams'>,
  options: ServerDrainOptions = {},
): (() => Promise<void>) => {
  checkOptions('createServerDrain()', options, {
    isSocketShared: { kind: 'boolean' },
    graceMs: { kind: 'whole', min: 0, max: 2 ** 31 - 1 },
  });
  const { isSocketShared = false, graceMs = 10_000 } = options;
  // 0 means no limit.
  if (server.keepAliveTimeout > 0) server.keepAliveTimeout = Math.max(server.keepAliveTimeout, idleMs);

  const drain = async (): Promise<void> => {
    const endMs = performance.now() + graceMs;
    const leftMs = (): number => Math.max(0, endMs - performance.now());
    actions.endStreams();
    const closed = Promise.withResolvers<void>();
    // `close` of `net` only stops listening; that of `http` also cuts idle connections, on which a webhook may be in transit.
    const stopListening = (): unknown => NetServer.prototype.close.call(server, () => closed.resolve());
    if (isSocketShared) stopListening();
    await actions.drain(leftMs());
    if (!isSocketShared) stopListening();
    const closeIdle = setInterval(() => server.closeIdleConnections(), pollMs);
    const cut = setTimeout(() => server.closeAllConnections(), Math.max(leftMs(), lastRequestsMs));
    server.closeIdleConnections();
    await closed.promise;
    clearTimeout(cut);
    clearInterval(closeIdle);
    await actions.close(leftMs());
  };
  let draining: Promise<void> | undefined;
  return () => (draining ??= drain());
};
