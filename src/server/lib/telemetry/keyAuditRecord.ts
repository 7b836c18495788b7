import type { RequestContext } from '../keys/requestContext.ts';

/** The record of one issued or refused key. Never contains the key. */
export interface KeyAuditRecord {
  /** When the request ended, in milliseconds since the epoch. */
  readonly timeMs: number;
  /** From the header `x-request-id`, or a new ID; the same as in the log and the problem document. */
  readonly requestId: string;
  /** Undefined if the request ended before it was known. */
  readonly userId: string | undefined;
  readonly itemId: number | undefined;
  readonly tenancyName: string | undefined;
  /** `issued`, `aborted` (the client disconnected), or the code of the problem. */
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
