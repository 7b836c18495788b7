/** A row of the database; Postgres returns large integers as text. */
export type SqlRow = Readonly<Record<string, string | number | bigint | Uint8Array | null>>;

/** Runs one statement, whose parameters are `$1`, `$2` and so on. `now_ms()` is the database's current time. */
export type Query = (sql: string, parameters?: readonly unknown[]) => Promise<readonly SqlRow[]>;

/** A database for the store: the SQL that differs between databases, and how to run statements. */
export interface SqlDriver {
  /** Schema of the tables. */
  readonly schema: string;
  /** Type of a column of bytes. */
  readonly bytes: string;
  /** Type of an auto-incrementing primary key. */
  readonly identity: string;
  /** Ends the selection of rows to claim: other connections skip rows that are being claimed. */
  readonly skipLocked: string;
  /** The elements of the JSON array `$1`, as a table with the column `value`. */
  readonly elements: string;
  /** Runs a single statement whose effect may be lost in a crash of the database. */
  readonly query: Query;
  /**
   * Runs work in one transaction. Resolves when its commit is on disk. Transactions with the same digests are
   * serialized.
   */
  readonly transaction: <TResult>(
    work: (query: Query) => Promise<TResult>,
    digests?: readonly Buffer[],
  ) => Promise<TResult>;
  readonly close: () => Promise<void>;
}
