import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables/tables.ts';
import type { Cut, Page } from '../paging.ts';
import type { LinkBody } from './linkSchema.ts';

const isoOrNull = (atMs: number | null) => (atMs === null ? null : new Date(atMs).toISOString());

/** Active links of a tenant in the order they were created: every one, or those of a page. */
export const readLinks = async (
  db: Kysely<Tables>,
  { tenantId, nowMs }: { readonly tenantId: number; readonly nowMs: number },
  cut: Cut | undefined,
): Promise<Page<LinkBody>> => {
  const active = db
    .selectFrom('links')
    .where('tenant_id', '=', tenantId)
    .where('revoked_at', 'is', null)
    .where((either) => either.or([either('expires_at', 'is', null), either('expires_at', '>', nowMs)]));
  const rows = await active
    .selectAll()
    .orderBy('id')
    .$if(cut !== undefined, (query) => query.limit(cut?.pageSize ?? 0).offset(cut?.offset ?? 0))
    .execute();
  const count = async () =>
    (await active.select((builder) => builder.fn.countAll<number>().as('count')).executeTakeFirstOrThrow())
      .count;
  return {
    totalCount: cut === undefined ? rows.length : await count(),
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
