import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import type { SchemaBuilder } from './schemaBuilder.ts';

/**
 * The audit log is read by time, and by number for equal times. Each index has both, so that a page needs no sorting;
 * each tenant records whether times rise with the numbers, as they do unless the clock was set back.
 */
export const orderAuditByTime = async (db: Kysely<Tables>, { index }: SchemaBuilder): Promise<void> => {
  await db.schema
    .alterTable('tenants')
    .addColumn('audit_in_order', 'bigint', (column) => column.notNull().defaultTo(1))
    .execute();
  await db
    .updateTable('tenants')
    .set({ audit_in_order: 0 })
    .where('id', 'in', (query) =>
      query
        .selectFrom((records) =>
          records
            .selectFrom('audit_logs')
            .select([
              'tenant_id',
              'at',
              sql<number>`lag(at) over (partition by tenant_id order by seq)`.as('previous_at'),
            ])
            .as('records'),
        )
        .select('records.tenant_id')
        .whereRef('records.at', '<', 'records.previous_at'),
    )
    .execute();
  for (const name of ['audit_logs_by_type', 'audit_logs_by_user', 'audit_logs_by_time'])
    await db.schema.dropIndex(name).execute();
  await index('audit_logs_by_type', 'audit_logs', ['tenant_id', 'action_type', 'at', 'seq']);
  await index('audit_logs_by_user', 'audit_logs', ['tenant_id', 'user_id', 'at', 'seq']);
  await index('audit_logs_by_time', 'audit_logs', ['tenant_id', 'at', 'seq']);
};
