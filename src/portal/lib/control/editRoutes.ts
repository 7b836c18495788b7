import { operations } from '../admin/operations.ts';
import { emptyReply } from '../http/exchange.ts';
import { notFound } from '../http/portalFailure.ts';
import { readJsonBody } from '../http/readJsonBody.ts';
import { validate } from '../service/validate.ts';
import { answerConsoleList, runOperation } from './consoleLists.ts';
import type { ControlContext, ControlRoute } from './controlRoutes.ts';
import { itemChangeSchema, roleChangeSchema, taskChangeSchema, unitChangeSchema } from './controlSchemas.ts';
import { changeRole, removeRole } from './roleChanges.ts';
import { tenantNamed, tenantPath } from './tenantNamed.ts';
import { changeUnit, removeUnit } from './unitChanges.ts';

/** A number of the database in a path. */
const idOf = (text: string | undefined): number => {
  if (text === undefined || !/^[1-9]\d{0,8}$/.test(text)) throw notFound('What the address names', 'id');
  return Number(text);
};

/** Routes that edit a tenant from the console: every operation of `/v1`, and what the service has no endpoint for. */
export const editRoutes = ({ services }: ControlContext): ControlRoute[] => [
  ...operations.map(
    (operation): ControlRoute => ({
      method: operation.method,
      path: `${tenantPath}${operation.path}`,
      handle: async (request, { tenancyName, ...params }) => {
        const tenant = await tenantNamed(services.db, tenancyName);
        return runOperation(operation, { services, tenant, request }, params);
      },
    }),
  ),
  {
    method: 'GET',
    path: `${tenantPath}/lists/{name}`,
    handle: async (request, { tenancyName, name = '' }) => {
      const tenant = await tenantNamed(services.db, tenancyName);
      return answerConsoleList({ services, tenant, request }, name);
    },
  },
  {
    method: 'PATCH',
    path: `${tenantPath}/roles/{roleId}`,
    handle: async (request, { tenancyName, roleId }) => {
      const tenant = await tenantNamed(services.db, tenancyName);
      const change = validate(roleChangeSchema, readJsonBody(request));
      await changeRole({ services, tenant, roleId: idOf(roleId) }, change);
      return emptyReply(204);
    },
  },
  {
    method: 'DELETE',
    path: `${tenantPath}/roles/{roleId}`,
    handle: async (_, { tenancyName, roleId }) => {
      const tenant = await tenantNamed(services.db, tenancyName);
      await removeRole({ services, tenant, roleId: idOf(roleId) });
      return emptyReply(204);
    },
  },
  {
    method: 'PATCH',
    path: `${tenantPath}/organization-units/{ouId}`,
    handle: async (request, { tenancyName, ouId }) => {
      const tenant = await tenantNamed(services.db, tenancyName);
      const change = validate(unitChangeSchema, readJsonBody(request));
      await changeUnit({ services, tenant, unitId: idOf(ouId) }, change);
      return emptyReply(204);
    },
  },
  {
    method: 'DELETE',
    path: `${tenantPath}/organization-units/{ouId}`,
    handle: async (_, { tenancyName, ouId }) => {
      const tenant = await tenantNamed(services.db, tenancyName);
      await removeUnit({ services, tenant, unitId: idOf(ouId) });
      return emptyReply(204);
    },
  },
  {
    method: 'PATCH',
    path: `${tenantPath}/items/{itemId}`,
    handle: async (request, { tenancyName, itemId }) => {
      const tenant = await tenantNamed(services.db, tenancyName);
      const { displayName, roles, hasRls, report } = validate(itemChangeSchema, readJsonBody(request));
      const changed = await services.db
        .updateTable('items')
        .set({
          id: idOf(itemId),
          ...(displayName !== undefined && { display_name: displayName }),
          ...(roles !== undefined && { roles: JSON.stringify(roles) }),
          ...(hasRls !== undefined && { has_rls: Number(hasRls) }),
          ...(report !== undefined && { report }),
        })
        .where('tenant_id', '=', tenant.id)
        .where('id', '=', idOf(itemId))
        .executeTakeFirst();
      if (changed.numUpdatedRows === 0n) throw notFound('The item', 'itemId');
      return emptyReply(204);
    },
  },
  {
    method: 'PATCH',
    path: `${tenantPath}/tasks/{taskId}`,
    handle: async (request, { tenancyName, taskId }) => {
      const tenant = await tenantNamed(services.db, tenancyName);
      const task = validate(taskChangeSchema, readJsonBody(request));
      const changed = await services.db
        .updateTable('tasks')
        .set({
          id: idOf(taskId),
          ...(task.name !== undefined && { name: task.name }),
          ...(task.description !== undefined && { description: task.description }),
          ...(task.itemId !== undefined && { item_id: task.itemId }),
          ...(task.visualNames !== undefined && { visual_names: JSON.stringify(task.visualNames) }),
          ...(task.webhookUrl !== undefined && { webhook_url: task.webhookUrl }),
          ...(task.secret !== undefined && { secret: task.secret }),
          ...(task.query !== undefined && { query: task.query }),
          ...(task.enabled !== undefined && { is_enabled: Number(task.enabled) }),
        })
        .where('tenant_id', '=', tenant.id)
        .where('id', '=', idOf(taskId))
        .executeTakeFirst();
      if (changed.numUpdatedRows === 0n) throw notFound('The task', 'taskId');
      return emptyReply(204);
    },
  },
];
