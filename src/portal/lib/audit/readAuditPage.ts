import type { Kysely } from 'kysely';
import type { Row, Tables } from '../database/schema.ts';
import type { PageRange } from '../http/listPages.ts';
import { tenantIsGone } from '../http/portalFailure.ts';
import type { AuditQuery } from './auditQuery.ts';

/** One page of audit records and how many match. */
export interface AuditPage {
  readonly rows: readonly Row<'audit_logs'>[];
  readonly totalCount: number;
}

interface Wanted {
  readonly query: AuditQuery;
  readonly range: PageRange;
}

/**
 * Reads a page of a tenant's audit log, newest first: by time, and by number where times are equal. Records keep the
 * portal's time of their creation, even if the clock was set back later.
 */
export const readAuditPage = (
  db: Kysely<Tables>,
  tenantId: number,
  { query, range }: Wanted,
): Promise<AuditPage> => {
  const isFiltered =
    query.userId !== undefined || query.actionType !== undefined || query.dateRange !== undefined;
  return isFiltered
    ? readMatching(db, tenantId, { query, range })
    : readWhole(db, tenantId, { query, range });
};

const readWhole = async (db: Kysely<Tables>, tenantId: number, wanted: Wanted): Promise<AuditPage> => {
  const tenant = await db
    .selectFrom('tenants')
    .select(['audit_seq', 'audit_in_order'])
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow(() => tenantIsGone());
  return tenant.audit_in_order === 1
    ? readNumbers(db, tenantId, { totalCount: tenant.audit_seq, range: wanted.range })
    : readByTime(db, matchingRecords(db, tenantId, wanted.query), {
        tenantId,
        totalCount: tenant.audit_seq,
        range: wanted.range,
      });
};

/** If times rise with the numbers, the numbers of a page are known in advance: they have no gaps. */
const readNumbers = async (
  db: Kysely<Tables>,
  tenantId: number,
  { totalCount, range }: { readonly totalCount: number; readonly range: PageRange },
): Promise<AuditPage> => {
  const newest = totalCount - range.offset;
  const rows = await db
    .selectFrom('audit_logs')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('seq', '<=', newest)
    .where('seq', '>', newest - range.pageSize)
    .orderBy('seq', 'desc')
    .execute();
  return { rows, totalCount };
};

const matchingRecords = (db: Kysely<Tables>, tenantId: number, query: AuditQuery) => {
  const { userId, actionType, dateRange } = query;
  const { startMs, endMs } = dateRange ?? {};
  let matching = db.selectFrom('audit_logs').where('tenant_id', '=', tenantId);
  if (userId !== undefined) matching = matching.where('user_id', '=', userId);
  if (actionType !== undefined) matching = matching.where('action_type', '=', actionType);
  if (startMs !== undefined) matching = matching.where('at', '>=', startMs);
  if (endMs !== undefined) matching = matching.where('at', '<', endMs);
  return matching;
};

const readMatching = async (
  db: Kysely<Tables>,
  tenantId: number,
  { query, range }: Wanted,
): Promise<AuditPage> => {
  const matching = matchingRecords(db, tenantId, query);
  const { count } = await matching
    .select((builder) => builder.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return readByTime(db, matching, { tenantId, totalCount: count, range });
};

/** Reads a page by time. Its numbers come from an index only; only its own records are read. */
const readByTime = async (
  db: Kysely<Tables>,
  matching: ReturnType<typeof matchingRecords>,
  {
    tenantId,
    totalCount,
    range,
  }: { readonly tenantId: number; readonly totalCount: number; readonly range: PageRange },
): Promise<AuditPage> => {
  if (range.offset >= totalCount) return { rows: [], totalCount };
  const rows = await db
    .selectFrom('audit_logs')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(
      'seq',
      'in',
      matching
        .select('seq')
        .orderBy('at', 'desc')
        .orderBy('seq', 'desc')
        .limit(range.pageSize)
        .offset(range.offset),
    )
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .execute();
  return { rows, totalCount };
};
