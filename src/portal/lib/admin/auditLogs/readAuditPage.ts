import type { Kysely, Selectable } from 'kysely';
import type { AuditLogsTable, Tables } from '../../database/tables.ts';
import type { Cut } from '../paging.ts';
import type { AuditQuery } from './auditOperations.ts';

/** One page of audit records and how many match. */
export interface AuditPage {
  readonly rows: readonly Selectable<AuditLogsTable>[];
  readonly totalCount: number;
}

/** Reads a page of a tenant's audit log, newest first. */
export const readAuditPage = (
  db: Kysely<Tables>,
  tenantId: number,
  { query, cut }: { readonly query: AuditQuery; readonly cut: Cut },
): Promise<AuditPage> => {
  const isFiltered =
    query.userId !== undefined || query.actionType !== undefined || query.dateRange !== undefined;
  return isFiltered ? readFiltered(db, tenantId, { query, cut }) : readWhole(db, tenantId, cut);
};

/** Without filters the numbers of a page's records are known beforehand: they have no holes. */
const readWhole = async (db: Kysely<Tables>, tenantId: number, cut: Cut): Promise<AuditPage> => {
  const { audit_seq: totalCount } = await db
    .selectFrom('tenants')
    .select('audit_seq')
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow();
  const newest = totalCount - cut.offset;
  const rows = await db
    .selectFrom('audit_logs')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('seq', '<=', newest)
    .where('seq', '>', newest - cut.pageSize)
    .orderBy('seq', 'desc')
    .execute();
  return { rows, totalCount };
};

const readFiltered = async (
  db: Kysely<Tables>,
  tenantId: number,
  { query, cut }: { readonly query: AuditQuery; readonly cut: Cut },
): Promise<AuditPage> => {
  const { userId, actionType, dateRange } = query;
  const { startMs, endMs } = dateRange ?? {};
  const matching = db
    .selectFrom('audit_logs')
    .where('tenant_id', '=', tenantId)
    .$if(userId !== undefined, (q) => q.where('user_id', '=', userId ?? 0))
    .$if(actionType !== undefined, (q) => q.where('action_type', '=', actionType ?? ''))
    .$if(startMs !== undefined, (q) => q.where('at', '>=', startMs ?? 0))
    .$if(endMs !== undefined, (q) => q.where('at', '<', endMs ?? 0));
  const { count } = await matching
    .select((builder) => builder.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (cut.offset >= count) return { rows: [], totalCount: count };
  const rows = await matching
    .selectAll()
    .orderBy('seq', 'desc')
    .limit(cut.pageSize)
    .offset(cut.offset)
    .execute();
  return { rows, totalCount: count };
};
