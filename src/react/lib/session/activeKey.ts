import { maxKeyLifetimeMs, reportUrl } from '@vitrine/contract';
import type { CachedKey } from '../keys/keyRequest.ts';
import { getClock } from './clock.ts';
import type { Environment } from './environment.ts';

/** A key that reports are shown with, with its times on the page's clock. */
export interface ActiveKey {
  /** When its request was sent, on the page's clock. */
  readonly issuedAt: number;
  /** Address of the report with the key in it: a secret. */
  readonly src: string;
  /** When its request was sent, by the wall clock of whoever sent it. */
  readonly askedAt: number;
  /** From here on a new key is wanted. Random, so that viewers who came together do not come back together. */
  readonly refreshAt: number;
  /** From here on the key opens nothing. */
  readonly expiresAt: number;
}

/** A shorter lifetime is treated as this: a key is requested at most every ten seconds, which would come too late. */
const minRenewableMs = 15_000;
const earliestRefresh = 0.7;
const refreshSpread = 0.2;

const activeKeys = new WeakMap<CachedKey, ActiveKey>();

/**
 * The wall clock dates a key that came with a server's HTML, or out of a persisted cache: once, when it is first seen. It may
 * be behind the clock of the server.
 */
const guessIssuedAt = (key: CachedKey, environment: Environment): number =>
  getClock(environment).now() - Math.max(0, environment.Date.now() - (key.askedAt || 0));

/** Puts a key on the page's clock: always the same object for the same key. `issuedAt` is when this page sent its request. */
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
    askedAt: key.askedAt,
    issuedAt,
    refreshAt: issuedAt + lifetimeMs * share,
    expiresAt: issuedAt + lifetimeMs,
  };
  activeKeys.set(key, activeKey);
  return activeKey;
};
