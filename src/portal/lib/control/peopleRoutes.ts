import { recordedChange } from '../audit/recordedChange.ts';
import { secretDigest } from '../auth/secretDigest.ts';
import { emptyReply, jsonReply } from '../http/exchange.ts';
import { notFound } from '../http/portalFailure.ts';
import { readJsonBody } from '../http/readJsonBody.ts';
import { applyDirectory } from '../seed/applyPeople.ts';
import { directorySchema, rowRuleSchema } from '../seed/seedSchema.ts';
import { validate } from '../service/validate.ts';
import { controlActor } from './controlActor.ts';
import type { ControlContext, ControlRoute } from './controlRoutes.ts';
import { apiKeySchema } from './controlSchemas.ts';
import { tenantNamed, tenantPath } from './tenantNamed.ts';

/** Routes of the identity directory, of the rows that roles open, and of API keys. */
export const peopleRoutes = ({ services }: ControlContext): ControlRoute[] => [
  {
    method: 'PUT',
    path: `${tenantPath}/directory`,
    handle: async (request, { tenancyName }) => {
      const tenant = await tenantNamed(services.db, tenancyName);
      const directory = validate(directorySchema, readJsonBody(request));
      await services.db.transaction().execute(async (db) => {
        for (const table of ['directory_members', 'directory_groups', 'directory_people'] as const)
          await db.deleteFrom(table).where('tenant_id', '=', tenant.id).execute();
        await applyDirectory({ db }, { tenantId: tenant.id, directory });
      });
      return emptyReply(204);
    },
  },
  {
    method: 'PUT',
    path: `${tenantPath}/roles/{code}/rule`,
    handle: async (request, { tenancyName, code = '' }) => {
      const tenant = await tenantNamed(services.db, tenancyName);
      const rule = validate(rowRuleSchema, readJsonBody(request));
      await recordedChange(services, tenant.id, async ({ db, record }) => {
        const role = await db
          .updateTable('roles')
          .set({ rule: JSON.stringify(rule) })
          .where('tenant_id', '=', tenant.id)
          .where('code', '=', code)
          .returning(['id', 'name'])
          .executeTakeFirst();
        if (role === undefined) throw notFound('The role', 'code');
        await record({
          actionType: 'RoleUpdated',
          actor: controlActor,
          resourceType: 'Role',
          resourceId: role.id,
          description: `The rows that the role "${role.name}" opens were changed.`,
          details: { code, rule },
        });
      });
      return emptyReply(204);
    },
  },
  {
    method: 'POST',
    path: `${tenantPath}/api-keys`,
    handle: async (request, { tenancyName }) => {
      const tenant = await tenantNamed(services.db, tenancyName);
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
    path: `${tenantPath}/api-keys/{id}`,
    handle: async (_, { tenancyName, id }) => {
      const tenant = await tenantNamed(services.db, tenancyName);
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
