import { pageRangeOf, pageReply } from '../http/listPages.ts';
import { defineOperation } from '../service/operation.ts';
import { auditQuerySchema } from './auditQuery.ts';
import { readAuditPage } from './readAuditPage.ts';

/** `GET /v1/audit-logs` (docs/interface.md#4.5). */
export const listAuditLogs = defineOperation(
  'listAuditLogs',
  async ({ services, tenant, query }) => {
    const range = pageRangeOf(query);
    const { rows, totalCount } = await readAuditPage(services.db, tenant.id, { query, range });
    const items = rows.map((row) => ({
      id: row.seq,
      actionType: row.action_type,
      timestamp: new Date(row.at).toISOString(),
      userId: row.user_id,
      userEmail: row.user_email,
      resourceType: row.resource_type,
      resourceId: row.resource_id,
      description: row.description,
      result: row.result,
      ipAddress: row.ip_address,
      details: JSON.parse(row.details) as unknown,
    }));
    return pageReply(range, { items, totalCount });
  },
  auditQuerySchema,
);
