import { reportUrl } from '@vitrine/contract';
import { maxRlsRoles, type ServiceRow } from '@vitrine/contract/service';
import { z } from 'zod';
import { type ChangePlace, change } from '../change.ts';
import { notFound } from '../http/portalFailure.ts';
import { rowId } from '../http/rowId.ts';
import { issueKey } from '../keys/issueKey.ts';
import { type Route, serviceRoute, tenantRoute, wholeList } from '../route.ts';
import { findItem } from './items.ts';

const isoOrNull = (atMs: number | null) => (atMs === null ? null : new Date(atMs).toISOString());

/** Revokes a link: its report closes within seconds. */
export const revokeLink = (place: ChangePlace, given: unknown): Promise<undefined> =>
  change(place, 'KeyRevoked', async ({ db, tenantId, atMs }) => {
    const link = await db
      .updateTable('links')
      .set({ revoked_at: atMs })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', rowId(given, 'The link', 'linkId'))
      .where('revoked_at', 'is', null)
      .returning(['id', 'name', 'kind'])
      .executeTakeFirstOrThrow(() => notFound('The link', 'linkId'));
    return {
      id: link.id,
      resourceType: link.kind === 'reportKey' ? 'ReportKey' : 'SlideshowLink',
      description: `The link "${link.name}" was revoked.`,
    };
  });

/** Body of a key for a preview, with any user and roles. */
const previewKeySchema = z.strictObject({
  itemId: z.int().positive(),
  userId: z.string().min(1).max(256),
  roleNames: z.array(z.string().min(1).max(50)).max(maxRlsRoles).default([]),
  lifetimeMs: z.int().min(1000).max(86_400_000).default(3_600_000),
});

/** Links (docs/interface.md#4.4): each issued key is one until it expires. */
export const linkRoutes: readonly Route[] = [
  serviceRoute(
    'listLinks',
    wholeList(async ({ services: { db, clock }, tenant }) => {
      const rows = await db
        .selectFrom('links')
        .selectAll()
        .where('tenant_id', '=', tenant.id)
        .where('revoked_at', 'is', null)
        .where((either) =>
          either.or([either('expires_at', 'is', null), either('expires_at', '>', clock.now())]),
        )
        .orderBy('id')
        .execute();
      return rows.map(
        (row): ServiceRow<'link'> => ({
          id: row.id,
          kind: row.kind,
          name: row.name,
          reportId: row.item_id,
          expiresAt: isoOrNull(row.expires_at),
          requestedExpiresAt: isoOrNull(row.requested_expires_at),
          createdAt: new Date(row.created_at).toISOString(),
        }),
      );
    }),
  ),
  tenantRoute({
    method: 'POST',
    path: '/keys',
    about: 'Creates a key for a given user and roles, and its report address.',
    body: ['PreviewKey', previewKeySchema],
    status: 201,
    answer: ['CreatedKey', z.strictObject({ key: z.string(), url: z.string() })],
    refusals: [404],
    handle: async ({ services, tenant, actor, body: { itemId, userId, roleNames, lifetimeMs } }) => {
      const item = await findItem({ db: services.db, tenantId: tenant.id }, itemId);
      const expiresAtMs = services.clock.now() + lifetimeMs;
      const key = await issueKey(services, { tenant, item, userId, roleNames, expiresAtMs, actor });
      return { key, url: reportUrl(services.tenantUrl(tenant.tenancyName), itemId, key) };
    },
  }),
  tenantRoute({
    method: 'DELETE',
    path: '/links/{linkId}',
    about: 'Revokes a link: its report closes within seconds.',
    status: 204,
    refusals: [404],
    handle: (call) => revokeLink(call, call.params['linkId']),
  }),
];
