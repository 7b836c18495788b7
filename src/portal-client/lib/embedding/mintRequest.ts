import type { StopSignal } from '../http/stopSignal.ts';

/** A request for a key. */
export interface MintRequest {
  /** Identity of the viewing user (docs/interface.md#4.6 `value.userId`). */
  readonly userId: string;
  readonly itemId: number;
  /** RLS roles. An empty list is sent as one. Default: omitted from the call. */
  readonly roleNames?: readonly string[];
  /** Lifetime of the key in milliseconds: one minute to 24 hours. */
  readonly lifetimeMs: number;
  /** Time limit of the whole call including a retry, in milliseconds. Default: none beyond those of the attempts. */
  readonly timeoutMs?: number;
  /** An `AbortSignal`, or an object with the same listener methods. */
  readonly signal?: StopSignal | undefined;
  /** Sent as `X-Request-Id`, so that the portal's log and the caller's can be compared. Default: none. */
  readonly requestId?: string | undefined;
}
