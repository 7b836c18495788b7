import type { Insertable, Kysely } from 'kysely';
import type { Tables } from './schema.ts';

/** Rows per statement: far below the parameter limits of SQLite and Postgres. */
const portion = 100;

/** Inserts rows with the same fields, in batches. */
export const insertAll = async <TTable extends keyof Tables>(
  db: Kysely<Tables>,
  table: TTable,
  rows: readonly Insertable<Tables[TTable]>[],
): Promise<void> => {
  for (let start = 0; start < rows.length; start += portion)
    await db
      .insertInto(table)
      .values(rows.slice(start, start + portion))
      .execute();
};
