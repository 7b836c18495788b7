import type { StopSignal } from '../http/stopSignal.ts';

/** For whom and for what a key is made. */
export interface MintRequest {
  /** Identity of the viewing user (docs/interface.md#4.6 `value.userId`). */
  readonly userId: string;
  readonly itemId: number;
  /** RLS roles; left out of the call when empty. */
  readonly roleNames?: readonly string[];
  /** Milliseconds the key shall live; one minute to 24 hours. */
  readonly lifetimeMs: number;
  /** Milliseconds for the whole call, a second attempt included. Default: as long as the attempts take. */
  readonly timeoutMs?: number;
  /** An `AbortSignal`, or anything that is listened to like one. */
  readonly signal?: StopSignal | undefined;
  /** Sent as `X-Request-Id`, so that the portal's log and the caller's can be compared. Default: none. */
  readonly requestId?: string | undefined;
}
