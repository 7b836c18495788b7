import { EmbedError } from '../errors/embedError.ts';
import type { LivingFrame } from './livingFrame.ts';
import type { ReportState } from './reportState.ts';

/** What the state of a report follows from. */
export interface ReportFacts {
  readonly now: number;
  readonly frames: readonly LivingFrame[];
  /** Why the key could not be had or renewed. */
  readonly error: EmbedError | undefined;
  readonly isIdle: boolean;
  /** Whether the key is renewed by itself. */
  readonly isSeamless: boolean;
}

/** Says what a report is doing. */
export const judgeState = ({ now, frames, error, isIdle, isSeamless }: ReportFacts): ReportState => {
  const [current, standby] = frames;
  if (isIdle) return { status: 'idle' };
  if (!current) return error ? { status: 'failed', error } : { status: 'loading' };
  const { held, isLoaded, isBlocked, slowAt } = current;
  if (isBlocked) {
    const { origin } = new URL(held.value.tenantUrl);
    const error = new EmbedError('frame_blocked', `The page's policy lacks frame-src ${origin}`, { origin });
    return { status: 'failed', error };
  }
  if (now >= held.endsAt)
    return !error && isSeamless
      ? { status: 'loading' }
      : { status: 'expired', error: error ?? new EmbedError('key_ended', 'The key has ended.') };
  if (isLoaded) return error ? { status: 'degraded', error } : { status: standby ? 'refreshing' : 'ready' };
  return now < slowAt
    ? { status: 'loading' }
    : { status: 'failed', error: new EmbedError('frame_slow', 'The report did not load in time.') };
};
