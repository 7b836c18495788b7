import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { InboxDiagnostic } from '../actionInbox.ts';
import { createTables } from '../sql/createTables.ts';
import type { Query, SqlDriver } from '../sql/sqlDriver.ts';
import {
  inodeOf,
  isHarmless,
  markFormat,
  prepareFile,
  type SqliteDriverOptions,
  sqlite,
} from './sqliteFiles.ts';

const words = {
  schema: 'main',
  bytes: 'blob',
  identity: 'integer primary key autoincrement',
  skipLocked: '',
  elements: 'json_each($1)',
};

interface Opened {
  readonly connection: DatabaseSync;
  readonly inode: number | undefined;
  readonly query: Query;
}

const createQuery = (connection: DatabaseSync): Query => {
  const statements = new Map<string, StatementSync>();
  return async (sql, parameters = []) => {
    const statement = statements.get(sql) ?? connection.prepare(sql.replaceAll(/\$(\d+)/g, '?$1'));
    statements.set(sql, statement);
    // The store passes numbers, strings, bytes and `undefined`.
    return statement.all(...parameters.map((value) => (value ?? null) as SQLInputValue));
  };
};

/** Transactions of one thread run in turn: one that waits for another's lock would block the thread. */
let queue: Promise<unknown> = Promise.resolve();
const inTurn = <TResult>(work: () => Promise<TResult>): Promise<TResult> => {
  const turn = queue.then(work);
  queue = turn.catch(() => undefined);
  return turn;
};

/**
 * Creates the driver. A failed commit or sync is never retried, because the kernel may have dropped the pages whose
 * sync failed: the transaction rejects, and the next one reopens the file.
 */
export const createSqliteDriver = (
  options: SqliteDriverOptions,
  onDiagnostic: (diagnostic: InboxDiagnostic) => void,
  now = Date.now,
): SqlDriver => {
  const { file } = options;
  let current: Opened | undefined;
  let hasOpened = false;

  const open = async (): Promise<Opened> => {
    const connection = new sqlite.DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: true });
    try {
      prepareFile(connection, options);
      connection.function('now_ms', { deterministic: false }, now);
      const query = createQuery(connection);
      connection.exec('begin immediate');
      await createTables(query, words);
      // IDs are idempotency keys: those of a file that was removed while it was open start above all earlier ones.
      const [begun] = await query(
        `insert into sqlite_sequence (name, seq) select 'deliveries', $1
         where not exists (select 1 from sqlite_sequence where name = 'deliveries') returning seq`,
        [hasOpened ? now() : 0],
      );
      if (begun && hasOpened)
        onDiagnostic({ kind: 'lost', error: `${file} was emptied or removed while it was open` });
      connection.exec(`${markFormat}; commit`);
      hasOpened = true;
      return { connection, query, inode: inodeOf(file) };
    } catch (error) {
      connection.close();
      throw error;
    }
  };
  const closeConnection = (): void => {
    current?.connection.close();
    current = undefined;
  };

  /** Retries once if the file was replaced. */
  const run = async <TResult>(
    work: (query: Query) => Promise<TResult>,
    isAgain = false,
  ): Promise<TResult> => {
    try {
      current ??= await open();
      const { connection, query, inode } = current;
      connection.exec('begin immediate');
      const result = await work(query);
      connection.exec('commit');
      if (inodeOf(file) === inode) return result;
      closeConnection();
    } catch (error) {
      if (current && isHarmless(error)) {
        if (current.connection.isTransaction) current.connection.exec('rollback');
        throw error;
      }
      closeConnection();
      throw error;
    }
    if (isAgain) throw new Error(`${file} was replaced repeatedly.`);
    return run(work, true);
  };
  const transaction: SqlDriver['transaction'] = (work) =>
    inTurn(() =>
      run(work).catch((error: unknown) => {
        // SQLite's own messages do not name the file.
        if (error instanceof Error && 'errcode' in error && !error.message.includes(file))
          error.message += ` (${file})`;
        throw error;
      }),
    );

  return {
    ...words,
    transaction,
    query: (sql, parameters) => transaction((query) => query(sql, parameters)),
    close: () => inTurn(async () => closeConnection()),
  };
};
