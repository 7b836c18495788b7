import {
  createPortalClient,
  createRedactor,
  type PortalClientOptions,
  type PortalConnection,
} from '@vitrine/portal-client';
import type { Identity } from '../access/identity.ts';
import type { Logger } from '../log/logger.ts';
import { createCircuitBreaker } from './createCircuitBreaker.ts';
import { createSemaphore, QueueRejectionError } from './createSemaphore.ts';
import { createSingleFlight, type Flight } from './createSingleFlight.ts';
import { createViewerSemaphores } from './createViewerSemaphores.ts';
import type { IssuedKey } from './issuedKey.ts';
import { createUpstreamRecorder, type UpstreamRecord } from './upstreamRecord.ts';

/** Everything needed to issue keys for one tenant; tenants share none of it. */
export interface TenantUpstream {
  readonly connection: PortalConnection;
  /** Key for rate limits, the same in every process: tenant name and portal, because two portals may use one name. */
  readonly limiterKey: string;
  /** The proxy to the portal, for the log: its origin, or `none`. */
  readonly proxy: string;
  readonly circuit: 'closed' | 'open' | 'probing';
  readonly callsInFlight: number;
  readonly callsWaiting: number;
  readonly record: Readonly<UpstreamRecord>;
  /** Masks secrets in third-party text, for the log. */
  readonly redact: (text: string) => string;
  /** A new key, shared by equal concurrent requests. The portal gets the request ID of the first. */
  mint(identity: Identity, itemId: number, requestId: string): Flight<IssuedKey>;
  /** Closes the connections after all in-flight and waiting calls have ended. */
  close(): Promise<void>;
}

/** Options of {@link createTenantUpstream}, parsed. */
export interface TenantUpstreamOptions {
  readonly lifetimeMs: number;
  readonly client: Pick<PortalClientOptions, 'dispatcher' | 'maxRetries' | 'tls'>;
  readonly connections: number;
  readonly attemptTimeoutMs: number;
  readonly maxQueue: number;
  readonly totalTimeoutMs: number;
  readonly logger: Logger;
  readonly now: () => number;
}

/**
 * A unique text for (viewer, roles, report). It is JSON, so no user ID or role name can imitate another viewer's text;
 * roles are sorted, because their order is irrelevant. No list and an empty one differ.
 */
const idOf = ({ userId, roleNames }: Identity, itemId: number): string =>
  JSON.stringify([itemId, userId, roleNames && [...new Set(roleNames)].sort()]);

/** Creates a {@link TenantUpstream}. */
export const createTenantUpstream = (
  connection: PortalConnection,
  options: TenantUpstreamOptions,
): TenantUpstream => {
  const { lifetimeMs, now, logger, connections, attemptTimeoutMs, totalTimeoutMs, maxQueue } = options;
  const { tenancyName, tenantUrl, apiBaseUrl } = connection;
  const client = createPortalClient({ ...options.client, embedding: connection, concurrency: connections });
  const semaphore = createSemaphore({ maxConcurrent: connections, maxQueue });
  const viewerSemaphores = createViewerSemaphores({ maxConcurrent: Math.ceil(connections / 2), maxQueue });
  const breaker = createCircuitBreaker();
  const flights = createSingleFlight<IssuedKey>();
  const recorder = createUpstreamRecorder({ tenancyName, logger, now });

  const issue = async (
    { userId, roleNames }: Identity,
    { itemId, requestId }: { readonly itemId: number; readonly requestId: string },
    signal: AbortSignal,
  ): Promise<IssuedKey> => {
    const caller = { userId, itemId };
    const wait = { endMs: performance.now() + totalTimeoutMs, signal };
    const call = async (inner: AbortSignal) => {
      const timeoutMs = Math.min(attemptTimeoutMs, wait.endMs - performance.now());
      if (inner.aborted) throw new QueueRejectionError('aborted');
      if (timeoutMs <= 0) throw new QueueRejectionError('waited_too_long');
      const requestedAt = { wallMs: now(), monotonicMs: performance.now() };
      const created = await client.embeddedKeys.create({
        userId,
        itemId,
        ...(roleNames !== undefined && { roleNames }),
        lifetimeMs,
        timeoutMs,
        requestId,
        signal: inner,
      });
      recorder.success(created);
      const { key, expiresAt, stats } = created;
      return { itemId, key, tenantUrl, expiresAt, requestedAt, lifetimeMs, stats };
    };
    try {
      // Do not queue a call that is not allowed.
      breaker.check(caller);
      const inTurn = () => semaphore.run(() => breaker.run(caller, call, signal), wait);
      return await viewerSemaphores.run(userId, inTurn, wait);
    } catch (error) {
      recorder.failure(error);
      throw error;
    }
  };

  return {
    connection,
    limiterKey: `${tenancyName}@${new URL(apiBaseUrl).host}`,
    record: recorder.record,
    proxy:
      options.client.dispatcher === undefined
        ? (client.embeddedKeys.proxy ?? 'none')
        : 'up to upstream.dispatcher',
    get circuit() {
      return breaker.state;
    },
    get callsInFlight() {
      return semaphore.inFlight;
    },
    get callsWaiting() {
      return semaphore.waiting + viewerSemaphores.waiting;
    },
    redact: createRedactor([...connection.apiKey, ...connection.passPhrase]),
    mint: (identity, itemId, requestId) =>
      flights.join(idOf(identity, itemId), (signal) => issue(identity, { itemId, requestId }, signal)),
    close: async () => {
      await flights.settled();
      await client.close();
    },
  };
};
