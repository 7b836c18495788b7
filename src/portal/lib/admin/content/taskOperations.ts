import { cutRows } from '../paging.ts';
import { defineWholeList } from '../wholeList.ts';
import { readTasks } from './readTasks.ts';
import { taskSchema } from './taskSchema.ts';

/** `GET /v1/tasks` (docs/interface.md#4.4). */
export const listTasks = defineWholeList({
  tag: 'Items, tasks, links',
  section: '4.4',
  permission: 'Administration.Tasks',
  path: '/v1/tasks',
  operationId: 'listTasks',
  summary: 'All tasks of the tenant: webhooks and DAX queries.',
  row: taskSchema,
  read: async ({ db }, tenant, cut) => cutRows(await readTasks(db, tenant.id), cut),
});
