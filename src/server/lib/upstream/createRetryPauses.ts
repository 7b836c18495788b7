import { isPortalError, PortalError, type PortalErrorKind } from '@vitrine/portal-client';
import { LRUCache } from 'lru-cache';
import type { Caller } from './caller.ts';
import { retryPauseMs } from './retryPauseMs.ts';

/** Keeps to the pauses that a portal asks for by `Retry-After`. */
export interface RetryPauses {
  /** Throws a `PortalError` with the code `paused` while the portal wants this caller to wait. */
  check(caller: Caller): void;
  /** Takes note of a pause that an error announces. */
  note(caller: Caller, error: unknown): void;
}

interface Pause {
  readonly untilMs: number;
  readonly kind: PortalErrorKind;
  readonly userId: string;
}

const maxPaused = 1000;

const refuse = ({ untilMs, kind }: Pause): PortalError =>
  new PortalError('The portal asked for a pause by Retry-After, which is not over yet.', {
    kind,
    code: 'paused',
    retryAfterMs: Math.max(1, Math.round(untilMs - performance.now())),
  });

const isOver = ({ untilMs }: Pause): boolean => untilMs <= performance.now();

/**
 * Creates {@link RetryPauses}. A pause holds for the viewer and report that it was announced for, and for the whole tenant
 * once a second viewer was told to wait: the trouble of one report is no reason to keep others from theirs.
 */
export const createRetryPauses = (): RetryPauses => {
  const pauses = new LRUCache<string, Pause>({ max: maxPaused });
  let last: Pause | undefined;
  let ofTenant: Pause | undefined;
  return {
    check: ({ userId, itemId }) => {
      for (const pause of [ofTenant, pauses.get(`${itemId}|${userId}`)])
        if (pause !== undefined && !isOver(pause)) throw refuse(pause);
    },
    note: ({ userId, itemId }, error) => {
      const pauseMs = isPortalError(error) ? retryPauseMs(error) : undefined;
      if (!isPortalError(error) || pauseMs === undefined) return;
      const pause = { kind: error.kind, userId, untilMs: performance.now() + pauseMs };
      pauses.set(`${itemId}|${userId}`, pause);
      if (last !== undefined && last.userId !== userId && !isOver(last)) ofTenant = pause;
      last = pause;
    },
  };
};
