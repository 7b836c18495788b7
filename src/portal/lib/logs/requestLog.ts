import type { PortalReply } from '../http/portalReply.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import { createLog, type WaitOptions } from './createLog.ts';
import { hideSecrets, redactBody, redactHeaders, redactQuery } from './redactions.ts';

/** A filter of requests; omitted fields match everything. */
export interface RequestFilter {
  readonly tenancyName?: string | undefined;
  readonly method?: string | undefined;
  /** A path, or the start of one when it ends with `*`. */
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  /** `mint`, `administration`, `report`, `action` or `other`. */
  readonly kind?: string | undefined;
  /** Only requests with a higher number. */
  readonly afterId?: number | undefined;
  /** A text in the bodies or notes, ignoring case. */
  readonly text?: string | undefined;
  /** Maximum number of newest requests. Default 100. */
  readonly limit?: number | undefined;
}

/** A logged request, without secrets. */
export interface LoggedRequest {
  readonly id: number;
  /** Portal time, ISO 8601 UTC. */
  readonly at: string;
  readonly tenancyName: string | null;
  readonly kind: string;
  readonly method: string;
  readonly path: string;
  /** Query with keys redacted. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly requestBody: string | null;
  readonly status: number;
  /** `failed` without a response or with a status of 400 and more, otherwise `answered`. */
  readonly outcome: string;
  readonly responseBody: string | null;
  readonly durationMs: number;
  readonly ipAddress: string | null;
  readonly requestId: string;
  /** Faults that were applied, or null. */
  readonly fault: string | null;
  /** Notes for developers about the response, such as why a key opens no rows. */
  readonly notes: readonly string[];
}

/** The request log of this portal: the newest 10,000, or fewer if their bodies exceed 64 MiB. */
export interface PortalRequests {
  /** Requests that match, oldest first. */
  list(filter?: RequestFilter): Promise<readonly LoggedRequest[]>;
  /** Resolves when enough requests match, including earlier ones; rejects after the time limit. */
  waitFor(filter: RequestFilter, options?: WaitOptions): Promise<readonly LoggedRequest[]>;
  /** Empties the log. */
  clear(): Promise<void>;
}

/** A request and its response, as they were. */
export interface RequestEntry extends Pick<LoggedRequest, 'tenancyName' | 'kind' | 'durationMs' | 'fault'> {
  readonly atMs: number;
  readonly request: PortalRequest;
  /** Undefined if the connection was closed without a response. */
  readonly reply: PortalReply | undefined;
}

/** The portal's internal view of the log. */
export interface RequestLog extends PortalRequests {
  add(entry: RequestEntry): void;
}

const jsonBodyOf = (reply: PortalReply | undefined): string | Buffer =>
  reply !== undefined && /json/.test(reply.headers['content-type'] ?? '') ? reply.body : '';

/** An entry for display. Most are never read, so credentials are redacted on reading. */
const toLogged = (
  id: number,
  { request, reply, atMs, durationMs, ...entry }: RequestEntry,
  hide: (text: string) => string,
): LoggedRequest => ({
  ...entry,
  id,
  at: new Date(atMs).toISOString(),
  method: request.method.slice(0, 16),
  path: hide(request.path).slice(0, 512),
  get query() {
    return hide(redactQuery(request.query)).slice(0, 1024);
  },
  get headers() {
    return redactHeaders(request.headers, hide);
  },
  get requestBody() {
    return redactBody(request.body, hide);
  },
  status: reply?.status ?? 0,
  outcome: reply !== undefined && reply.status < 400 ? 'answered' : 'failed',
  get responseBody() {
    return redactBody(jsonBodyOf(reply), hide);
  },
  durationMs: Math.round(durationMs),
  ipAddress: request.ipAddress,
  requestId: request.requestId,
  notes: request.trace.notes,
});

/** Creates the request log, which hides the secrets in every entry. */
export const createRequestLog = (secrets: readonly (string | null | undefined)[]): RequestLog => {
  const log = createLog<RequestFilter, LoggedRequest>(({ requestBody, responseBody, notes }) => [
    requestBody,
    responseBody,
    ...notes,
  ]);
  const hide = (text: string) => hideSecrets(text, secrets);
  return {
    ...log,
    add: (entry) =>
      log.add(entry.request.body.length + jsonBodyOf(entry.reply).length, (id) => toLogged(id, entry, hide)),
  };
};
