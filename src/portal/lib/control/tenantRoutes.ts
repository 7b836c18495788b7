import { reportUrl } from '@vitrine/contract';
import type { Kysely } from 'kysely';
import { operations } from '../admin/operations.ts';
import { secretDigest } from '../auth/secretDigest.ts';
import type { Tables } from '../database/tables/tables.ts';
import { issueKey } from '../embedding/issueKey.ts';
import { emptyReply, jsonReply } from '../http/exchange.ts';
import { notFound } from '../http/portalFailure.ts';
import { readJsonBody } from '../http/readJsonBody.ts';
import { validate } from '../http/validate.ts';
import { insertAll } from '../seed/applySeed.ts';
import { rowRuleSchema } from '../seed/seedSchema.ts';
import { describeTenants } from '../tenants/describeTenants.ts';
import { findTenantByName } from '../tenants/findTenant.ts';
import type { ControlContext, ControlRoute } from './controlRoutes.ts';
import {
  apiKeySchema,
  directorySchema,
  newTenantSchema,
  previewKeySchema,
  taskSchema,
} from './controlSchemas.ts';
import { tenantChangeSchema } from './portalControl.ts';

const tenantOf = async (db: Kysely<Tables>, name: string | undefined) => {
  const tenant = await findTenantByName(db, name ?? '');
  if (tenant === undefined) throw notFound('The tenant', 'tenancyName');
  return tenant;
};

/** Who reads a tenant's lists for the console. */
const consoleKey = { id: 0, name: 'Console', permissions: [], userId: null, userEmail: null };

const base = '/_control/tenants/{tenancyName}';

