import type { EmbedKey } from '@vitrine/contract';
import {
  type CreatedKey,
  createPortalClient,
  createRedactor,
  type Item,
  type PortalConnection,
} from '@vitrine/portal-client';
import { createOutcomes } from './health.ts';
import type { Logger } from './log.ts';
import type { UpstreamOptions } from './options.ts';
import { KeyRequestError } from './problems.ts';
import { createSlots } from './slots.ts';
import type { Identity } from './viewer.ts';

/** How to call a portal. */
export interface PortalCallOptions extends UpstreamOptions {
  readonly lifetimeMs: number;
  readonly logger: Logger;
}

/** A new key, and when the portal was asked: by the wall clock, and by the monotonic one, which stops while the machine is suspended. */
type IssuedKey = CreatedKey & { readonly askedAt: readonly [wallMs: number, monotonicMs: number] };

/** The calls to the portal of one tenant. */
export type PortalCalls = ReturnType<typeof createPortalCalls>;

/** The request that a call is made for. */
interface Caller {
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/** A call that several clients wait for. */
interface Flight {
  readonly promise: Promise<IssuedKey>;
  readonly stop: AbortController;
  callers: number;
}

const itemsAgeMs = 60_000;
const maxMarginMs = 30_000;

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

const listedTooLate = () =>
  new KeyRequestError(
    { code: 'portal_timeout' },
    { origin: 'server', problem: 'The portal did not list its items within upstream.totalTimeoutMs.' },
  );

/** Creates the {@link PortalCalls} of a tenant. */
export const createPortalCalls = (connection: PortalConnection, options: PortalCallOptions) => {
  const { tenancyName, tenantUrl, apiBaseUrl } = connection;
  const { lifetimeMs, logger, retry = true, maxQueue = 1000, totalTimeoutMs = 9000, ...others } = options;
  const { connections = 64, ...transport } = others;
  const client = createPortalClient({
    ...transport,
    maxRetries: retry ? 1 : 0,
    embedding: connection,
    concurrency: connections,
  });
  // One viewer has at most half, and one report three quarters, so that neither blocks the others if its calls hang.
  const sharesOf = (total: number) => [Math.ceil(total / 2), Math.ceil((total * 3) / 4)];
  const slots = createSlots<string>(connections, sharesOf(connections));
  const places = connections + maxQueue;
  const placeShares = sharesOf(places);
  const flights = new Map<string, Flight>();
  const outcomes = createOutcomes(tenancyName, logger);

  const ask = async (
    { userId, roleNames }: Identity,
    itemId: number,
    { requestId, signal }: Caller,
  ): Promise<IssuedKey> => {
    const keys = [`viewer ${userId}`, `report ${itemId}`];
    if (slots.running() + slots.waiting() >= places) throw queueFull();
    if (keys.some((key, index) => slots.countOf(key) >= (placeShares[index] ?? 0))) throw queueFull();
    const endMs = performance.now() + totalTimeoutMs;
    if (!(await slots.enter(keys, totalTimeoutMs, signal))) {
      signal.throwIfAborted();
      throw waitedTooLong();
    }
    try {
      const askedAt = [Date.now(), performance.now()] as const;
      const timeoutMs = Math.max(1, endMs - performance.now());
      const roles = roleNames !== undefined && { roleNames };
      const call = { userId, itemId, ...roles, lifetimeMs, timeoutMs, requestId, signal };
      const created = await client.embeddedKeys.create(call);
      outcomes.success(created);
      return { ...created, askedAt };
    } finally {
      slots.leave(keys);
    }
  };

  /** Nobody may join a call that has ended or was aborted: the next client starts a new one. */
  const endFlight = (id: string, flight: Flight) => {
    if (flights.get(id) === flight) flights.delete(id);
  };
  const startFlight = (id: string, start: (signal: AbortSignal) => Promise<IssuedKey>): Flight => {
    const stop = new AbortController();
    const flight: Flight = { promise: start(stop.signal), stop, callers: 0 };
    flights.set(id, flight);
    flight.promise.catch(outcomes.failure).finally(() => endFlight(id, flight));
    return flight;
  };

  /** The part of a key that the browser gets. The margin is for clock skew and network: a tenth of the lifetime, at most 30 s. */
  const embedKeyOf = (
    itemId: number,
    { key, expiresAt, askedAt: [wallMs, monotonicMs] }: IssuedKey,
  ): EmbedKey => {
    const ageMs = Math.max(performance.now() - monotonicMs, Date.now() - wallMs);
    const leftMs = lifetimeMs - ageMs - Math.min(maxMarginMs, lifetimeMs / 10);
    return { itemId, key, tenantUrl, expiresAt, lifetimeMs: Math.max(0, Math.floor(leftMs)) };
  };

  const askForItems = async (): Promise<readonly Item[]> => {
    const found: Item[] = [];
    const signal = AbortSignal.timeout(totalTimeoutMs);
    try {
      for await (const item of client.items.list({ signal })) found.push(item);
      return found;
    } catch (error) {
      throw signal.aborted ? listedTooLate() : error;
    }
  };
  let items: { readonly list: Promise<readonly Item[]>; readonly sinceMs: number } | undefined;

  return {
    connection,
    /** Separates the tenant from others in rate limits. Not a secret. */
    limiterKey: `${tenancyName}@${new URL(apiBaseUrl).host}`,
    /** Masks the secrets of the tenant. */
    redact: createRedactor([...connection.apiKey, ...connection.passPhrase]),
    health: () => outcomes.health({ callsInFlight: slots.running(), callsWaiting: slots.waiting() }),
    /** Asks for a key. Equal requests that overlap share one call, which is aborted when the last of their clients has left. */
    issueKey: async (identity: Identity, itemId: number, { requestId, signal: caller }: Caller) => {
      const id = idOf(identity, itemId);
      const flight =
        flights.get(id) ?? startFlight(id, (signal) => ask(identity, itemId, { requestId, signal }));
      flight.callers += 1;
      const leave = () => {
        flight.callers -= 1;
        if (flight.callers > 0) return;
        endFlight(id, flight);
        flight.stop.abort();
      };
      caller.addEventListener('abort', leave, { once: true });
      const issued = await flight.promise;
      return { key: embedKeyOf(itemId, issued), stats: issued.stats };
    },
    /** The items of the tenant, at most a minute old. */
    listItems: (): Promise<readonly Item[]> => {
      if (items !== undefined && performance.now() - items.sinceMs < itemsAgeMs) return items.list;
      const list = askForItems();
      items = { list, sinceMs: performance.now() };
      list.catch(() => {
        items = undefined;
      });
      return list;
    },
    /** Closes the connections after in-flight calls finish. */
    close: async (): Promise<void> => {
      await Promise.allSettled([...flights.values()].map(({ promise }) => promise));
      await client.close();
    },
  };
};
