import type { Kysely } from 'kysely';
import type { Tables } from './tables/tables.ts';

/** The two databases of the portal. */
export type DatabaseKind = 'sqlite' | 'postgres';

/** Columns of a table, by kind; text and numbers are not null unless optional. */
export interface Columns {
  /** The table's own number: auto-incrementing without reuse, or assigned. Default: none. */
  readonly id?: 'growing' | 'given';
  readonly text?: readonly string[];
  readonly number?: readonly string[];
  readonly optionalText?: readonly string[];
  readonly optionalNumber?: readonly string[];
}

/** Creates the same tables and indexes in both databases. */
export interface SchemaBuilder {
  readonly table: (name: keyof Tables, columns: Columns) => Promise<void>;
  readonly index: (name: string, on: keyof Tables, columns: string[]) => Promise<void>;
  readonly unique: (name: string, on: keyof Tables, columns: string[]) => Promise<void>;
}

/** The databases only differ in the declaration of an auto-incrementing number. */
export const createSchemaBuilder = (db: Kysely<Tables>, kind: DatabaseKind): SchemaBuilder => {
  const start = (name: keyof Tables, id: Columns['id']) => {
    const table = db.schema.createTable(name);
    if (id === undefined) return table;
    return table.addColumn('id', 'integer', (column) => {
      const key = column.primaryKey();
      if (id === 'given') return key;
      return kind === 'postgres' ? key.generatedByDefaultAsIdentity() : key.autoIncrement();
    });
  };
  return {
    table: async (name, { id, text = [], number = [], optionalText = [], optionalNumber = [] }) => {
      let table = start(name, id);
      for (const column of text) table = table.addColumn(column, 'text', (made) => made.notNull());
      for (const column of number) table = table.addColumn(column, 'bigint', (made) => made.notNull());
      for (const column of optionalText) table = table.addColumn(column, 'text');
      for (const column of optionalNumber) table = table.addColumn(column, 'bigint');
      await table.execute();
    },
    index: (name, on, columns) => db.schema.createIndex(name).on(on).columns(columns).execute(),
    unique: (name, on, columns) => db.schema.createIndex(name).on(on).columns(columns).unique().execute(),
  };
};
