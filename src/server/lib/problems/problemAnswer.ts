import { type Problem, type ProblemCode, problemCodes, problemMediaType } from '@vitrine/contract';
import type { HostAnswer } from '../http/hostExchange.ts';
import { privateHeaders } from '../http/privateHeaders.ts';

/** A failure as the browser will see it. */
export interface Refusal {
  readonly code: ProblemCode;
  /** What was wrong, what was seen, what to do. Default: the title of the code. */
  readonly detail?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** Methods to name in `Allow`, with 405. */
  readonly allow?: string | undefined;
}

/** Turns a refusal into a problem document (RFC 9457). Status and title come from the contract's table. */
export const problemAnswer = ({ code, detail, requestId, retryAfterMs, allow }: Refusal): HostAnswer => {
  const { status, title } = problemCodes[code];
  const problem: Problem = {
    type: `urn:vitrine:problem:${code}`,
    title,
    status,
    detail: detail ?? title,
    code,
    ...(requestId === undefined ? {} : { requestId }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs: Math.ceil(retryAfterMs) }),
  };
  const body = JSON.stringify(problem);
  const headers: Record<string, string> = {
    ...privateHeaders,
    'Content-Type': problemMediaType,
    'Content-Length': String(Buffer.byteLength(body)),
  };
  if (retryAfterMs !== undefined)
    headers['Retry-After'] = String(Math.max(1, Math.ceil(retryAfterMs / 1000)));
  if (allow !== undefined) headers['Allow'] = allow;
  return { status, headers, body };
};
