import { isDeepStrictEqual } from 'node:util';
import { type Insertable, type Kysely, sql, type Updateable } from 'kysely';
import { maxRowId } from '../http/listPages.ts';
import { notFound } from '../http/portalFailure.ts';
import type { Row, Tables } from './schema.ts';

/** A tenant's rows: in the database, or in the transaction of a change. */
export interface Place {
  readonly db: Kysely<Tables>;
  readonly tenantId: number;
}

/** The tables with numbered rows that a client names, what it calls one, and the column with its name. */
const nouns = {
  users: ['user', 'email'],
  roles: ['role', 'name'],
  organization_units: ['unit', 'name'],
  items: ['item', 'displayName'],
  tasks: ['task', 'name'],
  links: ['link', 'name'],
  api_keys: ['API key', 'name'],
} as const satisfies Readonly<Partial<Record<keyof Tables, readonly string[]>>>;
type NumberedTable = keyof typeof nouns;

/** All rows of a tenant in a table, sorted by a column; default `id`. */
export const rowsOf = async <TTable extends keyof Tables>(
  { db, tenantId }: Place,
  table: TTable,
  orderBy = 'id',
): Promise<Row<TTable>[]> => {
  const all = sql<
    Row<TTable>
  >`select * from ${sql.table(table)} where ${sql.ref('tenantId')} = ${tenantId} order by ${sql.ref(orderBy)}`;
  return (await all.execute(db)).rows;
};

/** The row with a number, if the tenant has it. */
export const readRow = async <TTable extends NumberedTable>(
  { db, tenantId }: Place,
  table: TTable,
  id: number,
): Promise<Row<TTable> | undefined> => {
  const found = sql<
    Row<TTable>
  >`select * from ${sql.table(table)} where ${sql.ref('tenantId')} = ${tenantId} and ${sql.ref('id')} = ${id}`;
  return id > maxRowId ? undefined : (await found.execute(db)).rows[0];
};

/** The row with a number from a request, or 404 for the field that names it. */
export const findRow = async <TTable extends NumberedTable>(
  place: Place,
  table: TTable,
  given: unknown,
  field: string,
): Promise<Row<TTable>> => {
  const row = /^[1-9]\d{0,9}$/.test(String(given)) ? await readRow(place, table, Number(given)) : undefined;
  if (row === undefined) throw notFound(`The ${nouns[table][0]}`, field);
  return row;
};

/** Inserts a row; returns it as it is stored. */
export const insertRow = <TTable extends NumberedTable>(
  db: Kysely<Tables>,
  table: TTable,
  row: Insertable<Tables[TTable]>,
): Promise<Row<TTable>> => db.insertInto(table).values(row).returningAll().executeTakeFirstOrThrow();

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

/** The number of rows of a tenant in a table for each value of a column. */
export const countBy = async (
  { db, tenantId }: Place,
  table: 'user_roles' | 'memberships',
  column: string,
): Promise<ReadonlyMap<number, number>> => {
  const counts = sql<{ readonly id: number; readonly count: number }>`
    select ${sql.ref(column)} as id, count(*) as count from ${sql.table(table)}
    where ${sql.ref('tenantId')} = ${tenantId} group by ${sql.ref(column)}`;
  return new Map((await counts.execute(db)).rows.map(({ id, count }) => [id, count]));
};

/** Changes columns of a row. */
export const updateRow = async <TTable extends NumberedTable>(
  { db, tenantId }: Place,
  table: TTable,
  id: number,
  columns: Updateable<Tables[TTable]>,
): Promise<void> => {
  // Kysely does not know that each of these tables has the columns of the conditions.
  const query = db.updateTable(table as 'items').set(columns as Updateable<Tables['items']>);
  await query.where('tenantId', '=', tenantId).where('id', '=', id).execute();
};

/** What the audit log says about the values of a change, by field, from and to. What is undefined stays. */
export const changesOf = (row: object, values: object) => {
  const changes = Object.entries(values)
    .map(([name, to]) => [name, { from: Reflect.get(row, name) as unknown, to: to as unknown }] as const)
    .filter(([, { from, to }]) => to !== undefined && !isDeepStrictEqual(from, to));
  return { isUnchanged: changes.length === 0, details: { changes: Object.fromEntries(changes) } };
};

/** A sentence about a row. */
const sentence = (table: NumberedTable, row: object, verb: string) => {
  const [noun, nameColumn] = nouns[table];
  return `The ${noun} "${String(Reflect.get(row, nameColumn))}" was ${verb}.`;
};

/** Changes columns of a row, and returns what the audit log says about it. */
export const changeRow = async <TTable extends NumberedTable>(
  place: Place,
  table: TTable,
  row: { readonly id: number },
  columns: Updateable<Tables[TTable]>,
) => {
  await updateRow(place, table, row.id, columns);
  const description = sentence(table, { ...row, ...columns }, 'changed');
  return { id: row.id, description, ...changesOf(row, columns) };
};

/** Removes a row, and returns what the audit log says about it. */
export const removeRow = async <TRow extends { readonly id: number }>(
  { db, tenantId }: Place,
  table: NumberedTable,
  row: TRow,
) => {
  // As above.
  const query = db.deleteFrom(table as 'items');
  await query.where('tenantId', '=', tenantId).where('id', '=', row.id).execute();
  return { id: row.id, description: sentence(table, row, 'removed') };
};
