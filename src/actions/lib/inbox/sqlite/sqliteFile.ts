import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { schemaVersion } from '../sql/schema.ts';

// Not an import: an unsupported Node then says which Node it needs, and not that it lacks a module.
const sqlite = process.getBuiltinModule('node:sqlite');

/** Marks a file as an inbox: "VACT". */
const applicationId = 0x56414354;
/** A larger file is not checked when it is opened, because the check reads all of it; its damage shows when it is met. */
const checkAtOpeningBytes = 8 * 1024 * 1024;

/** The file is something else than an inbox of this version. */
export class InboxFormatError extends Error {
  override readonly name = 'InboxFormatError';
}

/** Another process has moved the file away; what was committed since is in the wrong one. */
export class FileReplacedError extends Error {
  override readonly name = 'FileReplacedError';
}

const resultCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;

/** Whether an error means that the file itself is broken (SQLITE_CORRUPT 11, SQLITE_NOTADB 26). */
export const isDamage = (error: unknown): boolean => [11, 26].includes(resultCode(error));

/** Whether the connection is still good after an error (SQLITE_BUSY 5, SQLITE_FULL 13, SQLITE_CONSTRAINT 19). */
export const isHarmless = (error: unknown): boolean => [5, 13, 19].includes(resultCode(error));

const damaged = (message: string): Error => Object.assign(new Error(message), { errcode: 11 });

/** Which file has a name at the moment. */
export const fileNumberOf = (file: string): number | undefined =>
  file === ':memory:' ? undefined : statSync(file, { throwIfNoEntry: false })?.ino;

/** Rejects a file that another program, or another version, has written. */
const checkFormat = (connection: DatabaseSync, file: string): void => {
  const { application_id: id } = connection.prepare('pragma application_id').get() ?? {};
  const { user_version: version } = connection.prepare('pragma user_version').get() ?? {};
  if (id === applicationId && version === schemaVersion) return;
  if (id === 0 && connection.prepare('select 1 from sqlite_schema limit 1').get() === undefined) return;
  throw new InboxFormatError(
    `${file} is not an action inbox of this version (application ID ${String(id)}, version ${String(version)}; expected ${applicationId}, version ${schemaVersion}). Move it away, or name another file.`,
  );
};

/** Whether the beginning of a file may once have been an inbox, however damaged it is. */
const mayBeInbox = (file: string): boolean => {
  const start = Buffer.alloc(16_384);
  const descriptor = openSync(file, 'r');
  const length = readSync(descriptor, start);
  closeSync(descriptor);
  const header = start.toString('latin1', 0, Math.min(length, 15));
  return 'SQLite format 3'.startsWith(header) || start.includes('CREATE TABLE deliveries');
};

/** Throws when an existing file is no inbox of this version. Whatever else is wrong with it shows when it is opened. */
export const checkExistingFile = (file: string): void => {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return;
  try {
    if (!mayBeInbox(file))
      throw new InboxFormatError(
        `${file} is not an action inbox: it is not a SQLite database. Move it away, or name another file.`,
      );
    const connection = new sqlite.DatabaseSync(file, { readOnly: true });
    try {
      checkFormat(connection, file);
    } finally {
      connection.close();
    }
  } catch (error) {
    if (error instanceof InboxFormatError) throw error;
  }
};

const checkIntegrity = (connection: DatabaseSync): void => {
  const result = connection.prepare('pragma quick_check(1)').get()?.['quick_check'];
  if (result !== 'ok') throw damaged(`The integrity check found damage: ${String(result).slice(0, 200)}`);
};

/**
 * Opens the file for durable writing: with `synchronous=FULL` each commit syncs the log. The truncating checkpoint starts a
 * fresh log: after a failed sync, frames that only the page cache holds would otherwise sit below new ones and break the
 * log's checksum chain at power loss.
 */
export const openFile = (file: string): DatabaseSync => {
  const connection = new sqlite.DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: true });
  try {
    checkFormat(connection, file);
    connection.exec('pragma journal_mode = wal; pragma synchronous = full; pragma trusted_schema = off');
    const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes <= checkAtOpeningBytes) checkIntegrity(connection);
    connection.exec('pragma wal_checkpoint(truncate)');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
};

/** Marks a file whose tables have just been created. */
export const markFormat = `pragma application_id = ${applicationId}; pragma user_version = ${schemaVersion}`;
