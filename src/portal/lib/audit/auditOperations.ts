import { z } from 'zod';
import { listSchema, pageRangeOf, pageReply } from '../http/listPages.ts';
import { chosen, stated } from '../provenances.ts';
import { defineOperation } from '../service/operation.ts';
import { auditQuerySchema } from './auditQuery.ts';
import { readAuditPage } from './readAuditPage.ts';

/** An audit record as the portal returns it. */
export const auditRecordSchema = z.strictObject({
  id: chosen(
    z.int(),
    'Number of the record in its tenant: 1, 2, 3 … in the order of the changes, without gaps.',
  ),
  actionType: stated('6.2', z.string(), 'Type of the event, such as UserCreated.'),
  timestamp: chosen(z.iso.datetime(), 'ISO 8601 UTC.'),
  userId: chosen(z.int().nullable(), 'Internal ID of the user who made the change, or null.'),
  userEmail: chosen(
    z.string().nullable(),
    'Email address of the user, or name of the API key or interface, that made the change.',
  ),
  resourceType: chosen(z.string(), 'Kind of the changed resource.'),
  resourceId: chosen(z.string(), 'Identifier of the changed resource.'),
  description: chosen(z.string(), 'A sentence.'),
  result: chosen(z.enum(['success', 'failure']), 'Result.'),
  ipAddress: chosen(z.string().nullable(), 'Source address.'),
  details: chosen(z.record(z.string(), z.unknown()), 'Details, depending on the type.'),
});

/** `GET /v1/audit-logs` (docs/interface.md#4.5). */
export const listAuditLogs = defineOperation({
  tag: 'Audit log',
  section: '4.5',
  permission: 'Administration.AuditLogs',
  method: 'GET',
  path: '/v1/audit-logs',
  operationId: 'listAuditLogs',
  summary: 'Paginated list of administrative events, newest first; for equal times, the higher number first.',
  query: auditQuerySchema,
  success: { status: 200, schema: listSchema(auditRecordSchema) },
  handle: async ({ services, tenant, query }) => {
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
});
