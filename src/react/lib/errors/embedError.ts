import type { ProblemCode } from '@vitrine/contract';
import { type EmbedErrorKind, errorKind } from './errorKind.ts';

/** Stable code of what went wrong: those of the key endpoint, and those that only a browser can see. */
export type EmbedErrorCode =
  | ProblemCode
  | EmbedErrorKind
  | 'backend_timeout'
  | 'backend_invalid_response'
  | 'invalid_tenant_url'
  // A newer backend may know more codes than this version.
  | (string & {});

/** Facts beside the code. */
export interface EmbedErrorFacts {
  /** HTTP status of the answer; absent when there was none. */
  readonly status?: number | undefined;
  /** Milliseconds the backend asked to wait before the next try. */
  readonly retryAfterMs?: number | undefined;
  /** Identifies the request in the operator's log. */
  readonly requestId?: string | undefined;
  /** Origin that the page's `frame-src` leaves out, for `frame_blocked`. */
  readonly origin?: string | undefined;
  /** The thrown value behind it. */
  readonly cause?: unknown;
}

/** Why a report cannot be shown or renewed. Its message is for developers; what people read is in {@link Labels}. */
export class EmbedError extends Error implements EmbedErrorFacts {
  override readonly name = 'EmbedError';
  /** Stable code to branch on. */
  declare readonly code: EmbedErrorCode;
  /** What a person is told: one of the few kinds that {@link Labels} has words for. */
  declare readonly kind: EmbedErrorKind;
  declare readonly status?: number | undefined;
  declare readonly retryAfterMs?: number | undefined;
  declare readonly requestId?: string | undefined;
  declare readonly origin?: string | undefined;

  /** Without a message of its own it says its code. */
  constructor(code: EmbedErrorCode, facts: EmbedErrorFacts = {}, message: string = code) {
    super(message);
    Object.assign(this, facts, { code, kind: errorKind(code, facts.status) });
  }
}
