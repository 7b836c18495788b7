import { statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { sha256 } from '../../sha256.ts';
import type { DeliveryState } from '../actionInbox.ts';
import type { DeliveryRow } from './messages.ts';
import { addLease, lacksLease, schema, schemaVersion } from './schema.ts';

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** The columns of {@link toRow}, in the words of the tables. */
export const deliveryColumns =
  'd.id, d.received_at, d.raw, d.digest, d.duplicate_of, d.source, d.encoding, d.is_rebuilt, d.state, d.attempts, d.due_at, d.last_error';

/** A damaged file may call bytes a text: they are the same bytes. */
const bytesOf = (value: unknown): Uint8Array =>
  value instanceof Uint8Array ? value : Buffer.from(typeof value === 'string' ? value : '');

/** Reads a row of {@link deliveryColumns}; the casts restate the strict column types of the schema. */
export const toRow = (row: Record<string, unknown>): DeliveryRow => {
  const raw = bytesOf(row['raw']);
  return {
    id: row['id'] as number,
    raw,
    receivedAtMs: row['received_at'] as number,
    source: row['source'] as string | null,
    encoding: row['encoding'] as string | null,
    isRebuilt: row['is_rebuilt'] === 1,
    state: row['state'] as DeliveryState,
    duplicateOf: row['duplicate_of'] as number | null,
    attempts: row['attempts'] as number,
    lastError: row['last_error'] as string | null,
    dueAtMs: row['due_at'] as number,
    isIntact: isSame(sha256(raw), bytesOf(row['digest'])),
  };
};

/**
 * Cursors of a new file start at the present moment, so that they are higher than those of a file it replaces:
 * a browser that comes back with a cursor of the old one misses nothing new.
 */
const startCursors = (connection: DatabaseSync, nowMs: number): void => {
  connection
    .prepare(
      `insert into sqlite_sequence (name, seq)
       select 'publications', ? where not exists (select 1 from sqlite_sequence where name = 'publications')`,
    )
    .run(nowMs);
};

/** Which file has a name at the moment. */
export const fileNumberOf = (file: string): number | undefined =>
  statSync(file, { throwIfNoEntry: false })?.ino;

/** An open inbox file and its prepared statements. */
export interface Database {
  readonly connection: DatabaseSync;
  /** Which file it is, whatever its name. */
  readonly fileNumber: number | undefined;
  /** Prepares a statement once. */
  statement(sql: string): StatementSync;
  close(): void;
}

/**
 * Pages in the log before they are moved to the file: 16 MiB. A move costs two more syncs, for which a commit waits; and of a
 * page that was written many times only the last version moves.
 */
const pagesInLog = 4000;

/**
 * Opens the file for durable writing: with `synchronous=FULL` each commit syncs the log. {@link leaveSyncs} ends that.
 * The truncating checkpoint starts a fresh log: after a failed sync, frames that only the page cache holds
 * would otherwise sit below new ones and break the log's checksum chain at power loss.
 */
export const openDatabase = (file: string, nowMs: number): Database => {
  const connection = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: true });
  const fileNumber = fileNumberOf(file);
  try {
    connection.exec('pragma journal_mode = wal; pragma synchronous = full; pragma trusted_schema = off');
    connection.exec(`pragma wal_autocheckpoint = ${pagesInLog}`);
    const check = connection.prepare('pragma quick_check(1)').get();
    if (check?.['quick_check'] !== 'ok')
      throw Object.assign(new Error('The integrity check found damage.'), { errcode: 11 });
    connection.exec(`begin immediate; ${schema}`);
    if (connection.prepare(lacksLease).get()?.['lacks'] === 1) connection.exec(addLease);
    connection.exec(`pragma user_version = ${schemaVersion}; commit`);
    startCursors(connection, nowMs);
    connection.exec('pragma wal_checkpoint(truncate)');
  } catch (error) {
    connection.close();
    throw error;
  }
  const statements = new Map<string, StatementSync>();
  return {
    connection,
    fileNumber,
    statement(sql) {
      const known = statements.get(sql);
      if (known) return known;
      const prepared = connection.prepare(sql);
      statements.set(sql, prepared);
      return prepared;
    },
    close: () => connection.close(),
  };
};

/**
 * From now on a commit is written to the log and not synced: its caller syncs the log before anybody hears of it. What the log
 * does hold after a loss of power is the same as with `synchronous=FULL`, a whole number of commits from the first on, for
 * each page in it carries a checksum over all those before. SQLite still syncs the log before its pages move to the file, and
 * the file before the log begins anew.
 */
export const leaveSyncs = ({ connection }: Database): void => connection.exec('pragma synchronous = normal');

const resultCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;

/** Whether an error may pass by itself: a busy, failing or full disk (SQLITE_BUSY 5, SQLITE_IOERR 10, SQLITE_FULL 13). */
export const isTransient = (error: unknown): boolean => [5, 10, 13].includes(resultCode(error));

/** Whether an error means that the file itself is broken (SQLITE_CORRUPT 11, SQLITE_NOTADB 26). */
export const isDamage = (error: unknown): boolean => [11, 26].includes(resultCode(error));
