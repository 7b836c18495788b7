import { rowId } from '../http/rowId.ts';
import { rowRuleSchema } from '../rowSecurity.ts';
import { secretDigest } from '../secretDigest.ts';
import { applyDirectory } from '../seed/applySeed.ts';
import { directorySchema } from '../seed/seedSchema.ts';
import { controlAnswers } from './controlAnswers.ts';
import { type ControlRoute, tenantRoute } from './controlRoute.ts';
import { apiKeySchema, roleChangeSchema, unitChangeSchema } from './controlSchemas.ts';
import { changeRole, removeRole, setRule } from './roleChanges.ts';
import { changeUnit, removeUnit } from './unitChanges.ts';

/** Routes of roles, their row rules, units, the identity directory, and API keys. */
export const peopleRoutes: readonly ControlRoute[] = [
  tenantRoute({
    method: 'PATCH',
    path: '/roles/{roleId}',
    summary: 'Changes a role and the rows that it shows.',
    body: ['RoleChange', roleChangeSchema],
    status: 204,
    handle: async (call) => changeRole(call, rowId(call.params['roleId'], 'The role', 'roleId'), call.body),
  }),
  tenantRoute({
    method: 'DELETE',
    path: '/roles/{roleId}',
    summary: 'Removes a role.',
    status: 204,
    handle: async (call) => removeRole(call, rowId(call.params['roleId'], 'The role', 'roleId')),
  }),
  tenantRoute({
    method: 'PUT',
    path: '/roles/{code}/rule',
    summary: 'Sets the rule of the RLS role with this code.',
    body: ['RowRule', rowRuleSchema],
    status: 204,
    handle: async (call) => setRule(call, call.params['code'] ?? '', call.body),
  }),
  tenantRoute({
    method: 'PATCH',
    path: '/organization-units/{ouId}',
    summary: 'Renames a unit, moves it, or links it to another directory group.',
    body: ['UnitChange', unitChangeSchema],
    status: 204,
    handle: async (call) => changeUnit(call, rowId(call.params['ouId'], 'The unit', 'ouId'), call.body),
  }),
  tenantRoute({
    method: 'DELETE',
    path: '/organization-units/{ouId}',
    summary: 'Removes a unit without units below it, and the memberships in it.',
    status: 204,
    handle: async (call) => removeUnit(call, rowId(call.params['ouId'], 'The unit', 'ouId')),
  }),
  tenantRoute({
    method: 'PUT',
    path: '/directory',
    summary: 'Replaces the identity directory for synchronizations.',
    body: ['Directory', directorySchema],
    status: 204,
    handle: async ({ services, tenant, body }) =>
      services.db.transaction().execute(async (db) => {
        for (const table of ['directory_members', 'directory_groups', 'directory_people'] as const)
          await db.deleteFrom(table).where('tenant_id', '=', tenant.id).execute();
        await applyDirectory({ db }, { tenantId: tenant.id, directory: body });
      }),
  }),
  tenantRoute({
    method: 'POST',
    path: '/api-keys',
    summary: 'Issues an API key with the given permissions.',
    body: ['NewApiKey', apiKeySchema],
    status: 201,
    answer: controlAnswers.apiKey,
    handle: async ({ services, tenant, body: { name, permissions } }) => {
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
      return { id, apiKey };
    },
  }),
  tenantRoute({
    method: 'DELETE',
    path: '/api-keys/{id}',
    summary: 'Revokes an API key.',
    status: 204,
    handle: async ({ services, tenant, params }) =>
      services.db
        .updateTable('api_keys')
        .set({ revoked_at: services.clock.now() })
        .where('tenant_id', '=', tenant.id)
        .where('id', '=', rowId(params['id'], 'The API key', 'id'))
        .execute(),
  }),
];
