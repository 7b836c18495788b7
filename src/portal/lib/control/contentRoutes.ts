import { taskRow } from '../actions/taskRow.ts';
import { emptyReply, jsonReply } from '../http/exchange.ts';
import { readJsonBody } from '../http/readJsonBody.ts';
import { validate } from '../service/validate.ts';
import type { ControlContext, ControlRoute } from './controlRoutes.ts';
import { taskSchema } from './controlSchemas.ts';
import { tenantNamed, tenantPath } from './tenantNamed.ts';

/** Routes that change what of a tenant's content the service's own interface only lists. */
export const contentRoutes = ({ services, control }: ControlContext): ControlRoute[] => [
  {
    method: 'DELETE',
    path: `${tenantPath}/items/{itemId}`,
    handle: async (_, { tenancyName = '', itemId }) => {
      await control.removeItem(tenancyName, Number(itemId));
      return emptyReply(204);
    },
  },
  {
    method: 'DELETE',
    path: `${tenantPath}/links/{linkId}`,
    handle: async (_, { tenancyName = '', linkId }) => {
      await control.revokeLink(tenancyName, Number(linkId));
      return emptyReply(204);
    },
  },
  {
    method: 'POST',
    path: `${tenantPath}/tasks`,
    handle: async (request, { tenancyName }) => {
      const tenant = await tenantNamed(services.db, tenancyName);
      const task = validate(taskSchema, readJsonBody(request));
      const { id } = await services.db
        .insertInto('tasks')
        .values(
          taskRow(task, {
            tenantId: tenant.id,
            secret: task.secret ?? null,
            createdAtMs: services.clock.now(),
          }),
        )
        .returning('id')
        .executeTakeFirstOrThrow();
      return jsonReply(201, { id });
    },
  },
  {
    method: 'DELETE',
    path: `${tenantPath}/tasks/{taskId}`,
    handle: async (_, { tenancyName, taskId }) => {
      const tenant = await tenantNamed(services.db, tenancyName);
      await services.db
        .deleteFrom('tasks')
        .where('tenant_id', '=', tenant.id)
        .where('id', '=', Number(taskId))
        .execute();
      return emptyReply(204);
    },
  },
];
