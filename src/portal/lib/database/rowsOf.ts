import { type Kysely, type Selectable, sql } from 'kysely';
import type { Tables } from './schema.ts';

/** All rows of a tenant in a table, sorted by a column; default `id`. */
export const rowsOf = async <TTable extends keyof Tables>(
  db: Kysely<Tables>,
  table: TTable,
  { tenantId, orderBy = 'id' }: { readonly tenantId: number; readonly orderBy?: string },
): Promise<Selectable<Tables[TTable]>[]> => {
  const all = sql<
    Selectable<Tables[TTable]>
  >`select * from ${sql.table(table)} where ${sql.ref('tenantId')} = ${tenantId} order by ${sql.ref(orderBy)}`;
  return (await all.execute(db)).rows;
};
