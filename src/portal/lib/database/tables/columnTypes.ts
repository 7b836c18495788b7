import type { ColumnType } from 'kysely';

/** A JSON document kept as text, the same in SQLite and Postgres. */
export type Json = string;
/** 0 or 1: the one form both databases agree on. */
export type Flag = number;
/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Milliseconds = number;
/** Set on insert, never changed. */
export type Fixed<TValue> = ColumnType<TValue, TValue, never>;
