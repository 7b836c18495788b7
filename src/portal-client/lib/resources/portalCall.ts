import type { CallStats } from '../errors/callStats.ts';
import type { HttpAnswer } from '../http/httpCall.ts';

/** A result beside the HTTP facts of its answer. */
export interface PortalResponse<TData> {
  readonly data: TData;
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The service's own identifier of the request, when it gives one. */
  readonly requestId: string | undefined;
  /** Requests sent, with retries. */
  readonly attempts: number;
  /** Facts of the request that was answered: latency, clock skew and more. */
  readonly stats: CallStats;
}

/** The promise every call returns: await it for the data, or `withResponse()` for the HTTP facts too. */
export type PortalCall<TData> = Promise<TData> & {
  /** The same call, sent once, with status, headers, request id and attempts. */
  readonly withResponse: () => Promise<PortalResponse<TData>>;
};

/** Makes the promise of a call that is already on its way. */
export const portalCall = <TData>(work: Promise<PortalResponse<TData>>): PortalCall<TData> => {
  const data = work.then((response) => response.data);
  return Object.assign(data, {
    withResponse: () => {
      // Whoever asks for the response handles its failure there; the bare promise then needs no handler.
      data.catch(() => undefined);
      return work;
    },
  });
};

/** A response out of an answer and what was read from it. */
export const toResponse = <TData>(answer: HttpAnswer, data: TData): PortalResponse<TData> => ({
  data,
  status: answer.status,
  headers: answer.headers,
  requestId: answer.stats.requestId,
  attempts: answer.stats.attempts,
  stats: answer.stats,
});
