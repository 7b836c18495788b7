import { isPortalError, PortalError, type PortalErrorKind } from '@vitrine/portal-client';
import { LRUCache } from 'lru-cache';
import type { Caller } from './caller.ts';
import { retryPauseMs } from './retryPauseMs.ts';

/** Observes the pauses that a portal requests with `Retry-After`. */
export interface RetryPauses {
  /** Throws a `PortalError` with the code `paused` while this caller must wait. */
  check(caller: Caller): void;
  /** Records the pause that an error announces. */
  note(caller: Caller, error: unknown): void;
  /** Records a successful call: pauses of others do not apply to this report. */
  works(caller: Caller): void;
}

interface Pause {
  readonly untilMs: number;
  readonly kind: PortalErrorKind;
  readonly scope: 'viewer and report' | 'report' | 'tenant';
}

/** A pause that was announced to a viewer. */
interface Announced extends Caller {
  readonly untilMs: number;
  /** Whether another report has worked since. */
  readonly isOfReport: boolean;
}

const maxPaused = 1000;
const maxAnnounced = 50;
const minViewers = 3;

const refuse = ({ untilMs, kind, scope }: Pause): PortalError => {
  const retryAfterMs = Math.max(1, Math.round(untilMs - performance.now()));
  return new PortalError(
    `Not calling the portal for this ${scope} for another ${Math.ceil(retryAfterMs / 1000)} s: it sent Retry-After.`,
    {
      kind,
      code: 'paused',
      retryAfterMs,
      failure: { code: 'paused', part: scope },
    },
  );
};

const isOver = ({ untilMs }: { readonly untilMs: number }): boolean => untilMs <= performance.now();
const count = <TItem>(items: readonly TItem[], of: (item: TItem) => unknown): number =>
  new Set(items.map(of)).size;

/**
 * Creates {@link RetryPauses}. A pause applies to the viewer and report that it was announced for; to the report once
 * it was announced to three of its viewers without a successful call in between; and to the whole tenant once several
 * reports are paused, until any report works. So neither two viewers nor one report can block the others.
 */
export const createRetryPauses = (): RetryPauses => {
  const pauses = new LRUCache<string, Pause>({ max: maxPaused });
  let announced: readonly Announced[] = [];
  let ofTenant: Pause | undefined;
  return {
    check: ({ userId, itemId }) => {
      for (const pause of [ofTenant, pauses.get(`${itemId}`), pauses.get(`${itemId}|${userId}`)])
        if (pause !== undefined && !isOver(pause)) throw refuse(pause);
    },
    note: ({ userId, itemId }, error) => {
      const pauseMs = isPortalError(error) ? retryPauseMs(error) : undefined;
      if (!isPortalError(error) || pauseMs === undefined) return;
      const untilMs = performance.now() + pauseMs;
      const pause = { kind: error.kind, untilMs, scope: 'viewer and report' } as const;
      pauses.set(`${itemId}|${userId}`, pause);
      announced = [...announced, { userId, itemId, untilMs, isOfReport: false }]
        .filter((one) => !isOver(one))
        .slice(-maxAnnounced);
      const ofThis = announced.filter((one) => one.itemId === itemId);
      if (count(ofThis, (one) => one.userId) >= minViewers)
        pauses.set(`${itemId}`, { ...pause, scope: 'report' });
      const ofAny = announced.filter(({ isOfReport }) => !isOfReport);
      if (count(ofAny, (one) => one.userId) >= minViewers && count(ofAny, (one) => one.itemId) > 1)
        ofTenant = { ...pause, scope: 'tenant' };
    },
    works: ({ itemId }) => {
      if (announced.length === 0) return;
      ofTenant = undefined;
      announced = announced
        .filter((one) => one.itemId !== itemId)
        .map((one) => ({ ...one, isOfReport: true }));
    },
  };
};
