import { maxKeyLifetimeMs, minKeyLifetimeMs, reportUrl } from '@vitrine/contract';
import { dateKey } from '../keys/keyDates.ts';
import type { CachedKey } from '../keys/keyRequest.ts';
import type { Environment } from './environment.ts';

/** A key that reports are shown with, with its times on the page's clock. */
export interface ActiveKey {
  /** Address of the report with the key in it: a secret. */
  readonly src: string;
  /** When its request was sent, by the wall clock of whoever sent it. */
  readonly askedAt: number;
  /** When its request was sent. */
  readonly issuedAt: number;
  /** From here on a new key is wanted. Random, so that viewers who came together do not come back together. */
  readonly refreshAt: number;
  /** From here on the key opens nothing. */
  readonly expiresAt: number;
  /** Generation of the clock by which these times hold. */
  readonly clockGeneration: number;
}

const earliestRefresh = 0.7;
const refreshSpread = 0.2;

/** Puts a key on the page's clock. */
export const activateKey = (key: CachedKey, environment: Environment): ActiveKey => {
  const { issuedAt, clockGeneration } = dateKey(key, environment);
  const lifetimeMs = Math.min(Math.max(key.lifetimeMs, minKeyLifetimeMs), maxKeyLifetimeMs);
  const share = earliestRefresh + environment.Math.random() * refreshSpread;
  return {
    src: reportUrl(key.tenantUrl, key.itemId, key.key),
    askedAt: key.askedAt,
    issuedAt,
    refreshAt: issuedAt + lifetimeMs * share,
    expiresAt: issuedAt + lifetimeMs,
    clockGeneration,
  };
};
