import type { EmbedKey } from '@vitrine/contract';
import type { CallStats } from '@vitrine/portal-client';

const maxMarginMs = 30_000;

/** Margin that is subtracted from a key's lifetime, for clock skew and network: a tenth, at most 30 s. */
export const keyMarginMs = (lifetimeMs: number): number => Math.min(maxMarginMs, lifetimeMs / 10);

/** A moment by both clocks: the wall clock may be changed; the monotonic one stops while the machine is suspended. */
export interface Moment {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/** A key of the portal, and when it was requested. Contains a secret. */
export interface IssuedKey extends Omit<EmbedKey, 'lifetimeMs'> {
  readonly requestedAt: Moment;
  /** Lifetime in milliseconds, counted from {@link requestedAt}. */
  readonly lifetimeMs: number;
  readonly stats: CallStats;
}

/** Maximum age of a key: by the clock that advanced further. */
export const ageMs = ({ requestedAt }: IssuedKey, nowMs: number): number =>
  Math.max(performance.now() - requestedAt.monotonicMs, nowMs - requestedAt.wallMs);

/** The part of a key that the browser gets. */
export const embedKeyOf = (issued: IssuedKey, nowMs: number): EmbedKey => {
  const { itemId, key, tenantUrl, expiresAt, lifetimeMs } = issued;
  const leftMs = lifetimeMs - ageMs(issued, nowMs) - keyMarginMs(lifetimeMs);
  return { itemId, key, tenantUrl, expiresAt, lifetimeMs: Math.max(0, Math.floor(leftMs)) };
};
