/** A row as the database gives it; Postgres gives its large whole numbers as text. */
export type SqlRow = Readonly<Record<string, string | number | bigint | Uint8Array | null>>;

/** Runs one statement, whose parameters are `$1`, `$2` and so on. `now_ms()` is the database's present moment. */
export type Query = (sql: string, parameters?: readonly unknown[]) => Promise<readonly SqlRow[]>;

/** A database as the store works with it: the few words that differ, and how statements run. */
export interface SqlDriver {
  /** Schema of the tables. */
  readonly schema: string;
  /** Type of a column of bytes. */
  readonly bytes: string;
  /** Type of a primary key that counts by itself. */
  readonly identity: string;
  /** Ends the choice of rows to claim: other connections pass over rows that are being claimed. */
  readonly skipLocked: string;
  /** The elements of the JSON array `$1`, as a table with the column `value`. */
  readonly elements: string;
  /** Runs one statement that needs no other beside it, and whose loss at a crash of the database costs nothing. */
  readonly query: Query;
  /** Runs work in one transaction. Resolves when its commit is on the disk. Those of the same digests take turns. */
  readonly transaction: <TResult>(
    work: (query: Query) => Promise<TResult>,
    digests?: readonly Buffer[],
  ) => Promise<TResult>;
  readonly close: () => Promise<void>;
}
