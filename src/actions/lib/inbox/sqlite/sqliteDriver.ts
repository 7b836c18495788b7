import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { messageOf } from '../../messageOf.ts';
import type { InboxDiagnostic } from '../actionInbox.ts';
import { createTables } from '../sql/schema.ts';
import type { Query, SqlDriver, SqlWords } from '../sql/sqlDriver.ts';
import { quarantine, restore } from './quarantine.ts';
import { salvage } from './salvage.ts';
import {
  FileReplacedError,
  fileNumberOf,
  InboxFormatError,
  isDamage,
  isHarmless,
  markFormat,
  openFile,
} from './sqliteFile.ts';

/** Settings of the driver; plain data, because they cross to a worker thread. */
export interface SqliteDriverOptions {
  /** Absolute path of the database, or `:memory:`. */
  readonly file: string;
  /** Whether a damaged file is moved away for a fresh one; otherwise opening it fails. */
  readonly mayQuarantine: boolean;
}

/** The SQLite driver, in whatever thread it runs. */
export interface SqliteDriver extends SqlDriver {
  /** Opens the file now instead of at the first use. Throws when that fails. */
  readonly open: () => Promise<void>;
}

const words: SqlWords = { bytes: 'blob', identity: 'integer primary key autoincrement', skipLocked: '' };

interface Opened {
  readonly connection: DatabaseSync;
  readonly fileNumber: number | undefined;
  readonly query: Query;
}

/** What the store passes: numbers, texts, bytes and `null`. */
const inputsOf = (parameters: readonly unknown[]) => parameters as SQLInputValue[];

const createQuery = (connection: DatabaseSync): Query => {
  const statements = new Map<string, StatementSync>();
  return async (sql, parameters = []) => {
    const statement = statements.get(sql) ?? connection.prepare(sql.replaceAll(/\$(\d+)/g, '?$1'));
    statements.set(sql, statement);
    return statement.all(...inputsOf(parameters));
  };
};

/** Transactions of one thread take turns: one that waited for another's lock would keep that from going on. */
let queue: Promise<unknown> = Promise.resolve();
const inTurn = <TResult>(work: () => Promise<TResult>): Promise<TResult> => {
  const turn = queue.then(work);
  queue = turn.catch(() => undefined);
  return turn;
};

/**
 * Creates the driver. A commit or a sync that fails is never tried again and called saved, because the kernel may have dropped
 * the very pages whose sync failed: the transaction rejects, and the file is opened anew for the next.
 */
export const createSqliteDriver = (
  { file, mayQuarantine }: SqliteDriverOptions,
  {
    onDiagnostic,
    now,
  }: { readonly onDiagnostic: (diagnostic: InboxDiagnostic) => void; readonly now: () => number },
): SqliteDriver => {
  let current: Opened | undefined;
  /** What was found, and in which file: another process may have replaced it meanwhile. */
  let damage: { readonly error: unknown; readonly fileNumber: number | undefined } | undefined;

  const prepare = async (connection: DatabaseSync): Promise<Opened> => {
    connection.function('now_ms', { deterministic: false }, now);
    const query = createQuery(connection);
    connection.exec('begin immediate');
    await createTables(query, words);
    connection.exec(`${markFormat}; commit`);
    return { connection, query, fileNumber: fileNumberOf(file) };
  };

  const replace = async (error: unknown): Promise<Opened> => {
    damage = undefined;
    const movedTo = quarantine(file);
    const opened = await prepare(openFile(file));
    const found = salvage(movedTo);
    const { unreadable, mayMissMore } = found;
    const restored = restore(opened.connection, found);
    onDiagnostic({
      kind: 'quarantined',
      movedTo,
      error: messageOf(error),
      ...restored,
      unreadable,
      mayMissMore,
    });
    return opened;
  };

  const open = async (): Promise<Opened> => {
    let connection: DatabaseSync | undefined;
    try {
      if (damage !== undefined && damage.fileNumber === fileNumberOf(file)) throw damage.error;
      damage = undefined;
      connection = openFile(file);
      return await prepare(connection);
    } catch (error) {
      connection?.close();
      if (!mayQuarantine || error instanceof InboxFormatError || !isDamage(error)) throw error;
      return replace(error);
    }
  };

  const letGo = (): void => {
    try {
      current?.connection.close();
    } catch {
      // It is given up anyway.
    }
    current = undefined;
  };

  const run = async <TResult>(work: (query: Query) => Promise<TResult>): Promise<TResult> => {
    current ??= await open();
    const { connection, query, fileNumber } = current;
    try {
      connection.exec('begin immediate');
      const result = await work(query);
      connection.exec('commit');
      if (fileNumberOf(file) !== fileNumber) throw new FileReplacedError(`${file} was replaced.`);
      return result;
    } catch (error) {
      if (isHarmless(error) && connection.isTransaction) connection.exec('rollback');
      else if (!isHarmless(error)) letGo();
      if (isDamage(error)) damage = { error, fileNumber };
      throw error;
    }
  };

  /** Once more, where the file was found to be another, or damaged and replaceable. */
  const runAgain = async <TResult>(work: (query: Query) => Promise<TResult>): Promise<TResult> => {
    try {
      return await run(work);
    } catch (error) {
      if (error instanceof FileReplacedError || (isDamage(error) && mayQuarantine)) return run(work);
      throw error;
    }
  };

  /** SQLite's own messages do not say which file it is. */
  const named = (error: unknown): unknown => {
    if (error instanceof Error && 'errcode' in error && !error.message.includes(file))
      error.message += ` (${file})`;
    return error;
  };

  return {
    words,
    transaction: (work) =>
      inTurn(() =>
        runAgain(work).catch((error: unknown) => {
          throw named(error);
        }),
      ),
    open: () =>
      inTurn(async () => {
        current ??= await open();
      }),
    close: () => inTurn(async () => letGo()),
  };
};
