import { createSchema, rowSchema } from '@vitrine/contract/service/schemas';
import { z } from 'zod';
import { allPermissions } from '../auth/permissions.ts';
import { change } from '../change.ts';
import { newApiKey, serviceRow } from '../database/rows.ts';
import { listSchema, optionalPagingSchema } from '../http/listPages.ts';
import { invalidField, notFound } from '../http/portalFailure.ts';
import { rowId } from '../http/rowId.ts';
import { type Route, tenantRoute, wholeList } from '../route.ts';
import { secretDigest } from '../secretDigest.ts';

/** API keys. The interface leaves open how they are issued (docs/interface.md#5). */
export const apiKeyRoutes: readonly Route[] = [
  tenantRoute('GET /api-keys', 'The API keys that are not revoked. The keys themselves are not stored.', {
    query: optionalPagingSchema,
    answer: ['ApiKeyList', listSchema(rowSchema('apiKey'))],
    handle: wholeList(async ({ services, tenant }) => {
      const rows = await services.db
        .selectFrom('api_keys')
        .selectAll()
        .where('tenantId', '=', tenant.id)
        .where('revokedAt', 'is', null)
        .orderBy('id')
        .execute();
      return rows.map((row) => serviceRow('apiKey', row));
    }),
  }),
  tenantRoute('POST /api-keys', 'Issues an API key with the given permissions.', {
    body: ['NewApiKey', createSchema('apiKey')],
    answer: ['CreatedApiKey', z.strictObject({ id: z.int(), apiKey: z.string() })],
    handle: (call) =>
      change(call, 'ApiKeyCreated', async (changing) => {
        const { name, permissions } = call.body;
        const unknown = permissions.findIndex((permission) => !allPermissions.includes(permission));
        if (unknown >= 0)
          throw invalidField(`permissions[${unknown}]`, `must be one of ${allPermissions.join(', ')}`);
        const random = call.services.randomBytes(18).toString('base64url');
        const apiKey = `development-only-api-key.${call.tenant.tenancyName}.${random}`;
        const { id } = await changing.db
          .insertInto('api_keys')
          .values(newApiKey(changing, { ...call.body, digest: secretDigest(apiKey), userId: null }))
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
  tenantRoute('DELETE /api-keys/{id}', 'Revokes an API key.', {
    handle: (call) =>
      change(call, 'ApiKeyRevoked', async ({ db, tenantId, atMs }) => {
        const { id, name } = await db
          .updateTable('api_keys')
          .set({ revokedAt: atMs })
          .where('tenantId', '=', tenantId)
          .where('id', '=', rowId(call.params['id'], 'The API key', 'id'))
          .where('revokedAt', 'is', null)
          .returning(['id', 'name'])
          .executeTakeFirstOrThrow(() => notFound('The API key', 'id'));
        return { id, description: `The API key "${name}" was revoked.` };
      }),
  }),
];
