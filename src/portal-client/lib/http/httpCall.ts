import type { CallStats } from '../errors/callStats.ts';
import type { TextHeaders } from './textHeaders.ts';

/** Verbs of the administration interface. */
export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Options every call takes. */
export interface CallOptions {
  /** Ends the call in any phase: waiting for a turn, connecting, reading, pausing before a retry. */
  readonly signal?: AbortSignal | undefined;
  /** Deadline of the whole call with its retries, in milliseconds; the client's own `timeoutMs` when left out. */
  readonly timeoutMs?: number | undefined;
}

/** One call as a resource describes it. */
export interface HttpCall extends CallOptions {
  readonly method: HttpMethod;
  /** Encoded path under `baseUrl`; see `path`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly body?: unknown;
}

/** What the service answered, with its JSON read. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: TextHeaders;
  /** The JSON of the body; undefined when the body is empty. */
  readonly body: unknown;
  /** Facts of the request that was answered. */
  readonly stats: CallStats;
}

/** Sends a call to its end: turn, key, request, retries, deadline. */
export type Send = (call: HttpCall) => Promise<HttpAnswer>;
