import type { InboxChange } from './inbox.ts';

/** A row of the database; Postgres returns large integers as text. */
export type SqlRow = Readonly<Record<string, string | number | bigint | Uint8Array | null>>;

/** Runs one statement, whose parameters are `$1`, `$2` and so on. `now_ms()` is the database's current time. */
export type Query = (sql: string, parameters?: readonly unknown[]) => Promise<readonly SqlRow[]>;

/** The words of SQL that differ between databases. */
export interface SqlWords {
  /** Type of a column of bytes. */
  readonly bytes: string;
  /** Type of an auto-incrementing primary key. */
  readonly identity: string;
}

/** A database for the inbox. */
export interface SqlDriver {
  /** Ends the selection of rows to claim: other connections skip rows that are being claimed. */
  readonly skipLocked: string;
  /** Runs work in one transaction, again after a conflict. Resolves when its commit is on disk. */
  transaction<TResult>(work: (query: Query) => Promise<TResult>): Promise<TResult>;
  /** Called first in a transaction that makes a change: announces it to other processes, once it is committed. */
  announce(query: Query, change: 'appended' | 'published'): Promise<void>;
  /** Starts to call back with changes by other processes, and with problems of the store. */
  listen(listener: (change: InboxChange) => void): void;
  close(): Promise<void>;
}

/**
 * The statements that create the tables. `at` is when a pending delivery is due (a lease is an `at` in the future, so a
 * crashed holder needs no cleanup), or when it was settled. `details`, `last_error`, `publication` and `reply` are JSON in
 * ASCII. Cursors start at the current time, above those of a replaced file.
 */
export const tableStatements = ({ bytes, identity }: SqlWords): readonly string[] => [
  `create table if not exists deliveries (
    id ${identity},
    received_at bigint not null,
    duplicate_of bigint,
    state text not null default 'pending',
    at bigint not null,
    attempts integer not null default 0,
    lease text,
    last_error text,
    cursor bigint,
    publication text,
    reply text,
    details text not null default '{}',
    digest ${bytes} not null,
    raw ${bytes} not null)`,
  'create index if not exists deliveries_state on deliveries (state, at, id)',
  'create index if not exists deliveries_state_id on deliveries (state, id)',
  'create index if not exists deliveries_digest on deliveries (digest, received_at, id)',
  'create unique index if not exists deliveries_cursor on deliveries (cursor) where cursor is not null',
  'create table if not exists meta (key text primary key, value bigint not null)',
  `insert into meta (key, value) values ('version', 4), ('cursor', now_ms()) on conflict (key) do nothing`,
];
