import type { SQLInputValue } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { withDiskFullError } from './diskFullError.ts';

// Not an import, so that an unsupported Node version fails with our message and not with a missing module.
const sqlite = process.getBuiltinModule('node:sqlite');

/** Maximum number of prepared statements; the portal has fewer distinct ones. */
const maxPrepared = 300;

/** Opens SQLite for Kysely's dialect: `:memory:` or a file. */
export const openNodeSqlite = (path: string): SqliteDatabase => {
  const guard = <TResult>(task: () => TResult): TResult => withDiskFullError(path, task);
  const database = guard(() => new sqlite.DatabaseSync(path, { timeout: 5000 }));
  try {
    guard(() => database.exec('pragma journal_mode = wal; pragma synchronous = full;'));
  } catch (error) {
    database.close();
    throw error;
  }
  const prepare = (sql: string): SqliteStatement => {
    const statement = database.prepare(sql);
    // The portal only writes strings, numbers and null, which SQLite accepts.
    const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => guard(() => statement.all(...values(parameters))),
      run: (parameters) =>
        // After some errors, such as a full disk, SQLite has rolled back by itself, and would reject this.
        sql === 'rollback' && !database.isTransaction
          ? { changes: 0, lastInsertRowid: 0 }
          : guard(() => statement.run(...values(parameters))),
      iterate: (parameters) => statement.iterate(...values(parameters)),
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
