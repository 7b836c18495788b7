import type { FrameList } from './frameEntry.ts';

/**
 * A standby waits for a viewer to look away, but not during this last part of the old key's lifetime. Longer than the
 * clock's maximum delay.
 */
const promotionMarginMs = 35_000;

/** Inputs of {@link shouldPromote}. */
export interface PromotionFacts {
  readonly now: number;
  /** Whether the viewer works in the current frame: it has the focus, and the page is visible. */
  readonly isInUse: boolean;
}

/** Whether the standby takes the place of the current frame now. */
export const shouldPromote = ([current, standby]: FrameList, { now, isInUse }: PromotionFacts): boolean => {
  if (!current || !standby) return false;
  const leftMs = current.key.expiresAt - now;
  // There is no visible report to keep.
  if (current.status !== 'loaded' || leftMs <= 0) return true;
  return standby.status === 'loaded' && (!isInUse || standby.isUrgent || leftMs <= promotionMarginMs);
};
