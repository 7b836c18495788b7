import type { ListPage, PortalList } from '../paging/paging.ts';
import { collect } from '../paging/paging.ts';
import { type AuditRecord, requireTime } from './auditRecord.ts';
import { farFutureMs } from './dateRange.ts';

/** A time range, end exclusive. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Start of a range, and how it may be shortened. */
export interface RangeLimits {
  readonly fromMs: number;
  /** The range is never cut before this time. */
  readonly splitAfterMs: number;
  /** Maximum number of records; a range with more is halved. */
  readonly maxRecords: number;
}

/** The records of a range. */
export interface RangeRecords {
  readonly records: readonly AuditRecord[];
  /** The end of a shortened range; undefined if it reached the newest record. */
  readonly cutAtMs?: number;
}

/**
 * Reads all records from a start time to the newest. If they fit on one page, that is one request; otherwise the end is
 * fixed just after the newest record, by the service's own time, so that the range does not change while the pages are
 * read.
 */
export const readRange = async (
  list: (range: TimeRange) => PortalList<AuditRecord>,
  limits: RangeLimits,
): Promise<RangeRecords> => {
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

/** The first page with rows. */
const firstPage = async (list: PortalList<AuditRecord>): Promise<ListPage<AuditRecord> | undefined> => {
  // A service that counts pages from 0 may return an empty first page.
  for await (const page of list.pages()) if (page.rows.length > 0) return page;
  return undefined;
};