/** Routes that make, change and remove tenants, and what of theirs the service's own interface cannot change. */
export const tenantRoutes = ({ services, control }: ControlContext): ControlRoute[] => [
  {
    method: 'GET',
    path: '/_control/tenants',
    handle: async () => jsonReply(200, { items: await describeTenants(services, { tenants: [] }) }),
  },
  {
    method: 'POST',
    path: '/_control/tenants',
    handle: async (request) => {
      const { template, tenancyName } = validate(newTenantSchema, readJsonBody(request));
      return jsonReply(
        201,
        await control.createTenant({
          ...(template !== undefined && { template }),
          ...(tenancyName !== undefined && { tenancyName }),
        }),
      );
    },
  },
  {
    method: 'DELETE',
    path: base,
    handle: async (_, { tenancyName = '' }) => {
      await control.removeTenant(tenancyName);
      return emptyReply(204);
    },
  },
  {
    method: 'PATCH',
    path: base,
    handle: async (request, { tenancyName = '' }) => {
      const { frameAncestors, actionTarget } = validate(tenantChangeSchema, readJsonBody(request));
      // The profile is stored as it was asked for, without the defaults that parsing fills in.
      const { profile } = readJsonBody(request) as { profile?: object };
      await control.changeTenant(tenancyName, {
        ...(frameAncestors !== undefined && { frameAncestors }),
        ...(profile !== undefined && { profile }),
        ...(actionTarget !== undefined && { actionTarget }),
      });
      return emptyReply(204);
    },
  },
  {
    method: 'GET',
    path: `${base}/lists/{name}`,
    handle: async (request, { tenancyName, name }) => {
      const tenant = await tenantOf(services.db, tenancyName);
      const operation = operations.find((one) => one.method === 'GET' && one.path === `/v1/${name}`);
      if (operation === undefined) throw notFound('The list', 'name');
      const query = operation.query && validate(operation.query, Object.fromEntries(request.query));
      return operation.handle({
        services,
        tenant,
        apiKey: { ...consoleKey, tenantId: tenant.id },
        request,
        params: {},
        // defineOperation ties `handle` to the schemas whose outputs these are.
        body: undefined as never,
        query: query as never,
      });
    },
  },
  {
    method: 'POST',
    path: `${base}/keys`,
    handle: async (request, { tenancyName }) => {
      const tenant = await tenantOf(services.db, tenancyName);
      const { itemId, userId, roleNames, lifetimeMs } = validate(previewKeySchema, readJsonBody(request));
      const item = await services.db
        .selectFrom('items')
        .select(['id', 'display_name'])
        .where('tenant_id', '=', tenant.id)
        .where('id', '=', itemId)
        .executeTakeFirst();
      if (item === undefined) throw notFound('The item', 'itemId');
      const key = await issueKey(services, {
        tenant,
        item,
        userId,
        roleNames,
        expiresAtMs: services.clock.now() + lifetimeMs,
        actor: { userId: null, userEmail: 'console', ipAddress: request.ipAddress },
      });
      return jsonReply(201, { key, url: reportUrl(services.tenantUrl(tenant.tenancyName), itemId, key) });
    },
  },
  {
    method: 'DELETE',
    path: `${base}/links/{linkId}`,
    handle: async (_, { tenancyName = '', linkId }) => {
      await control.revokeLink(tenancyName, Number(linkId));
      return emptyReply(204);
    },
  },
  {
    method: 'POST',
    path: `${base}/tasks`,
    handle: async (request, { tenancyName }) => {
      const tenant = await tenantOf(services.db, tenancyName);
      const task = validate(taskSchema, readJsonBody(request));
      const { id } = await services.db
        .insertInto('tasks')
        .values({
          tenant_id: tenant.id,
          name: task.name,
          description: task.description,
          kind: task.kind,
          item_id: task.itemId ?? null,
          visual_names: JSON.stringify(task.visualNames),
          webhook_url: task.webhookUrl ?? null,
          secret: task.secret ?? null,
          query: task.query ?? null,
          is_enabled: Number(task.enabled),
          created_at: services.clock.now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return jsonReply(201, { id });
    },
  },
  {
    method: 'DELETE',
    path: `${base}/tasks/{taskId}`,
    handle: async (_, { tenancyName, taskId }) => {
      const tenant = await tenantOf(services.db, tenancyName);
      await services.db
        .deleteFrom('tasks')
        .where('tenant_id', '=', tenant.id)
        .where('id', '=', Number(taskId))
        .execute();
      return emptyReply(204);
    },
  },
  {
    method: 'PUT',
    path: `${base}/directory`,
    handle: async (request, { tenancyName }) => {
      const tenant = await tenantOf(services.db, tenancyName);
      const directory = validate(directorySchema, readJsonBody(request));
      const tenant_id = tenant.id;
      await services.db.transaction().execute(async (db) => {
        for (const table of ['directory_members', 'directory_groups', 'directory_people'] as const)
          await db.deleteFrom(table).where('tenant_id', '=', tenant_id).execute();
        await insertAll(
          db,
          'directory_people',
          directory.people.map(({ id, email, firstName, lastName, type }) => ({
            tenant_id,
            id,
            email,
            first_name: firstName,
            last_name: lastName,
            type,
          })),
        );
        await insertAll(
          db,
          'directory_groups',
          directory.groups.map(({ id, name }) => ({ tenant_id, id, name })),
        );
        await insertAll(
          db,
          'directory_members',
          directory.groups.flatMap(({ id, members }) =>
            members.map((person_id) => ({ tenant_id, group_id: id, person_id })),
          ),
        );
      });
      return emptyReply(204);
    },
  },
  {
    method: 'PUT',
    path: `${base}/roles/{code}/rule`,
    handle: async (request, { tenancyName, code = '' }) => {
      const tenant = await tenantOf(services.db, tenancyName);
      const rule = validate(rowRuleSchema, readJsonBody(request));
      const changed = await services.db
        .updateTable('roles')
        .set({ rule: JSON.stringify(rule) })
        .where('tenant_id', '=', tenant.id)
        .where('code', '=', code)
        .returning('id')
        .executeTakeFirst();
      if (changed === undefined) throw notFound('The role', 'code');
      return emptyReply(204);
    },
  },
  {
    method: 'POST',
    path: `${base}/api-keys`,
    handle: async (request, { tenancyName }) => {
      const tenant = await tenantOf(services.db, tenancyName);
      const { name, permissions } = validate(apiKeySchema, readJsonBody(request));
      const apiKey = `development-only-api-key.${tenant.tenancyName}.${services.randomBytes(18).toString('base64url')}`;
      const { id } = await services.db
        .insertInto('api_keys')
        .values({
          tenant_id: tenant.id,
          name,
          digest: secretDigest(apiKey),
          permissions: JSON.stringify(permissions),
          user_id: null,
          revoked_at: null,
          created_at: services.clock.now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return jsonReply(201, { id, apiKey });
    },
  },
  {
    method: 'DELETE',
    path: `${base}/api-keys/{id}`,
    handle: async (_, { tenancyName, id }) => {
      const tenant = await tenantOf(services.db, tenancyName);
      await services.db
        .updateTable('api_keys')
        .set({ revoked_at: services.clock.now() })
        .where('tenant_id', '=', tenant.id)
        .where('id', '=', Number(id))
        .execute();
      return emptyReply(204);
    },
  },
];
