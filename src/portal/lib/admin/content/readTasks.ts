import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables/tables.ts';
import type { TaskBody } from './taskSchema.ts';

/** Every task of a tenant, in the order they were created. */
export const readTasks = async (db: Kysely<Tables>, tenantId: number): Promise<TaskBody[]> => {
  const rows = await db
    .selectFrom('tasks')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    kind: row.kind as TaskBody['kind'],
    reportId: row.item_id,
    // Written as a JSON array of texts by the seed and the control interface.
    visualNames: JSON.parse(row.visual_names) as string[],
    webhookUrl: row.webhook_url,
    hasSecret: row.secret !== null,
    enabled: row.is_enabled === 1,
  }));
};
