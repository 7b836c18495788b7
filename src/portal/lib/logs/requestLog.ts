import type { PortalReply } from '../http/portalReply.ts';
import { matchesPath, type PortalRequest } from '../http/portalRequest.ts';
import { redactBody, redactHeaders, redactQuery } from './redactions.ts';
import { type PortalEvents, type WaitOptions, waitFor } from './waitFor.ts';

/** A filter of requests; omitted fields match everything. */
export interface RequestFilter {
  readonly tenancyName?: string;
  readonly method?: string;
  /** A path, or the start of one when it ends with `*`. */
  readonly path?: string;
  readonly status?: number;
  /** `mint`, `administration`, `report`, `action` or `other`. */
  readonly kind?: string;
  /** Only requests with a higher number. */
  readonly afterId?: number;
  /** A text in the bodies or notes, ignoring case. */
  readonly text?: string;
  /** Maximum number of newest requests. Default 100. */
  readonly limit?: number;
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

const keep = 10_000;
const maxBytes = 64 * 1024 * 1024;

const jsonBodyOf = (reply: PortalReply | undefined): string | Buffer =>
  reply !== undefined && /json/.test(reply.headers['content-type'] ?? '') ? reply.body : '';

/** An entry for display. Most are never read, so credentials are redacted on reading. */
const toLogged = (
  id: number,
  { request, reply, atMs, durationMs, ...entry }: RequestEntry,
): LoggedRequest => ({
  ...entry,
  id,
  at: new Date(atMs).toISOString(),
  method: request.method.slice(0, 16),
  path: request.path.slice(0, 512),
  get query() {
    return redactQuery(request.query).slice(0, 1024);
  },
  get headers() {
    return redactHeaders(request.headers);
  },
  get requestBody() {
    return redactBody(request.body);
  },
  status: reply?.status ?? 0,
  get responseBody() {
    return redactBody(jsonBodyOf(reply));
  },
  durationMs: Math.round(durationMs),
  ipAddress: request.ipAddress,
  requestId: request.requestId,
  notes: request.trace.notes,
});

const holdsText = ({ requestBody, responseBody, notes }: LoggedRequest, text: string): boolean =>
  [requestBody, responseBody, ...notes].some((part) => part?.toLowerCase().includes(text) === true);

/** Creates the request log: in memory, the newest at the end. */
export const createRequestLog = (events: PortalEvents): RequestLog => {
  const kept: { readonly logged: LoggedRequest; readonly bytes: number }[] = [];
  let lastId = 0;
  let heldBytes = 0;

  const list = async (filter: RequestFilter = {}): Promise<LoggedRequest[]> => {
    const { text, path, limit = 100, afterId = 0, ...exact } = filter;
    const wanted = Object.entries(exact).filter(([, value]) => value !== undefined);
    return kept
      .map(({ logged }) => logged)
      .filter(
        (logged) =>
          logged.id > afterId &&
          wanted.every(([name, value]) => Reflect.get(logged, name) === value) &&
          (path === undefined || matchesPath(path, logged.path)) &&
          (text === undefined || holdsText(logged, text.toLowerCase())),
      )
      .slice(-limit);
  };

  return {
    add: (entry) => {
      lastId += 1;
      const bytes = entry.request.body.length + jsonBodyOf(entry.reply).length;
      kept.push({ logged: toLogged(lastId, entry), bytes });
      heldBytes += bytes;
      while (kept.length > keep || heldBytes > maxBytes) heldBytes -= kept.shift()?.bytes ?? 0;
      events.emit('event', 'request');
    },
    list,
    waitFor: (filter, options) => waitFor(events, list, filter, options),
    clear: async () => {
      kept.length = 0;
      heldBytes = 0;
    },
  };
};
