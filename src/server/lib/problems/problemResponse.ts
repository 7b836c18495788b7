import { type Problem, type ProblemCode, problemCodes, problemMediaType } from '@vitrine/contract';
import type { HostResponse } from '../exchange/hostExchange.ts';
import { privateHeaders } from '../exchange/privateHeaders.ts';

/** The fields of a problem that the browser gets. */
export interface ProblemFields {
  readonly code: ProblemCode;
  /** What happened, what was seen, what to do. Default: the title of the code. */
  readonly detail?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** Methods for the header `Allow`, with 405. */
  readonly allow?: string | undefined;
  /** Whether to close the connection without reading the rest of the request. */
  readonly closesConnection?: boolean;
}

/** The problem document (RFC 9457) of a failure. Status and title come from the contract's table. */
const problemDocument = ({ code, detail, requestId, retryAfterMs }: ProblemFields): Problem => {
  const { status, title } = problemCodes[code];
  return {
    type: `urn:vitrine:problem:${code}`,
    title,
    status,
    detail: detail ?? title,
    code,
    ...(requestId === undefined ? {} : { requestId }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs: Math.ceil(retryAfterMs) }),
  };
};

/** The response with the problem document of a failure. */
export const problemResponse = (fields: ProblemFields): HostResponse => {
  const { retryAfterMs, allow, closesConnection } = fields;
  const problem = problemDocument(fields);
  const body = JSON.stringify(problem);
  const headers: Record<string, string> = {
    ...privateHeaders,
    'Content-Type': problemMediaType,
    'Content-Length': String(Buffer.byteLength(body)),
  };
  if (retryAfterMs !== undefined)
    headers['Retry-After'] = String(Math.max(1, Math.ceil(retryAfterMs / 1000)));
  if (allow !== undefined) headers['Allow'] = allow;
  if (closesConnection === true) headers['Connection'] = 'close';
  return { status: problem.status, headers, body };
};
