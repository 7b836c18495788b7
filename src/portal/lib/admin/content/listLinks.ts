import type { ServiceRow } from '@vitrine/contract/service';
import type { Kysely } from 'kysely';
import type { Tables } from '../../database/schema.ts';
import type { Page, PageRange } from '../../http/listPages.ts';
import { defineWholeList } from '../wholeList.ts';

type LinkBody = ServiceRow<'link'>;

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
      kind: row.kind,
      name: row.name,
      reportId: row.item_id,
      expiresAt: isoOrNull(row.expires_at),
      requestedExpiresAt: isoOrNull(row.requested_expires_at),
      createdAt: new Date(row.created_at).toISOString(),
    })),
  };
};

/** `GET /v1/links` (docs/interface.md#4.4): each issued key is a link until it expires. */
export const listLinks = defineWholeList('listLinks', ({ db, clock }, tenant, range) =>
  readLinks(db, { tenantId: tenant.id, nowMs: clock.now() }, range),
);
