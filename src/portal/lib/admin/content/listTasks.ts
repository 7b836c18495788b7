import type { Kysely } from 'kysely';
import { z } from 'zod';
import { rowsOf } from '../../database/rowsOf.ts';
import type { Tables } from '../../database/tables/tables.ts';
import { sliceRows } from '../../http/listPages.ts';
import { chosen, stated } from '../../provenances.ts';
import { defineWholeList } from '../wholeList.ts';

/** A task as the portal returns it. The secret is never part of it. */
const taskSchema = z.strictObject({
  id: chosen(z.int(), 'Internal number.'),
  name: chosen(z.string(), 'Name of the task.'),
  description: chosen(z.string(), 'Free text.'),
  kind: stated('2.5', z.enum(['webhook', 'daxQuery']), 'What the task does.'),
  reportId: chosen(z.int().nullable(), 'Item ID of the bound report, or null.'),
  visualNames: chosen(z.array(z.string()), 'Bound visuals.'),
  webhookUrl: chosen(z.string().nullable(), 'URL of a webhook task, or null.'),
  hasSecret: chosen(z.boolean(), 'Whether a secret token is sent; the token itself is never returned.'),
  enabled: chosen(z.boolean(), 'Whether the task runs.'),
});

type TaskBody = z.output<typeof taskSchema>;

/** All tasks of a tenant, in order of creation. */
const readTasks = async (db: Kysely<Tables>, tenantId: number): Promise<TaskBody[]> => {
  const rows = await rowsOf(db, 'tasks', { tenantId });
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    kind: row.kind as TaskBody['kind'],
    reportId: row.item_id,
    // The seed and the control interface write it as a JSON array of strings.
    visualNames: JSON.parse(row.visual_names) as string[],
    webhookUrl: row.webhook_url,
    hasSecret: row.secret !== null,
    enabled: row.is_enabled === 1,
  }));
};

/** `GET /v1/tasks` (docs/interface.md#4.4). */
export const listTasks = defineWholeList({
  tag: 'Items, tasks, links',
  section: '4.4',
  permission: 'Administration.Tasks',
  path: '/v1/tasks',
  operationId: 'listTasks',
  summary: 'All tasks of the tenant: webhooks and DAX queries.',
  row: taskSchema,
  read: async ({ db }, tenant, range) => sliceRows(await readTasks(db, tenant.id), range),
});
