import type { Kysely, Selectable } from 'kysely';
import type { UsersTable } from '../../database/tables/people.ts';
import type { Tables } from '../../database/tables/tables.ts';
import type { Cut } from '../paging.ts';

/** One page of a tenant's users and how many there are. */
export interface UserPage {
  readonly rows: readonly Selectable<UsersTable>[];
  readonly totalCount: number;
}

/** Reads a page of users in the order of their numbers. */
export const readUserPage = async (db: Kysely<Tables>, tenantId: number, cut: Cut): Promise<UserPage> => {
  const { count } = await db
    .selectFrom('users')
    .select((builder) => builder.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow();
  if (cut.offset >= count) return { rows: [], totalCount: count };
  // The page's numbers are found on the index alone; only its own rows are read whole.
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .where('id', 'in', (query) =>
      query
        .selectFrom('users')
        .select('id')
        .where('tenant_id', '=', tenantId)
        .orderBy('id')
        .limit(cut.pageSize)
        .offset(cut.offset),
    )
    .orderBy('id')
    .execute();
  return { rows, totalCount: count };
};
