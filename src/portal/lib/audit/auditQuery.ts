import { z } from 'zod';
import { idInQuery, pagingSchema } from '../http/listPages.ts';
import { stated } from '../provenances.ts';
import { parseDateRange } from './parseDateRange.ts';

const dateRange = z.string().transform((text, context) => {
  const range = parseDateRange(text);
  if (typeof range !== 'string') return range;
  context.addIssue({ code: 'custom', message: range });
  return z.NEVER;
});

/** Query of `GET /v1/audit-logs` (docs/interface.md#4.5). */
export const auditQuerySchema = z.strictObject({
  userId: stated('4.5', idInQuery.optional(), 'Only events of the user with this internal ID.'),
  actionType: stated('4.5', z.string().min(1).max(64).optional(), 'Only events of this type.'),
  dateRange: stated(
    '4.5',
    dateRange.optional(),
    'ISO 8601 range <start>/<end>, half-open; an end date without a time includes the whole day; ".." is an open end.',
  ),
  ...pagingSchema.shape,
});

/** A parsed query of `GET /v1/audit-logs`. */
export type AuditQuery = z.output<typeof auditQuerySchema>;
