import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import type { RequestLogTable } from '../database/tables/logs.ts';
import type { Tables } from '../database/tables/tables.ts';
import { createKeepNewest } from './keepNewest.ts';
import { createNotifier, enough, type WaitOptions, waitFor } from './waitFor.ts';

/** Which requests are meant; everything left out matches everything. */
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
  /** A text anywhere in the bodies. */
  readonly text?: string;
  /** At most so many, the newest. Default 100. */
  readonly limit?: number;
}

/** A request as it was logged: without secrets. */
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
  /** Faults that befell it, or null. */
  readonly fault: string | null;
}

/** The log of requests: the newest 10,000 are kept, and at most a thousand more. */
export interface PortalRequests {
  /** Requests that match, oldest first. */
  list(filter?: RequestFilter): Promise<readonly LoggedRequest[]>;
  /** Resolves when enough requests match, also those that came before; rejects when time is up. */
  waitFor(filter: RequestFilter, options?: WaitOptions): Promise<readonly LoggedRequest[]>;
  /** Empties the log. */
  clear(): Promise<void>;
}

/** The log as the portal itself uses it. */
export interface RequestLog extends PortalRequests {
  /** Takes an entry; it is written with others in a moment. */
  add(entry: Insertable<RequestLogTable>): void;
  onAdded(listener: () => void): () => void;
  flush(): Promise<void>;
}

const toLogged = (row: Selectable<RequestLogTable>): LoggedRequest => ({
  id: row.id,
  at: new Date(row.at).toISOString(),
  tenancyName: row.tenancy_name,
  kind: row.kind,
  method: row.method,
  path: row.path,
  query: row.query,
  // Written by the portal as an object of texts.
  headers: JSON.parse(row.request_headers) as Record<string, string>,
  requestBody: row.request_body,
  status: row.status,
  responseBody: row.response_body,
  durationMs: row.duration_ms,
  ipAddress: row.ip_address,
  requestId: row.request_id,
  fault: row.fault,
});

const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** SQLite knows no escape in a pattern unless it is named; Postgres's own is the same. */
const isLike = (column: 'path' | 'request_body' | 'response_body', pattern: string) =>
  sql<boolean>`${sql.ref(column)} like ${pattern} escape '\\'`;

/** Makes the log of requests. Entries of one turn of the event loop are written together. */
export const createRequestLog = (db: Kysely<Tables>): RequestLog => {
  const notifier = createNotifier();
  let waiting: Insertable<RequestLogTable>[] = [];
  let writing: Promise<void> = Promise.resolve();
  const keepNewest = createKeepNewest(db, { log: 'request_log', keep: 10_000, every: 1000 });

  const write = async () => {
    const entries = waiting;
    waiting = [];
    if (entries.length === 0) return;
    await db.insertInto('request_log').values(entries).execute();
    await keepNewest(entries.length);
    notifier.notify();
  };
  const flush = () => {
    // One failure is told to whoever waits for it, and stands in nobody else's way.
    writing = writing.then(write, write);
    return writing;
  };

  const list = async (filter: RequestFilter = {}): Promise<LoggedRequest[]> => {
    await flush();
    const { tenancyName, method, path, status, kind, afterId, text } = filter;
    let query = db.selectFrom('request_log').selectAll();
    if (tenancyName !== undefined) query = query.where('tenancy_name', '=', tenancyName);
    if (method !== undefined) query = query.where('method', '=', method);
    if (path?.endsWith('*')) query = query.where(isLike('path', `${literally(path.slice(0, -1))}%`));
    else if (path !== undefined) query = query.where('path', '=', path);
    if (status !== undefined) query = query.where('status', '=', status);
    if (kind !== undefined) query = query.where('kind', '=', kind);
    if (afterId !== undefined) query = query.where('id', '>', afterId);
    if (text !== undefined)
      query = query.where((either) =>
        either.or([
          isLike('request_body', `%${literally(text)}%`),
          isLike('response_body', `%${literally(text)}%`),
        ]),
      );
    const rows = await query
      .orderBy('id', 'desc')
      .limit(filter.limit ?? 100)
      .execute();
    return rows.map(toLogged).reverse();
  };

  return {
    add: (entry) => {
      if (waiting.length === 0)
        setImmediate(() => {
          flush().catch(() => {
            // The database closes with the portal; what is logged in that moment is lost with it.
          });
        });
      waiting.push(entry);
    },
    onAdded: notifier.onNotify,
    flush,
    list,
    waitFor: (filter, options = {}) => waitFor(notifier, () => list(enough(filter, options)), options),
    clear: async () => {
      await flush();
      await db.deleteFrom('request_log').execute();
    },
  };
};
