import type { SQLInputValue } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { columns } from './schema.ts';

// Not an import, so that an unsupported Node version fails with our message and not with a missing module.
const sqlite = process.getBuiltinModule('node:sqlite');

/** Maximum number of prepared statements; the portal has fewer distinct ones. */
const maxPrepared = 300;

/** How columns with booleans and JSON are read, by name. */
const readers = new Map(
  Object.values(columns).flatMap((table: Readonly<Record<string, { readonly type: string }>>) =>
    Object.entries(table).flatMap(([name, { type }]): [string, (stored: unknown) => unknown][] => {
      if (type === 'boolean') return [[name, (stored) => stored === 1]];
      return type === 'json' ? [[name, (stored) => JSON.parse(String(stored)) as unknown]] : [];
    }),
  ),
);

/** What SQLite stores of a value. */
const toStored = (value: unknown): SQLInputValue => {
  if (typeof value === 'boolean') return Number(value);
  // The portal only writes strings, numbers, null, booleans and JSON.
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as SQLInputValue);
};

/** The database's file cannot grow. */
export class DiskFullError extends Error {
  override readonly name = 'DiskFullError';
}

/** Codes of SQLite for a full disk, and for a full one that also has no room for the memory that connections share. */
const fullCodes: readonly unknown[] = [13, 4874];

/** Opens SQLite for Kysely's dialect: `:memory:` or a file. Throws {@link DiskFullError} instead of SQLite's own error. */
export const openNodeSqlite = (path: string): SqliteDatabase => {
  const onDisk = <TResult>(work: () => TResult): TResult => {
    try {
      return work();
    } catch (cause) {
      if (!(cause instanceof Error && 'errcode' in cause && fullCodes.includes(cause.errcode))) throw cause;
      const message = `The disk is full: free some space for the portal's database ${path}, and try again.`;
      throw new DiskFullError(message, { cause });
    }
  };
  const database = new sqlite.DatabaseSync(path, { timeout: 5000 });
  try {
    onDisk(() => database.exec('pragma journal_mode = wal; pragma synchronous = full;'));
  } catch (error) {
    database.close();
    throw error;
  }
  const prepare = (sql: string): SqliteStatement => {
    const statement = database.prepare(sql);
    const names = statement.columns().map(({ name }) => name);
    const converted = names.flatMap((name) => {
      const read = readers.get(name);
      return read === undefined ? [] : [{ name, read }];
    });
    const toRow = (row: Record<string, unknown>) => {
      for (const { name, read } of converted) if (row[name] !== null) row[name] = read(row[name]);
      return row;
    };
    return {
      reader: names.length > 0,
      all: (parameters) => {
        const rows = onDisk(() => statement.all(...parameters.map(toStored)));
        return converted.length === 0 ? rows : rows.map(toRow);
      },
      run: (parameters) =>
        // After some errors, such as a full disk, SQLite has rolled back by itself, and would reject this.
        sql === 'rollback' && !database.isTransaction
          ? { changes: 0, lastInsertRowid: 0 }
          : onDisk(() => statement.run(...parameters.map(toStored))),
      iterate: (parameters) => statement.iterate(...parameters.map(toStored)),
    };
  };
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare: (sql) => {
      const known = prepared.get(sql);
      if (known !== undefined) return known;
      const statement = prepare(sql);
      if (prepared.size >= maxPrepared) prepared.clear();
      prepared.set(sql, statement);
      return statement;
    },
  };
};
