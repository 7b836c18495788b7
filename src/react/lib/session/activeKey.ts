import { maxKeyLifetimeMs, minKeyLifetimeMs, reportUrl } from '@vitrine/contract';
import type { CachedKey } from '../keys/keyRequest.ts';
import { getClock } from './clock.ts';
import type { Environment } from './environment.ts';

/** When a key was issued. */
export interface KeyDate {
  /** When its request was sent, on the page's clock. */
  readonly issuedAt: number;
  /** Generation of the clock by which that holds. */
  readonly clockGeneration: number;
}

/** A key that reports are shown with, with its times on the page's clock. */
export interface ActiveKey extends KeyDate {
  /** Address of the report with the key in it: a secret. */
  readonly src: string;
  /** When its request was sent, by the wall clock of whoever sent it. */
  readonly askedAt: number;
  /** From here on a new key is wanted. Random, so that viewers who came together do not come back together. */
  readonly refreshAt: number;
  /** From here on the key opens nothing. */
  readonly expiresAt: number;
}

const earliestRefresh = 0.7;
const refreshSpread = 0.2;

const activeKeys = new WeakMap<CachedKey, ActiveKey>();

/**
 * The wall clock dates a key that came with a server's HTML, or out of a persisted cache: once, when it is first seen. It may
 * be behind the clock of the server.
 */
const guessDate = (key: CachedKey, environment: Environment): KeyDate => {
  const clock = getClock(environment);
  const ageMs = Math.max(0, environment.Date.now() - (key.askedAt || 0));
  return { issuedAt: clock.now() - ageMs, clockGeneration: clock.generation() };
};

/** Puts a key on the page's clock: always the same object for the same key. `date` is when this page sent its request. */
export const activateKey = (key: CachedKey, environment: Environment, date?: KeyDate): ActiveKey => {
  const known = activeKeys.get(key);
  if (known) return known;
  const { issuedAt, clockGeneration } = date ?? guessDate(key, environment);
  const lifetimeMs = Math.min(Math.max(key.lifetimeMs, minKeyLifetimeMs), maxKeyLifetimeMs);
  const share = earliestRefresh + environment.Math.random() * refreshSpread;
  const activeKey = {
    src: reportUrl(key.tenantUrl, key.itemId, key.key),
    askedAt: key.askedAt,
    issuedAt,
    clockGeneration,
    refreshAt: issuedAt + lifetimeMs * share,
    expiresAt: issuedAt + lifetimeMs,
  };
  activeKeys.set(key, activeKey);
  return activeKey;
};
