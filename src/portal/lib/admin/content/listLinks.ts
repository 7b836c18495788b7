import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Tables } from '../../database/tables/tables.ts';
import type { Page, PageRange } from '../../http/listPages.ts';
import { chosen, stated } from '../../provenances.ts';
import { defineWholeList } from '../wholeList.ts';

/** A link as the portal returns it. */
const linkSchema = z.strictObject({
  id: chosen(z.int(), 'Internal number.'),
  kind: stated('2.5', z.enum(['reportKey', 'slideshow']), 'A Report Key or a Slideshow link.'),
  name: chosen(z.string(), 'What the link opens, and for whom.'),
  reportId: chosen(z.int(), 'Item ID.'),
  expiresAt: chosen(z.iso.datetime().nullable(), 'ISO 8601 UTC, or null if it never expires.'),
  requestedExpiresAt: chosen(
    z.iso.datetime().nullable(),
    'The requested expiry, if it was shortened to the maximum lifetime of 24 hours; otherwise null.',
  ),
  createdAt: chosen(z.iso.datetime(), 'ISO 8601 UTC.'),
});

type LinkBody = z.output<typeof linkSchema>;

const isoOrNull = (atMs: number | null) => (atMs === null ? null : new Date(atMs).toISOString());

/** Active links of a tenant in order of creation: all, or those of a page. */
const readLinks = async (
  db: Kysely<Tables>,
  { tenantId, nowMs }: { readonly tenantId: number; readonly nowMs: number },
  range: PageRange | undefined,
): Promise<Page<LinkBody>> => {
  const active = db
    .selectFrom('links')
    .where('tenant_id', '=', tenantId)
    .where('revoked_at', 'is', null)
    .where((either) => either.or([either('expires_at', 'is', null), either('expires_at', '>', nowMs)]));
  const rows = await active
    .selectAll()
    .orderBy('id')
    .$if(range !== undefined, (query) => query.limit(range?.pageSize ?? 0).offset(range?.offset ?? 0))
    .execute();
  const count = async () =>
    (await active.select((builder) => builder.fn.countAll<number>().as('count')).executeTakeFirstOrThrow())
      .count;
  return {
    totalCount: range === undefined ? rows.length : await count(),
    items: rows.map((row) => ({
      id: row.id,
      kind: row.kind as LinkBody['kind'],
      name: row.name,
      reportId: row.item_id,
      expiresAt: isoOrNull(row.expires_at),
      requestedExpiresAt: isoOrNull(row.requested_expires_at),
      createdAt: new Date(row.created_at).toISOString(),
    })),
  };
};

/** `GET /v1/links` (docs/interface.md#4.4): each issued key is a link until it expires. */
export const listLinks = defineWholeList({
  tag: 'Items, tasks, links',
  section: '4.4',
  permission: 'Administration.Links',
  path: '/v1/links',
  operationId: 'listLinks',
  summary: 'All active Report Keys and Slideshow links.',
  row: linkSchema,
  read: ({ db, clock }, tenant, range) => readLinks(db, { tenantId: tenant.id, nowMs: clock.now() }, range),
});
