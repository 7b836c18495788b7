import { type EmbedErrorCode, type EmbedErrorKind, type EmbedErrorRetry, errorRule } from './errorTable.ts';

/** Facts beside the code. */
export interface EmbedErrorFacts {
  /** HTTP status of the answer; absent when there was none. */
  readonly status?: number | undefined;
  /** Milliseconds the backend asked to wait before the next try; absent or 0 when it did not. */
  readonly retryAfterMs?: number | undefined;
  /** Identifies the request in the operator's log. */
  readonly requestId?: string | undefined;
  /** Origin that the page's policy leaves out, for `frame_blocked` and `frame_isolated`. */
  readonly origin?: string | undefined;
  /** The thrown value behind it. */
  readonly cause?: unknown;
}

/** Why a report cannot be shown or renewed. Its message is for developers; viewers read {@link Labels}. */
export class EmbedError extends Error implements EmbedErrorFacts {
  override readonly name = 'EmbedError';
  /** Stable code to branch on. */
  readonly code: EmbedErrorCode;
  /** What a viewer is told: one of the few kinds that {@link Labels} has words for. */
  readonly kind: EmbedErrorKind;
  /** Whether trying again can help, and who has to ask for it. */
  readonly retry: EmbedErrorRetry;
  /** Whether this viewer may not see the report, so that it is removed at once. */
  readonly isFinal: boolean;
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly requestId?: string | undefined;
  readonly origin?: string | undefined;

  /** Creates an error. Default message: the code. */
  constructor(code: EmbedErrorCode, facts: EmbedErrorFacts = {}, message: string = code) {
    const { cause, status, retryAfterMs, requestId, origin } = facts;
    super(message, { cause });
    const { kind, retry, isFinal = false } = errorRule(code, status);
    this.code = code;
    this.kind = kind;
    this.retry = retry;
    this.isFinal = isFinal;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.requestId = requestId;
    this.origin = origin;
  }
}
