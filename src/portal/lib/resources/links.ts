import { reportUrl } from '@vitrine/contract';
import { maxRlsRoles } from '@vitrine/contract/service';
import { z } from 'zod';
import { change } from '../change.ts';
import { serviceRow } from '../database/rows.ts';
import { findRow, updateRow } from '../database/tenantRows.ts';
import { notFound } from '../http/portalFailure.ts';
import { viewerIdSchema } from '../keys/createEncryptedKey.ts';
import { issueKey } from '../keys/issueKey.ts';
import { type Route, serviceRoute, tenantRoute, wholeList } from '../route.ts';

/** Body of a key for a preview, with any user and roles. */
const previewKeySchema = z.strictObject({
  itemId: z.int().positive(),
  userId: viewerIdSchema,
  roleNames: z.array(z.string().min(1).max(50)).max(maxRlsRoles).default([]),
  lifetimeMs: z.int().min(1000).max(86_400_000).default(3_600_000),
});

/** Links (docs/interface.md#4.4): each issued key is one until it expires. */
export const linkRoutes: readonly Route[] = [
  serviceRoute(
    'listLinks',
    wholeList(async ({ db, tenantId, nowMs }) => {
      const rows = await db
        .selectFrom('links')
        .selectAll()
        .where('tenantId', '=', tenantId)
        .where('revokedAt', 'is', null)
        .where((either) => either.or([either('expiresAt', 'is', null), either('expiresAt', '>', nowMs)]))
        .orderBy('id')
        .execute();
      return rows.map((row) => serviceRow('link', row, { reportId: row.itemId }));
    }),
  ),
  tenantRoute('POST /keys', 'Creates a key for a given user and roles, and its report address.', {
    body: ['PreviewKey', previewKeySchema],
    answer: ['CreatedKey', z.strictObject({ key: z.string(), url: z.string(), expiresAt: z.iso.datetime() })],
    handle: async ({ services, tenant, actor, body: { itemId, userId, roleNames, lifetimeMs } }) => {
      const item = await findRow({ db: services.db, tenantId: tenant.id }, 'items', itemId, 'itemId');
      const expiresAtMs = services.clock.now() + lifetimeMs;
      const key = await issueKey(services, { tenant, item, userId, roleNames, expiresAtMs, actor });
      const url = reportUrl(services.tenantUrl(tenant.tenancyName), itemId, key);
      return { key, url, expiresAt: new Date(expiresAtMs).toISOString() };
    },
  }),
  tenantRoute('DELETE /links/{linkId}', 'Revokes a link: its report closes within seconds.', {
    handle: (call) =>
      change(call, 'KeyRevoked', async (changing) => {
        const link = await findRow(changing, 'links', call.params['linkId'], 'linkId');
        if (link.revokedAt !== null) throw notFound('The link', 'linkId');
        await updateRow(changing, 'links', link.id, { revokedAt: changing.atMs });
        return {
          id: link.id,
          resourceType: link.kind === 'reportKey' ? 'ReportKey' : 'SlideshowLink',
          description: `The link "${link.name}" was revoked.`,
        };
      }),
  }),
];
