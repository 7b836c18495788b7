import type { auditActionTypes } from '@vitrine/contract/service';
import { z } from 'zod';
import { parseDateRange } from '../clock/parseDateRange.ts';
import { serviceRow } from '../database/rows.ts';
import { auditPagingSchema, idInQuery } from '../http/listPages.ts';
import { stated } from '../provenances.ts';
import { type Route, serviceRoute } from '../route.ts';

const dateRange = z.string().transform((text, context) => {
  const range = parseDateRange(text);
  if (typeof range !== 'string') return range;
  context.addIssue({ code: 'custom', message: range });
  return z.NEVER;
});

const auditQuerySchema = z.strictObject({
  userId: stated('4.5', idInQuery.optional(), 'Only events of the user with this internal ID.'),
  actionType: stated('4.5', z.string().min(1).max(64).optional(), 'Only events of this type.'),
  dateRange: stated(
    '4.5',
    dateRange.optional(),
    'ISO 8601 range <start>/<end>, half-open; an end date without a time includes the whole day; ".." is an open end.',
  ),
  ...auditPagingSchema.shape,
});

/** The audit log (docs/interface.md#4.5), newest first: by time, and by number where times are equal. */
export const auditRoutes: readonly Route[] = [
  serviceRoute(
    'listAuditLogs',
    async ({ services, tenant, query }) => {
      const { userId, actionType, dateRange: range, page, pageSize } = query;
      let records = services.db.selectFrom('audit_logs').where('tenantId', '=', tenant.id);
      if (userId !== undefined) records = records.where('userId', '=', userId);
      if (actionType !== undefined) records = records.where('actionType', '=', actionType);
      if (range?.startMs !== undefined) records = records.where('timestamp', '>=', range.startMs);
      if (range?.endMs !== undefined) records = records.where('timestamp', '<', range.endMs);
      const { count } = await records
        .select((builder) => builder.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      const rows = await records
        .selectAll()
        .orderBy('timestamp', 'desc')
        .orderBy('id', 'desc')
        .limit(pageSize)
        .offset((page - 1) * pageSize)
        .execute();
      const items = rows.map((row) => serviceRow('auditRecord', row));
      return { items, totalCount: count, page, pageSize };
    },
    { query: auditQuerySchema },
  ),
];

/** What causes each type of event, for the documentation. */
export const auditCauses: Readonly<Record<(typeof auditActionTypes)[number], string>> = {
  UserCreated: 'POST /v1/users; a synchronization that finds a person without a user',
  UserUpdated: 'PATCH /v1/users/{userId}; a synchronization that finds another name or address',
  UserDeleted: 'DELETE /v1/users/{userId}, which also ends the keys of this viewer',
  RoleCreated: 'POST /v1/roles',
  RoleUpdated: 'PATCH …/roles/{roleId}; PUT …/roles/{code}/rule',
  RoleRemoved: 'DELETE …/roles/{roleId}',
  OrganizationUnitCreated: 'POST /v1/organization-units',
  OrganizationUnitSynced: 'POST /v1/organization-units/{ouId}/sync',
  OrganizationUnitUpdated: 'PATCH …/organization-units/{ouId}',
  OrganizationUnitRemoved: 'DELETE …/organization-units/{ouId}',
  ItemImported: 'POST /v1/items',
  ItemUpdated: 'PATCH …/items/{itemId}',
  ItemRemoved: 'DELETE …/items/{itemId}',
  ReportViewed: 'Opening a report page',
  ReportExported: '"Export CSV" on a report page',
  KeyCreated: 'CreateEncryptedKey; the preview of the console',
  KeyRevoked: 'DELETE …/links/{linkId}',
  TaskCreated: 'POST …/tasks',
  TaskUpdated: 'PATCH …/tasks/{taskId}; a new target for all webhooks of a tenant',
  TaskRemoved: 'DELETE …/tasks/{taskId}',
  TaskExecuted: 'A webhook that was acknowledged with 2xx',
  TaskFailed: 'A webhook that was refused, got no response, or was lost by a fault',
  ApiKeyCreated: 'POST …/api-keys',
  ApiKeyRevoked: 'DELETE …/api-keys/{id}',
  DirectoryUpdated: 'PUT …/directory',
  TenantCreated: 'POST /_control/tenants',
  TenantUpdated: 'PATCH /_control/tenants/{tenancyName}',
};
