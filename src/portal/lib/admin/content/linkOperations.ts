import { z } from 'zod';
import { chosen, stated } from '../../openapi/provenance.ts';
import { defineWholeList } from '../wholeList.ts';

/** A link as the portal returns it. */
export const linkSchema = z.strictObject({
  id: chosen(z.int(), 'Internal number.'),
  kind: stated('2.5', z.enum(['reportKey', 'slideshow']), 'A Report Key or a Slideshow link.'),
  name: chosen(z.string(), 'What the link opens, and for whom.'),
  reportId: chosen(z.int(), 'Item ID.'),
  expiresAt: chosen(z.iso.datetime().nullable(), 'ISO 8601 UTC, or null when it never ends.'),
  createdAt: chosen(z.iso.datetime(), 'ISO 8601 UTC.'),
});

/** `GET /v1/links` (interface 4.4): each minted key is one until it ends. */
export const listLinks = defineWholeList({
  tag: 'Items, tasks, links',
  section: '4.4',
  permission: 'Administration.Links',
  path: '/v1/links',
  operationId: 'listLinks',
  summary: 'All active Report Keys and Slideshow links.',
  row: linkSchema,
  read: async ({ db, clock }, tenant) => {
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
    return rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      name: row.name,
      reportId: row.item_id,
      expiresAt: row.expires_at === null ? null : new Date(row.expires_at).toISOString(),
      createdAt: new Date(row.created_at).toISOString(),
    }));
  },
});
