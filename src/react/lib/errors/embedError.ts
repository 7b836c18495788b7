import {
  classifyError,
  type EmbedErrorCode,
  type EmbedErrorKind,
  type EmbedErrorRetry,
} from './errorTable.ts';

/** Facts beside the code. */
export interface EmbedErrorFacts {
  /** HTTP status of the answer; absent when there was none. */
  readonly status?: number | undefined;
  /** Milliseconds the backend asked to wait before the next try; absent or 0 when it did not. */
  readonly retryAfterMs?: number | undefined;
  /** Identifies the request in the operator's log; absent when the backend did not answer. */
  readonly requestId?: string | undefined;
  /** Origin of the frame that did not load, for `frame_blocked`, `frame_isolated` and `frame_slow`; absent for other codes. */
  readonly origin?: string | undefined;
  /** The value behind it: what was thrown, or the address that is none; absent when there is no such value. */
  readonly cause?: unknown;
}

/** Why a report cannot be shown or renewed. Its message is for developers; viewers read {@link Labels}. */
export class EmbedError extends Error implements EmbedErrorFacts {
  /** Always `EmbedError`. */
  override readonly name = 'EmbedError';
  /** Stable code to branch on. */
  readonly code: EmbedErrorCode;
  /** What a viewer is told: one of the few kinds that {@link Labels} has words for. */
  declare readonly kind: EmbedErrorKind;
  /**
   * Whether trying again can help, and who has to ask for it. A status without one of our own codes is an outage, whatever it
   * is: a proxy, a firewall or another framework answered in the backend's place.
   */
  declare readonly retry: EmbedErrorRetry;
  declare readonly status?: number | undefined;
  declare readonly retryAfterMs?: number | undefined;
  declare readonly requestId?: string | undefined;
  declare readonly origin?: string | undefined;

  /** Creates an error. Default message: the code. */
  constructor(code: EmbedErrorCode, facts: EmbedErrorFacts = {}, message: string = code) {
    super(message);
    this.code = code;
    Object.assign(this, facts, classifyError(code, facts.status));
  }
}
