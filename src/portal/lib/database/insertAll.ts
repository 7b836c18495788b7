import type { Kysely } from 'kysely';
import type { Tables } from './tables/tables.ts';

/** Inserts rows in portions: SQLite and Postgres both limit the parameters of one statement. */
export const insertAll = async (
  db: Kysely<Tables>,
  table: keyof Tables,
  rows: readonly object[],
): Promise<void> => {
  const first = rows[0];
  if (first === undefined) return;
  const portion = Math.max(1, Math.floor(30_000 / Object.keys(first).length));
  for (let start = 0; start < rows.length; start += portion)
    await db
      .insertInto(table)
      .values(rows.slice(start, start + portion))
      .execute();
};
