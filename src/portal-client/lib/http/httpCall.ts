import type { CallStats } from '../errors/callStats.ts';
import type { TextHeaders } from './textHeaders.ts';

/** Verbs of the administration API. */
export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call in any phase: queueing, connecting, reading, waiting before a retry. */
  readonly signal?: AbortSignal | undefined;
  /** Deadline of the whole call including retries, in milliseconds. Default: the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
}

/** One call, described by a resource. */
export interface HttpCall extends CallOptions {
  readonly method: HttpMethod;
  /** Encoded path under `baseUrl`; see `path`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly body?: unknown;
}

/** The service's response, with parsed JSON. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: TextHeaders;
  /** The JSON of the body; undefined if the body is empty. */
  readonly body: unknown;
  /** Facts of the completed request. */
  readonly stats: CallStats;
}

/** Performs a call: queue, key, request, retries, deadline. */
export type Send = (call: HttpCall) => Promise<HttpResponse>;
