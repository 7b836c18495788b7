import type { ServiceRow } from '@vitrine/contract/service';
import { createSchema, rowSchema } from '@vitrine/contract/service/schemas';
import { z } from 'zod';
import { allPermissions } from '../auth/permissions.ts';
import { change } from '../change.ts';
import { invalidField, notFound } from '../http/portalFailure.ts';
import { rowId } from '../http/rowId.ts';
import { type Route, tenantRoute } from '../route.ts';
import { secretDigest } from '../secretDigest.ts';

/** API keys. The interface leaves open how they are issued (docs/interface.md#5). */
export const apiKeyRoutes: readonly Route[] = [
  tenantRoute({
    method: 'GET',
    path: '/api-keys',
    about: 'The API keys that are not revoked. The keys themselves are not stored.',
    status: 200,
    answer: ['ApiKeyList', z.strictObject({ items: z.array(rowSchema('apiKey')) })],
    handle: async ({ services, tenant }) => {
      const rows = await services.db
        .selectFrom('api_keys')
        .selectAll()
        .where('tenant_id', '=', tenant.id)
        .where('revoked_at', 'is', null)
        .orderBy('id')
        .execute();
      const items = rows.map(
        ({ id, name, permissions, created_at }): ServiceRow<'apiKey'> => ({
          id,
          name,
          // The seed and the route below write it as a JSON array of strings.
          permissions: JSON.parse(permissions) as string[],
          createdAt: new Date(created_at).toISOString(),
        }),
      );
      return { items };
    },
  }),
  tenantRoute({
    method: 'POST',
    path: '/api-keys',
    about: 'Issues an API key with the given permissions.',
    body: ['NewApiKey', createSchema('apiKey')],
    status: 201,
    answer: ['CreatedApiKey', z.strictObject({ id: z.int(), apiKey: z.string() })],
    handle: (call) =>
      change(call, 'ApiKeyCreated', async ({ db, tenantId, atMs }) => {
        const { name, permissions } = call.body;
        const unknown = permissions.findIndex((permission) => !allPermissions.includes(permission));
        if (unknown >= 0)
          throw invalidField(`permissions[${unknown}]`, `must be one of ${allPermissions.join(', ')}`);
        const random = call.services.randomBytes(18).toString('base64url');
        const apiKey = `development-only-api-key.${call.tenant.tenancyName}.${random}`;
        const { id } = await db
          .insertInto('api_keys')
          .values({
            tenant_id: tenantId,
            name,
            digest: secretDigest(apiKey),
            permissions: JSON.stringify(permissions),
            user_id: null,
            revoked_at: null,
            created_at: atMs,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        return {
          id,
          description: `The API key "${name}" was issued.`,
          details: { permissions },
          result: { id, apiKey },
        };
      }),
  }),
  tenantRoute({
    method: 'DELETE',
    path: '/api-keys/{id}',
    about: 'Revokes an API key.',
    status: 204,
    refusals: [404],
    handle: (call) =>
      change(call, 'ApiKeyRevoked', async ({ db, tenantId, atMs }) => {
        const { id, name } = await db
          .updateTable('api_keys')
          .set({ revoked_at: atMs })
          .where('tenant_id', '=', tenantId)
          .where('id', '=', rowId(call.params['id'], 'The API key', 'id'))
          .where('revoked_at', 'is', null)
          .returning(['id', 'name'])
          .executeTakeFirstOrThrow(() => notFound('The API key', 'id'));
        return { id, description: `The API key "${name}" was revoked.` };
      }),
  }),
];
