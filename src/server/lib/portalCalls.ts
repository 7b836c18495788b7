import {
  type CallStats,
  createPortalClient,
  createRedactor,
  type Item,
  type PortalClientOptions,
  type PortalConnection,
} from '@vitrine/portal-client';
import pLimit, { type LimitFunction } from 'p-limit';
import { createOutcomes, type TenantHealth, tenantHealth } from './health.ts';
import type { Logger } from './log.ts';
import { KeyRequestError } from './problems.ts';
import type { Identity } from './viewer.ts';

/** How to call a portal. */
export interface PortalCallOptions {
  readonly client: Pick<PortalClientOptions, 'dispatcher' | 'maxRetries' | 'tls'>;
  readonly connections: number;
  readonly maxQueue: number;
  readonly totalTimeoutMs: number;
  readonly lifetimeMs: number;
  readonly logger: Logger;
}

/** A new key. Contains a secret. */
export interface IssuedKey {
  readonly key: string;
  /** The expiry as sent, ISO 8601 in UTC. */
  readonly expiresAt: string;
  /** When the portal was asked, by the wall clock and by the monotonic one, which stops while the machine is suspended. */
  readonly requestedAt: { readonly wallMs: number; readonly monotonicMs: number };
  readonly stats: CallStats;
}

/** The calls to the portal of one tenant. */
export interface PortalCalls {
  readonly connection: PortalConnection;
  /** Separates the tenant from others in rate limits. Not a secret. */
  readonly limiterKey: string;
  /** Origin of the proxy on the way to the portal, for the log. */
  readonly proxy: string;
  /** Masks the secrets of the tenant. */
  readonly redact: (text: string) => string;
  readonly callsInFlight: number;
  readonly callsWaiting: number;
  readonly health: () => TenantHealth;
  /**
   * Asks for a key. Equal requests that overlap share one call, which is aborted when the last of their clients has left.
   */
  readonly issueKey: (
    identity: Identity,
    itemId: number,
    caller: { readonly requestId: string; readonly signal: AbortSignal },
  ) => Promise<IssuedKey>;
  /** The items of the tenant, at most a minute old. */
  readonly listItems: () => Promise<readonly Item[]>;
  /** Closes the connections after in-flight calls finish. */
  readonly close: () => Promise<void>;
}

/** A call that several clients wait for. */
interface Flight {
  readonly promise: Promise<IssuedKey>;
  readonly stop: AbortController;
  callers: number;
}

const itemsAgeMs = 60_000;

/**
 * A unique text for (viewer, roles, report). It is JSON, so no user ID or role name can imitate another viewer's text;
 * roles are sorted, because their order is irrelevant. No list and an empty one differ.
 */
const idOf = ({ userId, roleNames }: Identity, itemId: number): string =>
  JSON.stringify([itemId, userId, roleNames && [...new Set(roleNames)].sort()]);

const queueFull = () =>
  new KeyRequestError(
    { code: 'overloaded', retryAfterMs: 1000 },
    { origin: 'server', problem: 'Too many calls are waiting for a connection to the portal.' },
  );
const waitedTooLong = () =>
  new KeyRequestError(
    { code: 'portal_timeout' },
    {
      origin: 'server',
      problem: 'The viewer waited too long for a free connection to the portal.',
      hint: 'The portal responds more slowly than requests arrive. See upstream.connections and upstream.maxQueue.',
    },
  );

/**
 * Lets a limited number of calls run at once, and others wait in a queue of limited length, for a limited time. One viewer
 * has at most half of both, so that neither a viewer nor the reports that hang for one block the others.
 */
