import type { CallStats } from '../errors/callStats.ts';
import type { HttpResponse } from '../http/http.ts';

/** A result with the HTTP facts of its response. */
export interface PortalResponse<TData> {
  readonly data: TData;
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The service's own identifier of the request, if any. */
  readonly requestId: string | undefined;
  /** Number of requests sent, including retries. */
  readonly attempts: number;
  /** Facts of the completed request: latency, clock skew and more. */
  readonly stats: CallStats;
}

/** The promise of every call: await it for the data, or `withResponse()` for the HTTP facts too. */
export type PortalCall<TData> = Promise<TData> & {
  /** The result of the same call, with status, headers, request ID and attempts. */
  readonly withResponse: () => Promise<PortalResponse<TData>>;
};

/** Creates the promise of a call in flight. */
export const portalCall = <TData>(work: Promise<PortalResponse<TData>>): PortalCall<TData> => {
  const data = work.then((response) => response.data);
  return Object.assign(data, {
    withResponse: () => {
      // A caller of withResponse() handles the rejection there; the bare promise then needs no handler.
      data.catch(() => undefined);
      return work;
    },
  });
};

/** Creates a {@link PortalResponse} from a response and its data. */
export const toResponse = <TData>(response: HttpResponse, data: TData): PortalResponse<TData> => ({
  data,
  status: response.status,
  headers: response.headers,
  requestId: response.stats.requestId,
  attempts: response.stats.attempts,
  stats: response.stats,
});
