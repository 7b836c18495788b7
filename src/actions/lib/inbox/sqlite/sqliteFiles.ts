import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { schemaVersion } from '../sql/createTables.ts';

// Not an import, so that an unsupported Node version fails with our message and not with a missing module.
export const sqlite = process.getBuiltinModule('node:sqlite');

/** Location of an inbox; plain data, because it is sent to a worker thread. */
export interface SqliteDriverOptions {
  /** Absolute path of the database, or `:memory:`. */
  readonly file: string;
  /** Whether to create a missing or empty file; otherwise opening it fails. */
  readonly mayCreate: boolean;
}

/** Marks a file as an inbox: "VACT". */
const applicationId = 0x56414354;
/** Marks a file whose tables have just been created. */
export const markFormat = `pragma application_id = ${applicationId}; pragma user_version = ${schemaVersion}`;

/** SQLite's result code of an error; 0 if it has none. */
export const resultCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;

/** Whether the connection is still usable after an error (SQLITE_BUSY 5, SQLITE_FULL 13, SQLITE_CONSTRAINT 19). */
export const isHarmless = (error: unknown): boolean => [5, 13, 19].includes(resultCode(error));

/** The inode that a path currently refers to. */
export const inodeOf = (file: string): number | undefined =>
  file === ':memory:' ? undefined : statSync(file, { throwIfNoEntry: false })?.ino;

/** Rejects a file of another program or version, and an empty one if `mayCreate` is false. */
const checkFormat = (connection: DatabaseSync, file: string, mayCreate: boolean): void => {
  const { application_id: id } = connection.prepare('pragma application_id').get() ?? {};
  const { user_version: version } = connection.prepare('pragma user_version').get() ?? {};
  if (id === applicationId && version === schemaVersion) return;
  const isEmpty = id === 0 && connection.prepare('select 1 from sqlite_schema limit 1').get() === undefined;
  if (isEmpty && mayCreate) return;
  throw new Error(
    isEmpty
      ? `${file} is empty: it is not an action inbox. Check its path; a host creates its inbox when it starts.`
      : `${file} is not an action inbox of this version (application ID ${String(id)}, version ${String(version)}; expected ${applicationId}, version ${schemaVersion}). Move it, or use another file.`,
  );
};

/**
 * Prepares a connection for durable writes: with `synchronous=FULL`, each commit syncs the log. The truncating
 * checkpoint starts a fresh log: otherwise, after a failed sync, frames that exist only in the page cache would precede
 * new ones and break the log's checksum chain at power loss.
 */
export const prepareFile = (connection: DatabaseSync, { file, mayCreate }: SqliteDriverOptions): void => {
  checkFormat(connection, file, mayCreate);
  connection.exec('pragma journal_mode = wal; pragma synchronous = full; pragma trusted_schema = off');
  connection.exec('pragma wal_checkpoint(truncate)');
};
