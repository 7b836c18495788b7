import { collect } from '../paging/collect.ts';
import type { ListPage, PortalList } from '../paging/portalList.ts';
import { type AuditRecord, requireTime } from './auditRecord.ts';
import { farFutureMs } from './dateRange.ts';

/** A stretch of time, its end not in. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Where a stretch starts, and how it may be shortened. */
export interface StretchLimits {
  readonly fromMs: number;
  /** The stretch is never cut before this moment. */
  readonly splitAfterMs: number;
  /** Records to read at once; a stretch with more is halved. */
  readonly maxRecords: number;
}

/** The records of a stretch. */
export interface StretchRecords {
  readonly records: readonly AuditRecord[];
  /** The end of a stretch that was cut short; nothing when it reached the newest record. */
  readonly cutAtMs?: number;
}

/**
 * Reads every record from a moment to the newest there is. When one page holds them all that is one request;
 * otherwise the end is fixed just behind the newest record, by the service's own time, so that it stands still while
 * the pages are read.
 */
export const readStretch = async (
  list: (stretch: Stretch) => PortalList<AuditRecord>,
  limits: StretchLimits,
): Promise<StretchRecords> => {
  const { fromMs, splitAfterMs, maxRecords } = limits;
  const all = await firstPage(list({ fromMs, toMs: farFutureMs }));
  if (all === undefined) return { records: [] };
  if (all.total !== undefined && all.rows.length >= all.total) return { records: all.rows };

  const newestMs = Math.max(...all.rows.map(requireTime)) + 1;
  let toMs = newestMs;
  let total = all.total ?? 0;
  while (total > maxRecords && toMs > splitAfterMs + 1) {
    toMs = splitAfterMs + Math.ceil((toMs - splitAfterMs) / 2);
    total = (await firstPage(list({ fromMs, toMs })))?.total ?? 0;
  }
  const records = await collect(list({ fromMs, toMs }));
  return { records, ...(toMs < newestMs && { cutAtMs: toMs }) };
};

/** The first page that holds anything. */
const firstPage = async (list: PortalList<AuditRecord>): Promise<ListPage<AuditRecord> | undefined> => {
  // A service that counts pages from 0 answers the first question with an empty page.
  for await (const page of list.pages()) if (page.rows.length > 0) return page;
  return undefined;
};
