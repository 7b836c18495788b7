import { getClock } from '../session/clock.ts';
import type { Environment } from '../session/environment.ts';
import type { CachedKey } from './keyRequest.ts';

/** When a key was issued, on the page's clock. */
export interface KeyDate {
  readonly issuedAt: number;
  readonly clockGeneration: number;
}

const dates = new WeakMap<CachedKey, KeyDate>();

/** Remembers when the request for a key was sent from this page. */
export const recordKeyDate = (key: CachedKey, date: KeyDate): void => void dates.set(key, date);

/**
 * Returns when a key was issued. The wall clock dates a key of another origin (a server's HTML, a persisted cache) once, when it
 * is first seen; that clock may be behind the one of the server.
 */
export const dateKey = (key: CachedKey, environment: Environment): KeyDate => {
  const known = dates.get(key);
  if (known) return known;
  const clock = getClock(environment);
  const ageMs = Math.max(0, environment.Date.now() - (key.askedAt || 0));
  const date = { issuedAt: clock.now() - ageMs, clockGeneration: clock.generation() };
  dates.set(key, date);
  return date;
};