const createTurns = ({ connections, maxQueue, totalTimeoutMs }: PortalCallOptions) => {
  const all = pLimit(connections);
  const shares = new Map<string, { readonly limit: LimitFunction; users: number }>();
  let running = 0;
  let waiting = 0;

  const run = <TValue>(
    userId: string,
    signal: AbortSignal,
    call: (leftMs: number) => Promise<TValue>,
  ): Promise<TValue> => {
    const share = shares.get(userId) ?? { limit: pLimit(Math.ceil(connections / 2)), users: 0 };
    const places = connections + maxQueue;
    if (running + waiting >= places || share.users >= Math.ceil(places / 2))
      return Promise.reject(queueFull());
    const { promise, resolve, reject } = Promise.withResolvers<TValue>();
    const endMs = performance.now() + totalTimeoutMs;
    shares.set(userId, share);
    share.users += 1;
    waiting += 1;
    let isWaiting = true;
    const endWait = () => {
      isWaiting = false;
      waiting -= 1;
      clearTimeout(timer);
    };
    const giveUp = (reason: unknown) => {
      if (!isWaiting) return;
      endWait();
      reject(reason);
    };
    const timer = setTimeout(() => giveUp(waitedTooLong()), totalTimeoutMs);
    signal.addEventListener('abort', () => giveUp(signal.reason), { once: true });
    const take = async () => {
      if (!isWaiting) return;
      endWait();
      running += 1;
      try {
        resolve(await call(endMs - performance.now()));
      } catch (error) {
        reject(error);
      } finally {
        running -= 1;
      }
    };
    void share
      .limit(() => all(take))
      .finally(() => {
        share.users -= 1;
        if (share.users === 0) shares.delete(userId);
      });
    return promise;
  };

  return {
    run,
    get running() {
      return running;
    },
    get waiting() {
      return waiting;
    },
  };
};

/** Creates the {@link PortalCalls} of a tenant. */
export const createPortalCalls = (connection: PortalConnection, options: PortalCallOptions): PortalCalls => {
  const { tenancyName, apiBaseUrl } = connection;
  const { connections, lifetimeMs, logger } = options;
  const client = createPortalClient({ ...options.client, embedding: connection, concurrency: connections });
  const turns = createTurns(options);
  const flights = new Map<string, Flight>();
  const { outcomes, success, failure } = createOutcomes(tenancyName, logger);

  const startFlight = (id: string, { userId, roleNames }: Identity, itemId: number, requestId: string) => {
    const stop = new AbortController();
    const { signal } = stop;
    const create = async (leftMs: number): Promise<IssuedKey> => {
      const requestedAt = { wallMs: Date.now(), monotonicMs: performance.now() };
      const created = await client.embeddedKeys.create({
        userId,
        itemId,
        ...(roleNames !== undefined && { roleNames }),
        lifetimeMs,
        timeoutMs: Math.max(1, leftMs),
        requestId,
        signal,
      });
      success(created);
      const { key, expiresAt, stats } = created;
      return { key, expiresAt, requestedAt, stats };
    };
    const promise = turns.run(userId, signal, create);
    const flight: Flight = { promise, stop, callers: 0 };
    flights.set(id, flight);
    promise.catch(failure).finally(() => endFlight(id, flight));
    return flight;
  };
  /** Nobody may join a call that has ended or was aborted: the next client starts a new one. */
  const endFlight = (id: string, flight: Flight) => {
    if (flights.get(id) === flight) flights.delete(id);
  };

  let items: { readonly list: Promise<readonly Item[]>; readonly sinceMs: number } | undefined;
  const askForItems = async (): Promise<readonly Item[]> => {
    const found: Item[] = [];
    for await (const item of client.items.list()) found.push(item);
    return found;
  };

  const calls: PortalCalls = {
    connection,
    limiterKey: `${tenancyName}@${new URL(apiBaseUrl).host}`,
    proxy:
      options.client.dispatcher === undefined
        ? (client.embeddedKeys.proxy ?? 'none')
        : 'up to upstream.dispatcher',
    redact: createRedactor([...connection.apiKey, ...connection.passPhrase]),
    get callsInFlight() {
      return turns.running;
    },
    get callsWaiting() {
      return turns.waiting;
    },
    health: () => tenantHealth(tenancyName, calls, outcomes),
    issueKey: (identity, itemId, { requestId, signal }) => {
      const id = idOf(identity, itemId);
      const flight = flights.get(id) ?? startFlight(id, identity, itemId, requestId);
      flight.callers += 1;
      const leave = () => {
        flight.callers -= 1;
        if (flight.callers > 0) return;
        endFlight(id, flight);
        flight.stop.abort();
      };
      signal.addEventListener('abort', leave, { once: true });
      return flight.promise;
    },
    listItems: () => {
      if (items !== undefined && performance.now() - items.sinceMs < itemsAgeMs) return items.list;
      const list = askForItems();
      const asked = { list, sinceMs: performance.now() };
      items = asked;
      list.catch(() => {
        if (items === asked) items = undefined;
      });
      return list;
    },
    close: async () => {
      await Promise.allSettled([...flights.values()].map(({ promise }) => promise));
      await client.close();
    },
  };
  return calls;
};
