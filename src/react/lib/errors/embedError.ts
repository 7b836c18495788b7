import {
  classifyError,
  type EmbedErrorCode,
  type EmbedErrorKind,
  type EmbedErrorRetry,
} from './classifyError.ts';

/** Details of an {@link EmbedError}. */
export interface EmbedErrorFacts {
  /** HTTP status of the response; absent without a response. */
  readonly status?: number | undefined;
  /** Milliseconds that the backend asks to wait before a retry; absent or 0 if it does not. */
  readonly retryAfterMs?: number | undefined;
  /** Identifies the request in the backend's log; absent without a response. */
  readonly requestId?: string | undefined;
  /** Origin of the frame that did not load, for `frame_blocked`, `frame_isolated` and `frame_slow`; absent for other codes. */
  readonly origin?: string | undefined;
  /** The cause: the thrown value, or the invalid address; absent if there is none. */
  readonly cause?: unknown;
}

/** The reason why a report cannot be shown or renewed. The message is for developers; viewers read {@link Labels}. */
export class EmbedError extends Error implements EmbedErrorFacts {
  /** Always `EmbedError`. */
  override readonly name = 'EmbedError';
  /** Stable code to branch on. */
  declare readonly code: EmbedErrorCode;
  /** The kind of message for viewers, with a text in {@link Labels}. */
  declare readonly kind: EmbedErrorKind;
  /**
   * Whether a retry can help, and who starts it. A status without one of our own codes counts as an outage: a proxy, a
   * firewall or another framework responded instead of the backend.
   */
  declare readonly retry: EmbedErrorRetry;
  declare readonly status?: number | undefined;
  declare readonly retryAfterMs?: number | undefined;
  declare readonly requestId?: string | undefined;
  declare readonly origin?: string | undefined;

  /** Creates an error. Default message: the code. */
  constructor(code: EmbedErrorCode, facts: EmbedErrorFacts = {}, message: string = code) {
    super(message);
    Object.assign(this, { code }, facts, classifyError(code, facts.status));
  }
}
