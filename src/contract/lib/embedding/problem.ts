import type { ProblemCode } from './problemCodes.ts';

/** Body of every failure between browser and backend: `application/problem+json` (RFC 9457). */
export interface Problem {
  /** URL of the code's explanation in the documentation. */
  readonly type: string;
  /** Short sentence, the same for every occurrence of the code. */
  readonly title: string;
  /** The HTTP status. */
  readonly status: number;
  /** What was wrong here, what was seen and what to do. Never a key, a secret or a URL query. */
  readonly detail: string;
  /** Stable code to branch on. Codes of a newer server may be unknown to an older browser. */
  readonly code: ProblemCode | (string & {});
  /** Identifies the request in the operator's log. */
  readonly requestId?: string;
  /** Milliseconds to wait before a retry, if the server knows. */
  readonly retryAfterMs?: number;
}

/** Media type of {@link Problem}. */
export const problemMediaType = 'application/problem+json';
