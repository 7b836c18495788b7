import { onTestFinished } from 'vitest';
import { timing } from '../../../src/server/lib/actions/timing.ts';

/** Durations and limits of handlers that a test shortens. */
export interface DispatchTiming {
  readonly concurrency?: number;
  readonly timeoutMs?: number;
  readonly leaseMarginMs?: number;
  readonly maxAttempts?: number;
  readonly backoff?: { readonly firstMs?: number; readonly maxMs?: number };
  readonly pollMs?: number;
}

/** Durations and limits of streams that a test shortens. */
export interface StreamTiming {
  readonly timeoutMs?: number;
  readonly heartbeatMs?: number;
  readonly maxStreamMs?: number;
  readonly maxStreamsPerViewer?: number;
  readonly maxAgeMs?: number;
}

/** Changes durations until the end of the test. */
export const setTiming = (changes: Partial<typeof timing>): void => {
  const before = { ...timing };
  Object.assign(timing, changes);
  onTestFinished(() => void Object.assign(timing, before));
};

/** Changes the durations of handlers; returns the option for their time limit. */
export const setDispatchTiming = ({ timeoutMs, backoff = {}, ...others }: DispatchTiming) => {
  const { firstMs = timing.firstRetryMs, maxMs = timing.maxRetryMs } = backoff;
  setTiming({ ...others, firstRetryMs: firstMs, maxRetryMs: maxMs });
  return timeoutMs === undefined ? {} : { handlerTimeoutMs: timeoutMs };
};

/** Changes the durations of streams. */
export const setStreamTiming = ({ timeoutMs, maxAgeMs, ...others }: StreamTiming): void =>
  setTiming({
    ...others,
    ...(timeoutMs !== undefined && { lookupMs: timeoutMs }),
    ...(maxAgeMs !== undefined && { showForMs: maxAgeMs }),
  });
