import { z } from 'zod';
import { cutOf, listSchema, pageReply } from '../http/paging.ts';
import { chosen, stated } from '../provenance.ts';
import { defineOperation } from '../service/operation.ts';
import { auditQuerySchema } from './auditQuery.ts';
import { readAuditPage } from './readAuditPage.ts';

/** An audit record as the portal returns it. */
export const auditRecordSchema = z.strictObject({
  id: chosen(
    z.int(),
    'Number of the record in its tenant: 1, 2, 3 … in the order the changes were made, without holes.',
  ),
  actionType: stated('6.2', z.string(), 'Type of the event, such as UserCreated.'),
  timestamp: chosen(z.iso.datetime(), 'ISO 8601 UTC.'),
  userId: chosen(z.int().nullable(), 'Internal number of who did it, or null.'),
  userEmail: chosen(z.string().nullable(), 'E-mail address or other identity of who did it.'),
  resourceType: chosen(z.string(), 'Kind of what it was done to.'),
  resourceId: chosen(z.string(), 'Identifier of what it was done to.'),
  description: chosen(z.string(), 'A sentence.'),
  result: chosen(z.enum(['success', 'failure']), 'How it ended.'),
  ipAddress: chosen(z.string().nullable(), 'Where it came from.'),
  details: chosen(z.record(z.string(), z.unknown()), 'More, depending on the type.'),
});

/** `GET /v1/audit-logs` (docs/interface.md#4.5). */
export const listAuditLogs = defineOperation({
  tag: 'Audit log',
  section: '4.5',
  permission: 'Administration.AuditLogs',
  method: 'GET',
  path: '/v1/audit-logs',
  operationId: 'listAuditLogs',
  summary:
    'Paginated list of administrative events, newest first; where times are equal, the higher number first.',
  query: auditQuerySchema,
  success: { status: 200, schema: listSchema(auditRecordSchema) },
  handle: async ({ services, tenant, query }) => {
    const cut = cutOf(query);
    const { rows, totalCount } = await readAuditPage(services.db, tenant.id, { query, cut });
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
    return pageReply(cut, { items, totalCount });
  },
});
