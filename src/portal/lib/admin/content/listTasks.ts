import type { ServiceRow } from '@vitrine/contract/service';
import type { Kysely } from 'kysely';
import { rowsOf } from '../../database/rowsOf.ts';
import type { Tables } from '../../database/schema.ts';
import { sliceRows } from '../../http/listPages.ts';
import { defineWholeList } from '../wholeList.ts';

type TaskBody = ServiceRow<'task'>;

/** All tasks of a tenant, in order of creation. */
const readTasks = async (db: Kysely<Tables>, tenantId: number): Promise<TaskBody[]> => {
  const rows = await rowsOf(db, 'tasks', { tenantId });
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    kind: row.kind,
    reportId: row.item_id,
    // The seed and the control interface write it as a JSON array of strings.
    visualNames: JSON.parse(row.visual_names) as string[],
    webhookUrl: row.webhook_url,
    hasSecret: row.secret !== null,
    enabled: row.is_enabled === 1,
  }));
};

/** `GET /v1/tasks` (docs/interface.md#4.4). */
export const listTasks = defineWholeList('listTasks', async ({ db }, tenant, range) =>
  sliceRows(await readTasks(db, tenant.id), range),
);
