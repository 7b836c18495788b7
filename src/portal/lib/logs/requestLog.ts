import type { PortalReply } from '../http/portalReply.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import { redactBody, redactHeaders, redactQuery } from './redactions.ts';
import { createNotifier, enough, type WaitOptions, waitFor } from './waitFor.ts';

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

/** A raw request and its response. */
export interface RequestEntry {
  readonly atMs: number;
  readonly tenancyName: string | null;
  readonly kind: string;
  readonly request: PortalRequest;
  /** Undefined if the connection was closed without a response. */
  readonly reply: PortalReply | undefined;
  readonly durationMs: number;
  readonly fault: string | null;
}

/** The portal's internal view of the log. */
export interface RequestLog extends PortalRequests {
  add(entry: RequestEntry): void;
  onAdded(listener: () => void): () => void;
}

const keep = 10_000;
const maxBytes = 64 * 1024 * 1024;

const isJson = (reply: PortalReply) => /json/.test(reply.headers['content-type'] ?? '');

const jsonBodyOf = (reply: RequestEntry['reply']): string | Buffer =>
  reply !== undefined && isJson(reply) ? reply.body : '';

const sizeOf = ({ request, reply }: RequestEntry) => request.body.length + jsonBodyOf(reply).length;

/** Converts an entry for display: credentials are redacted here, on reading. */
const toLogged = (id: number, entry: RequestEntry): LoggedRequest => {
  const { request, reply } = entry;
  return {
    id,
    at: new Date(entry.atMs).toISOString(),
    tenancyName: entry.tenancyName,
    kind: entry.kind,
    method: request.method.slice(0, 16),
    path: request.path.slice(0, 512),
    query: redactQuery(request.query).slice(0, 1024),
    headers: redactHeaders(request.headers),
    requestBody: redactBody(request.body),
    status: reply?.status ?? 0,
    responseBody: redactBody(jsonBodyOf(reply)),
    durationMs: Math.round(entry.durationMs),
    ipAddress: request.ipAddress,
    requestId: request.requestId,
    fault: entry.fault,
    notes: request.trace.notes,
  };
};

const matchesPath = (pattern: string, path: string): boolean =>
  pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;

const matches = (entry: RequestEntry, filter: RequestFilter): boolean =>
  (filter.tenancyName === undefined || entry.tenancyName === filter.tenancyName) &&
  (filter.method === undefined || entry.request.method === filter.method) &&
  (filter.path === undefined || matchesPath(filter.path, entry.request.path)) &&
  (filter.status === undefined || (entry.reply?.status ?? 0) === filter.status) &&
  (filter.kind === undefined || entry.kind === filter.kind);

const holdsText = ({ requestBody, responseBody, notes }: LoggedRequest, text: string): boolean =>
  [requestBody, responseBody, ...notes].some(
    (part) => part?.toLowerCase().includes(text.toLowerCase()) === true,
  );

/** Creates the request log: a ring buffer in memory. */
export const createRequestLog = (): RequestLog => {
  const notifier = createNotifier();
  /** Entry number n is at index n % keep. */
  const ring: (RequestEntry | undefined)[] = [];
  const held = { oldest: 1, newest: 0, bytes: 0 };

  const dropOldest = () => {
    const entry = ring[held.oldest % keep];
    if (entry !== undefined) held.bytes -= sizeOf(entry);
    ring[held.oldest % keep] = undefined;
    held.oldest += 1;
  };

  const list = async (filter: RequestFilter = {}): Promise<LoggedRequest[]> => {
    const { text, limit = 100, afterId = 0 } = filter;
    const found: LoggedRequest[] = [];
    for (let id = held.newest; id >= Math.max(held.oldest, afterId + 1) && found.length < limit; id -= 1) {
      const entry = ring[id % keep];
      if (entry === undefined || !matches(entry, filter)) continue;
      const logged = toLogged(id, entry);
      if (text === undefined || holdsText(logged, text)) found.push(logged);
    }
    return found.reverse();
  };

  return {
    add: (entry) => {
      held.newest += 1;
      if (held.newest - held.oldest >= keep) dropOldest();
      ring[held.newest % keep] = entry;
      held.bytes += sizeOf(entry);
      while (held.bytes > maxBytes) dropOldest();
      notifier.notify();
    },
    onAdded: notifier.onNotify,
    list,
    waitFor: (filter, options = {}) => waitFor(notifier, () => list(enough(filter, options)), options),
    clear: async () => {
      while (held.oldest <= held.newest) dropOldest();
    },
  };
};
