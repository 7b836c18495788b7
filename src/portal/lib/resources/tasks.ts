import { resources } from '@vitrine/contract/service';
import { fieldSchema } from '@vitrine/contract/service/schemas';
import { z } from 'zod';
import { onlyWebhooks, receiverOf, taskFields, taskSchema } from '../actions/webhookSchemas.ts';
import { type Change, change } from '../change.ts';
import { newTask, serviceRow } from '../database/rows.ts';
import { changeRow, findRow, insertRow, removeRow, rowsOf } from '../database/tenantRows.ts';
import { createdSchema } from '../http/listPages.ts';
import { invalidField } from '../http/portalFailure.ts';
import { visualsOf } from '../reports/definitions/reportDefinitions.ts';
import { type Route, serviceRoute, tenantRoute, wholeList } from '../route.ts';

const { fields } = resources.task;

/** Body of a change to a task. Without a secret, the current one stays; null removes it. */
const taskChangeSchema = z.strictObject({
  name: fieldSchema(fields.name).optional(),
  description: fieldSchema(fields.description).optional(),
  visualNames: fieldSchema(fields.visualNames).optional(),
  enabled: z.boolean().optional(),
  ...taskFields,
});

/** Refuses an item that the tenant does not have, and visuals that its report does not have. */
const checkBinding = async (
  changing: Change,
  itemId: number | null | undefined,
  visualNames: readonly string[],
): Promise<void> => {
  if (itemId === undefined || itemId === null) {
    if (visualNames.length > 0)
      throw invalidField('itemId', 'is required for a task that is bound to visuals');
    return;
  }
  const item = await findRow(changing, 'items', itemId, 'itemId').catch(() => {
    throw invalidField('itemId', 'is not an item of this tenant');
  });
  const visuals = visualsOf(item.report);
  const place = visualNames.findIndex((name) => !visuals.includes(name));
  if (place >= 0)
    throw invalidField(
      `visualNames[${place}]`,
      `is not a visual of the item's report, which has ${visuals.join(', ')}`,
    );
};

/** Tasks (docs/interface.md#4.4). */
export const taskRoutes: readonly Route[] = [
  serviceRoute(
    'listTasks',
    wholeList(async (place) =>
      (await rowsOf(place, 'tasks')).map((row) =>
        serviceRow('task', row, { reportId: row.itemId, hasSecret: row.secret !== null }),
      ),
    ),
  ),
  tenantRoute('POST /tasks', 'Creates a task.', {
    body: ['NewTask', taskSchema],
    answer: createdSchema,
    handle: (call) =>
      change(call, 'TaskCreated', async (changing) => {
        const { secret = null, ...body } = call.body;
        await checkBinding(changing, body.itemId, body.visualNames);
        const { id } = await insertRow(changing.db, 'tasks', newTask(changing, body, secret));
        return {
          id,
          description: `The task "${body.name}" was created.`,
          details: { ...body, hasSecret: secret !== null },
          result: { id },
        };
      }),
  }),
  tenantRoute(
    'PATCH /tasks/{taskId}',
    'Changes a task. Without `secret`, its secret stays; null removes it.',
    {
      body: ['TaskChange', taskChangeSchema],
      handle: (call) =>
        change(call, 'TaskUpdated', async (changing) => {
          const task = await findRow(changing, 'tasks', call.params['taskId'], 'taskId');
          const { itemId = task.itemId, visualNames } = call.body;
          const unused = receiverOf(call.body);
          if (task.kind === 'daxQuery' && unused !== undefined) throw invalidField(unused, onlyWebhooks);
          if (call.body.itemId !== undefined || visualNames !== undefined)
            await checkBinding(changing, itemId, visualNames ?? task.visualNames);
          const recorded = await changeRow(changing, 'tasks', task, call.body);
          const { secret, ...changes } = recorded.details.changes;
          return { ...recorded, details: { changes, ...(secret && { isSecretChanged: true }) } };
        }),
    },
  ),
  tenantRoute('DELETE /tasks/{taskId}', 'Removes a task.', {
    handle: (call) =>
      change(call, 'TaskRemoved', async (changing) =>
        removeRow(changing, 'tasks', await findRow(changing, 'tasks', call.params['taskId'], 'taskId')),
      ),
  }),
];
