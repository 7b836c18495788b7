import type { SQLInputValue, StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { withDiskFullError } from './diskFullError.ts';

// Not an import, so that an unsupported Node version fails with our message and not with a missing module.
const sqlite = process.getBuiltinModule('node:sqlite');

/** Maximum number of prepared statements; the portal has fewer distinct ones. */
const maxPrepared = 300;

/** SQLite for Kysely's dialect, and a version of the callers for caches. */
export interface NodeSqlite extends SqliteDatabase {
  /** Changes after every change of a tenant, an API key or a user, by this process or another. */
  readonly callersVersion: () => string;
}

/** Statements that may change a caller, which excludes the counters of a tenant. */
const changesCallers = (sql: string): boolean =>
  /^(?:update|delete from) "(?:tenants|api_keys|users)"/.test(sql) &&
  !/^update "tenants" set "(?:audit_seq|audit_in_order|user_count)"/.test(sql);

/** Opens SQLite: `:memory:` or a file. */
export const openNodeSqlite = (path: string): NodeSqlite => withDiskFullError(path, () => open(path));

const open = (path: string): NodeSqlite => {
  const database = new sqlite.DatabaseSync(path, { timeout: 5000 });
  try {
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;');
  } catch (error) {
    database.close();
    throw error;
  }
  const dataVersion = database.prepare('pragma data_version');
  const prepared = new Map<string, SqliteStatement>();
  let changes = 0;
  const noteChange = () => {
    changes += 1;
  };
  return {
    close: () => database.close(),
    // Only a file can have other writers.
    callersVersion: () =>
      path === ':memory:' ? String(changes) : `${changes}/${String(dataVersion.get()?.['data_version'])}`,
    prepare: (sql) => {
      const known = prepared.get(sql);
      if (known !== undefined) return known;
      const statement = adapt(database.prepare(sql), {
        onRun: changesCallers(sql) ? noteChange : () => {},
        // After some errors, such as a full disk, SQLite has rolled back by itself, and would reject this.
        isDone: () => sql === 'rollback' && !database.isTransaction,
        path,
      });
      if (prepared.size >= maxPrepared) prepared.delete(prepared.keys().next().value ?? '');
      prepared.set(sql, statement);
      return statement;
    },
  };
};

// The portal only writes strings, numbers and null, which SQLite accepts.
const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];

interface StatementContext {
  readonly onRun: () => void;
  /** Whether there is nothing to do. */
  readonly isDone: () => boolean;
  readonly path: string;
}

/** Converts rows from arrays to objects: Node takes twice as long to do so itself. */
const adapt = (statement: StatementSync, { onRun, isDone, path }: StatementContext): SqliteStatement => {
  statement.setReturnArrays(true);
  const names = statement.columns().map(({ name }) => name);
  const toObject = (row: readonly unknown[]): Record<string, unknown> => {
    const object: Record<string, unknown> = {};
    for (const [place, name] of names.entries()) object[name] = row[place];
    return object;
  };
  return {
    reader: names.length > 0,
    all: (parameters) => {
      const rows = withDiskFullError(path, () => rowsOf(statement.all(...values(parameters)))).map(toObject);
      onRun();
      return rows;
    },
    run: (parameters) => {
      if (isDone()) return { changes: 0, lastInsertRowid: 0 };
      const result = withDiskFullError(path, () => statement.run(...values(parameters)));
      onRun();
      return result;
    },
    *iterate(parameters) {
      for (const row of statement.iterate(...values(parameters))) yield toObject(rowOf(row));
    },
  };
};

// Node types statements that return arrays as if they returned objects.
const rowOf = (row: unknown) => row as readonly unknown[];
const rowsOf = (rows: readonly unknown[]) => rows as readonly (readonly unknown[])[];
