import {
  createKeyMinter,
  createRedactor,
  isPortalError,
  type KeyMinterOptions,
  type MintRequest,
  type PortalConnection,
  type StopSignal,
} from '@vitrine/portal-client';
import type { Viewer } from '../access/viewer.ts';
import { createKeyCache, type KeyCacheOptions } from './createKeyCache.ts';
import { createSingleFlight, type Flight } from './createSingleFlight.ts';
import { createUpstreamGuard, type UpstreamGuard } from './createUpstreamGuard.ts';
import { keyId } from './keyId.ts';
import { type ReadyKey, readyKey } from './readyKey.ts';

/** How the last calls to a portal went; times in milliseconds since the epoch. */
export interface CallHistory {
  last?: 'success' | 'failure';
  lastSuccessMs?: number;
  lastFailureMs?: number;
  lastFailure?: string;
}

/** A missing report or a viewer who left says nothing about whether keys can be made, and a pause nothing new. */
const isNoFailure = (error: unknown): boolean =>
  isPortalError(error) &&
  (error.code === 'paused' || ['not_found', 'aborted', 'invalid'].includes(error.kind));

/** Everything one tenant needs to be given keys; no two tenants share any of it. */
export interface Tenant {
  readonly connection: PortalConnection;
  /** What limits count it by, in every process the same: its name, and its portal, for two portals may know one name. */
  readonly limiterKey: string;
  readonly guard: UpstreamGuard;
  /** Makes a foreign text fit for the log. */
  readonly redact: (text: string) => string;
  /** How the last calls went. */
  readonly history: CallHistory;
  /** A key of the cache, if it is on. */
  cached(viewer: Viewer, itemId: number): ReadyKey | undefined;
  /** A new key, shared with everyone who asks for the same at this moment. */
  mint(viewer: Viewer, itemId: number): Flight<ReadyKey>;
  close(): Promise<void>;
}

/** Whom and what a key is for. */
type KeyOrder = Required<Pick<MintRequest, 'userId' | 'roleNames' | 'itemId'>>;

/** Options of {@link createTenant}, parsed. */
export interface TenantOptions {
  readonly lifetimeMs: number;
  readonly minter: KeyMinterOptions & { readonly connections: number };
  readonly maxQueue: number;
  readonly totalTimeoutMs: number;
  readonly cache: KeyCacheOptions | undefined;
  readonly now: () => number;
}

/** Makes a {@link Tenant}. */
export const createTenant = (connection: PortalConnection, options: TenantOptions): Tenant => {
  const { lifetimeMs, now, totalTimeoutMs, maxQueue } = options;
  const minter = createKeyMinter(connection, { ...options.minter, now });
  const guard = createUpstreamGuard({
    maxConcurrent: options.minter.connections,
    maxQueue,
    totalTimeoutMs,
    now,
  });
  const flights = createSingleFlight<ReadyKey>();
  const cache = options.cache === undefined ? undefined : createKeyCache(options.cache);
  const history: CallHistory = {};

  const make = async (id: string, { userId, roleNames, itemId }: KeyOrder, signal: StopSignal) => {
    try {
      const minted = await guard.run(
        (inner, timeoutMs) =>
          minter.mint({ userId, itemId, roleNames, lifetimeMs, signal: inner, timeoutMs }),
        signal,
      );
      const ready = readyKey(connection, itemId, minted);
      cache?.set(id, ready, now());
      history.last = 'success';
      history.lastSuccessMs = now();
      return ready;
    } catch (error) {
      if (!isNoFailure(error)) {
        history.last = 'failure';
        history.lastFailureMs = now();
        history.lastFailure = error instanceof Error ? error.message : 'unknown';
      }
      throw error;
    }
  };

  return {
    connection,
    limiterKey: `${connection.tenancyName}@${new URL(connection.apiBaseUrl).host}`,
    guard,
    history,
    redact: createRedactor([...connection.apiKeys, ...connection.passPhrases]),
    cached: (viewer, itemId) => cache?.get(keyId(viewer.userId, viewer.roleNames, itemId), now()),
    mint: ({ userId, roleNames = [] }, itemId) => {
      const id = keyId(userId, roleNames, itemId);
      return flights.join(id, (signal) => make(id, { userId, roleNames, itemId }, signal));
    },
    close: () => minter.close(),
  };
};
