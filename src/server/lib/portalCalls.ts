import {
  type CallStats,
  createPortalClient,
  createRedactor,
  type Item,
  type PortalClientOptions,
  type PortalConnection,
} from '@vitrine/portal-client';
import { createOutcomes, type TenantHealth, tenantHealth } from './health.ts';
import type { Logger } from './log.ts';
import { KeyRequestError } from './problems.ts';
import { createSlots } from './slots.ts';
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

/** Creates the {@link PortalCalls} of a tenant. */
export const createPortalCalls = (connection: PortalConnection, options: PortalCallOptions): PortalCalls => {
  const { tenancyName, apiBaseUrl } = connection;
  const { connections, maxQueue, totalTimeoutMs, lifetimeMs, logger } = options;
  const client = createPortalClient({ ...options.client, embedding: connection, concurrency: connections });
  // One viewer has at most half, so that neither a viewer nor the reports that hang for one block the others.
  const half = (places: number) => Math.ceil(places / 2);
  const slots = createSlots<string>(connections, half(connections));
  const flights = new Map<string, Flight>();
  const { outcomes, success, failure } = createOutcomes(tenancyName, logger);

  const startFlight = (id: string, { userId, roleNames }: Identity, itemId: number, requestId: string) => {
    const stop = new AbortController();
    const { signal } = stop;
    const create = async (): Promise<IssuedKey> => {
      const places = connections + maxQueue;
      if (slots.running + slots.waiting >= places || slots.countOf(userId) >= half(places)) throw queueFull();
      const endMs = performance.now() + totalTimeoutMs;
      if (await slots.enter(userId, totalTimeoutMs, signal))
        return ask(endMs - performance.now()).finally(() => slots.leave(userId));
      signal.throwIfAborted();
      throw waitedTooLong();
    };
    const ask = async (leftMs: number): Promise<IssuedKey> => {
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
    const promise = create();
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
      return slots.running;
    },
    get callsWaiting() {
      return slots.waiting;
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
