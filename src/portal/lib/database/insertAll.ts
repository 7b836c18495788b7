import type { Kysely } from 'kysely';
import type { Tables } from './schema.ts';

/** Rows per statement: far below the parameter limits of SQLite and Postgres. */
const portion = 100;

/**
 * Inserts rows with the same fields, in batches. The statement is built for the first batch and reused for the others:
 * building it costs more than inserting.
 */
export const insertAll = async (
  db: Kysely<Tables>,
  table: keyof Tables,
  rows: readonly object[],
): Promise<void> => {
  const insert = (part: readonly object[]) => db.insertInto(table).values(part);
  const whole = rows.length - (rows.length % portion);
  if (whole > 0) {
    const query = insert(rows.slice(0, portion)).compile();
    const columns = Object.keys(rows[0] ?? {});
    for (let start = 0; start < whole; start += portion) {
      const parameters = rows
        .slice(start, start + portion)
        .flatMap((row) => columns.map((column): unknown => Reflect.get(row, column)));
      await db.executeQuery({ ...query, parameters });
    }
  }
  if (whole < rows.length) await insert(rows.slice(whole)).execute();
};
