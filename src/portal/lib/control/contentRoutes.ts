import { taskRow } from '../actions/taskRow.ts';
import { notFound } from '../http/portalFailure.ts';
import { rowId } from '../http/rowId.ts';
import { removeItem, revokeLink } from './contentChanges.ts';
import { controlAnswers } from './controlAnswers.ts';
import { type ControlRoute, tenantRoute } from './controlRoute.ts';
import { itemChangeSchema, taskChangeSchema, taskSchema } from './controlSchemas.ts';

/** Routes of items, tasks and links that the service has no endpoints for. */
export const contentRoutes: readonly ControlRoute[] = [
  tenantRoute({
    method: 'PATCH',
    path: '/items/{itemId}',
    summary: 'Changes an item.',
    body: ['ItemChange', itemChangeSchema],
    status: 204,
    handle: async ({ services, tenant, params, body: { displayName, roles, hasRls, report } }) => {
      const id = rowId(params['itemId'], 'The item', 'itemId');
      const changed = await services.db
        .updateTable('items')
        .set({
          id,
          display_name: displayName,
          roles: roles && JSON.stringify(roles),
          has_rls: hasRls === undefined ? undefined : Number(hasRls),
          ...(report !== undefined && { report }),
        })
        .where('tenant_id', '=', tenant.id)
        .where('id', '=', id)
        .executeTakeFirst();
      if (changed.numUpdatedRows === 0n) throw notFound('The item', 'itemId');
    },
  }),
  tenantRoute({
    method: 'DELETE',
    path: '/items/{itemId}',
    summary: 'Removes an item; its links expire.',
    status: 204,
    handle: async (call) => removeItem(call, call.params['itemId']),
  }),
  tenantRoute({
    method: 'POST',
    path: '/tasks',
    summary: 'Creates a task.',
    body: ['NewTask', taskSchema],
    status: 201,
    answer: controlAnswers.created,
    handle: async ({ services, tenant, body }) =>
      services.db
        .insertInto('tasks')
        .values(
          taskRow(body, {
            tenantId: tenant.id,
            secret: body.secret ?? null,
            createdAtMs: services.clock.now(),
          }),
        )
        .returning('id')
        .executeTakeFirstOrThrow(),
  }),
  tenantRoute({
    method: 'PATCH',
    path: '/tasks/{taskId}',
    summary: 'Changes a task. Without `secret`, its secret stays; null removes it.',
    body: ['TaskChange', taskChangeSchema],
    status: 204,
    handle: async ({ services, tenant, params, body }) => {
      const id = rowId(params['taskId'], 'The task', 'taskId');
      const changed = await services.db
        .updateTable('tasks')
        .set({
          id,
          name: body.name,
          description: body.description,
          item_id: body.itemId,
          visual_names: body.visualNames && JSON.stringify(body.visualNames),
          webhook_url: body.webhookUrl,
          secret: body.secret,
          query: body.query,
          is_enabled: body.enabled === undefined ? undefined : Number(body.enabled),
        })
        .where('tenant_id', '=', tenant.id)
        .where('id', '=', id)
        .executeTakeFirst();
      if (changed.numUpdatedRows === 0n) throw notFound('The task', 'taskId');
    },
  }),
  tenantRoute({
    method: 'DELETE',
    path: '/tasks/{taskId}',
    summary: 'Removes a task.',
    status: 204,
    handle: async ({ services, tenant, params }) =>
      services.db
        .deleteFrom('tasks')
        .where('tenant_id', '=', tenant.id)
        .where('id', '=', rowId(params['taskId'], 'The task', 'taskId'))
        .execute(),
  }),
  tenantRoute({
    method: 'DELETE',
    path: '/links/{linkId}',
    summary: 'Revokes a link: its report closes within seconds.',
    status: 204,
    handle: async (call) => revokeLink(call, call.params['linkId']),
  }),
];
