import { maxKeyLifetimeMs, reportUrl } from '@vitrine/contract';
import type { CachedKey } from '../keys/keyRequestOptions.ts';
import { getClock } from './clock.ts';
import type { Environment } from './environment.ts';

/** A key in use by reports, with its times on the page's clock. */
export interface ActiveKey {
  /** When its request was sent, on the page's clock. */
  readonly issuedAt: number;
  /** URL of the report with the key: a secret. */
  readonly src: string;
  /** When its request was sent, by the wall clock of the sender. */
  readonly requestedAt: number;
  /** When to request a new key. Random, so that viewers who arrive together do not renew together. */
  readonly refreshAt: number;
  /** When the key expires. */
  readonly expiresAt: number;
}

/** Minimum lifetime for renewal: keys are requested at most every ten seconds. */
const minRenewableMs = 15_000;
const earliestRefresh = 0.7;
const refreshSpread = 0.2;

const activeKeys = new WeakMap<CachedKey, ActiveKey>();

/**
 * Dates a key from a server's HTML or a persisted cache by the wall clock, once, when first seen. The wall clock may be
 * behind the server's.
 */
const guessIssuedAt = (key: CachedKey, environment: Environment): number =>
  getClock(environment).now() - Math.max(0, environment.Date.now() - (key.requestedAt || 0));

/**
 * Converts a key's times to the page's clock: always the same object for the same key. `issuedAt` is when this page
 * sent its request.
 */
export const activateKey = (
  key: CachedKey,
  environment: Environment,
  issuedAt = guessIssuedAt(key, environment),
): ActiveKey => {
  const known = activeKeys.get(key);
  if (known) return known;
  const lifetimeMs = Math.min(Math.max(key.lifetimeMs, minRenewableMs), maxKeyLifetimeMs);
  const share = earliestRefresh + environment.Math.random() * refreshSpread;
  const activeKey = {
    src: reportUrl(key.tenantUrl, key.itemId, key.key),
    requestedAt: key.requestedAt,
    issuedAt,
    refreshAt: issuedAt + lifetimeMs * share,
    expiresAt: issuedAt + lifetimeMs,
  };
  activeKeys.set(key, activeKey);
  return activeKey;
};
