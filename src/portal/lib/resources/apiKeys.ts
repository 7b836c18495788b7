import { randomBytes } from 'node:crypto';
import { createSchema, rowSchema } from '@vitrine/contract/service/schemas';
import { z } from 'zod';
import { change } from '../change.ts';
import { newApiKey, serviceRow } from '../database/rows.ts';
import { findRow, insertRow, rowsOf, updateRow } from '../database/tenantRows.ts';
import { listSchema, optionalPagingSchema } from '../http/listPages.ts';
import { notFound } from '../http/portalFailure.ts';
import { allPermissions } from '../permissions.ts';
import { type Route, tenantRoute, wholeList } from '../route.ts';
import { secretDigest } from '../secretDigest.ts';

/** API keys. The interface leaves open how they are issued (docs/interface.md#5). */
export const apiKeyRoutes: readonly Route[] = [
  tenantRoute('GET /api-keys', 'The API keys that are not revoked. The keys themselves are not stored.', {
    query: optionalPagingSchema,
    answer: ['ApiKeyList', listSchema(rowSchema('apiKey'))],
    handle: wholeList(async (place) =>
      (await rowsOf(place, 'api_keys'))
        .filter(({ revokedAt }) => revokedAt === null)
        .map((row) => serviceRow('apiKey', row)),
    ),
  }),
  tenantRoute('POST /api-keys', 'Issues an API key with the given permissions.', {
    body: ['NewApiKey', createSchema('apiKey', { permissions: z.array(z.enum(allPermissions)) })],
    answer: ['CreatedApiKey', z.strictObject({ id: z.int(), apiKey: z.string() })],
    handle: (call) =>
      change(call, 'ApiKeyCreated', async (changing) => {
        const { name, permissions } = call.body;
        const random = randomBytes(18).toString('base64url');
        const apiKey = `development-only-api-key.${call.tenant.tenancyName}.${random}`;
        const digest = secretDigest(apiKey);
        const row = newApiKey(changing, { ...call.body, digest, userId: null });
        const { id } = await insertRow(changing.db, 'api_keys', row);
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
      change(call, 'ApiKeyRevoked', async (changing) => {
        const { id, name, revokedAt } = await findRow(changing, 'api_keys', call.params['id'], 'id');
        if (revokedAt !== null) throw notFound('The API key', 'id');
        await updateRow(changing, 'api_keys', id, { revokedAt: changing.atMs });
        return { id, description: `The API key "${name}" was revoked.` };
      }),
  }),
];
