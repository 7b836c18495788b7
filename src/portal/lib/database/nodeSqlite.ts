import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

/** Statements kept prepared; the portal has fewer shapes of statement than this. */
const maxPrepared = 300;

/** Opens SQLite (`:memory:` or a file) in the form Kysely's dialect takes. */
export const openNodeSqlite = (path: string): SqliteDatabase => {
  const database = new DatabaseSync(path, { timeout: 5000 });
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;');
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare: (sql) => {
      const known = prepared.get(sql);
      if (known !== undefined) return known;
      const statement = adapt(database.prepare(sql));
      if (prepared.size >= maxPrepared) prepared.delete(prepared.keys().next().value ?? '');
      prepared.set(sql, statement);
      return statement;
    },
  };
};

// Kysely compiles parameters to exactly the kinds SQLite takes: the portal writes text, numbers and null alone.
const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];

const adapt = (statement: StatementSync): SqliteStatement => {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  };
};
