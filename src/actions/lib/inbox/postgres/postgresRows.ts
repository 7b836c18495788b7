import { sha256 } from '../../sha256.ts';
import type { DeliveryFilter, DeliveryState, StoredDelivery } from '../actionInbox.ts';

/** The columns of {@link toDelivery}. */
export const deliveryColumns =
  'd.id, d.received_at, d.raw, d.digest, d.duplicate_of, d.source, d.encoding, d.is_rebuilt, d.state, d.attempts, d.due_at, d.last_error';

const optional = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Reads a row of {@link deliveryColumns}; the casts restate the column types of the schema (bigint arrives as text). */
export const toDelivery = (row: Record<string, unknown>): StoredDelivery => {
  const raw = row['raw'] as Uint8Array;
  return {
    id: row['id'] as string,
    raw,
    receivedAtMs: Number(row['received_at']),
    source: optional(row['source']),
    encoding: optional(row['encoding']),
    isRebuilt: row['is_rebuilt'] === true,
    state: row['state'] as DeliveryState,
    duplicateOf: optional(row['duplicate_of']),
    attempts: Number(row['attempts']),
    lastError: optional(row['last_error']),
    dueAtMs: Number(row['due_at']),
    isIntact: Buffer.compare(sha256(raw), row['digest'] as Uint8Array) === 0,
  };
};

/** The condition of a filter, its parameters numbered from 1. */
export const filterCondition = (
  filter: Omit<DeliveryFilter, 'limit'>,
): { readonly sql: string; readonly values: unknown[] } => {
  const values: unknown[] = [];
  const parts: string[] = [];
  const add = (sql: string, value: unknown): void => {
    values.push(value);
    parts.push(sql.replace('?', `$${values.length}`));
  };
  if (filter.states) add('d.state = any(?)', filter.states);
  if (filter.from !== undefined) add('d.id >= ?', filter.from);
  if (filter.to !== undefined) add('d.id <= ?', filter.to);
  return { sql: parts.length > 0 ? `where ${parts.join(' and ')}` : '', values };
};

const oneEscape = /\\(?:u(?:0000|d[89a-f][0-9a-f]{2})|.)/g;

/** Writes a value for a `jsonb` column, which refuses NUL and half a surrogate pair: U+FFFD stands for them. */
export const toJsonb = (value: unknown): string =>
  JSON.stringify(value).replace(oneEscape, (escape) => (escape.length > 2 ? '\\ufffd' : escape));

/** A text for a `text` column, which refuses NUL. */
export const toText = (text: string): string => text.replaceAll('\0', '\uFFFD');
