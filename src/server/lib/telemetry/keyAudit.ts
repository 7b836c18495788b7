import type { RequestContext } from '../keys/requestContext.ts';

/** One key that was issued or refused. Never holds a key. */
export interface KeyAuditRecord {
  /** When the request ended, in milliseconds since the epoch. */
  readonly timeMs: number;
  /** Of the header `x-request-id`, or a new one; the log and the problem document have the same. */
  readonly requestId: string;
  /** Undefined where the request ended before that was known. */
  readonly userId: string | undefined;
  readonly itemId: number | undefined;
  readonly tenancyName: string | undefined;
  /** `issued`, `reused` (from the cache), `left` (the viewer did not wait for the answer), or the code of the problem. */
  readonly outcome: RequestContext['outcome'];
  readonly durationMs: number;
}

/** The audit record of a request. */
export const keyAuditRecord = (context: RequestContext, nowMs: number): KeyAuditRecord => {
  const { requestId, userId, itemId, upstream, outcome, startMs } = context;
  return {
    timeMs: nowMs,
    requestId,
    userId,
    itemId,
    tenancyName: upstream?.connection.tenancyName,
    outcome,
    durationMs: Math.round(performance.now() - startMs),
  };
};
