import { z } from 'zod';
import { parseDateRange } from '../clock/parseDateRange.ts';
import { serviceRow } from '../database/rows.ts';
import { idInQuery, pagingSchema } from '../http/listPages.ts';
import { type Route, serviceRoute } from '../route.ts';

const dateRange = z.string().transform((text, context) => {
  const range = parseDateRange(text);
  if (typeof range !== 'string') return range;
  context.addIssue({ code: 'custom', message: range });
  return z.NEVER;
});

const auditQuerySchema = z.strictObject({
  userId: idInQuery.optional().describe('Only events of the user with this internal ID.'),
  actionType: z.string().min(1).max(64).optional().describe('Only events of this type.'),
  dateRange: dateRange
    .optional()
    .describe(
      'ISO 8601 range <start>/<end>, half-open; an end date without a time includes the whole day; ".." is an open end.',
    ),
  ...pagingSchema.shape,
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
