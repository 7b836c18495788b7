import type { InboxChange } from '../actionInbox.ts';

/** A row as the database gives it. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** Runs one statement, whose parameters are `$1`, `$2` and so on. `now_ms()` is the database's present moment. */
export type Query = (sql: string, parameters?: readonly unknown[]) => Promise<readonly SqlRow[]>;

/** The few words in which SQLite and Postgres differ. */
export interface SqlWords {
  /** Type of a column of bytes. */
  readonly bytes: string;
  /** Type of a primary key that counts by itself. */
  readonly identity: string;
  /** Ends the choice of rows to claim: other connections pass over rows that are being claimed. */
  readonly skipLocked: string;
}

/** A database as the store works with it. */
export interface SqlDriver {
  readonly words: SqlWords;
  /** Runs work in one transaction. Resolves when its commit is on the disk. */
  readonly transaction: <TResult>(work: (query: Query) => Promise<TResult>) => Promise<TResult>;
  /** Tells other processes of a change, within a transaction. Absent where the database cannot. */
  readonly notify?: (query: Query, change: InboxChange) => Promise<void>;
  /** Makes transactions of the same digests take turns until their commit. Absent where all do. */
  readonly lockDigests?: (query: Query, digests: readonly Uint8Array[]) => Promise<void>;
  readonly close: () => Promise<void>;
}
