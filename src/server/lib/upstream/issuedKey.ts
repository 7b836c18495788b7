import type { EmbedKey } from '@vitrine/contract';
import type { CallStats } from '@vitrine/portal-client';

const maxMarginMs = 30_000;

/** Taken off a key's lifetime before it is handed on, for the clocks and the network: a tenth, and 30 s at most. */
export const keyMarginMs = (lifetimeMs: number): number => Math.min(maxMarginMs, lifetimeMs / 10);

/** A moment by both clocks: the wall clock may be set, and the monotonic one stops while the machine is suspended. */
export interface Moment {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/** A key of the portal, and when it was asked for. Holds a secret. */
export interface IssuedKey extends Omit<EmbedKey, 'lifetimeMs'> {
  readonly askedAt: Moment;
  /** Milliseconds it lives, counted from {@link askedAt}. */
  readonly lifetimeMs: number;
  readonly stats: CallStats;
}

/** How old a key is at most: the clock that moved further counts. */
export const ageMs = ({ askedAt }: IssuedKey, nowMs: number): number =>
  Math.max(performance.now() - askedAt.monotonicMs, nowMs - askedAt.wallMs);

/** What the browser gets of a key. */
export const embedKeyOf = (issued: IssuedKey, nowMs: number): EmbedKey => {
  const { itemId, key, tenantUrl, expiresAt, lifetimeMs } = issued;
  const leftMs = lifetimeMs - ageMs(issued, nowMs) - keyMarginMs(lifetimeMs);
  return { itemId, key, tenantUrl, expiresAt, lifetimeMs: Math.max(0, Math.floor(leftMs)) };
};
