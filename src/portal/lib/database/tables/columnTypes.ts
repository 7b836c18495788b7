import type { ColumnType } from 'kysely';

/** A JSON document stored as text, for SQLite and Postgres. */
export type Json = string;
/** A boolean as 0 or 1, which both databases support. */
export type Flag = number;
/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Milliseconds = number;
/** Set on insert, never changed. */
export type Fixed<TValue> = ColumnType<TValue, TValue, never>;
