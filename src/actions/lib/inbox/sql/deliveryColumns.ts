import { sha256 } from '../../sha256.ts';
import type { DeliveryState, StoredDelivery } from '../actionInbox.ts';
import type { SqlRow } from './sqlDriver.ts';

/** The columns that {@link toDelivery} reads. */
export const deliveryColumns =
  'id, received_at, source, encoding, is_reserialized, raw, digest, duplicate_of, state, attempts, last_error';

/** A damaged file may return bytes as text; the bytes are the same. */
export const bytesOf = (value: unknown): Uint8Array =>
  value instanceof Uint8Array ? value : Buffer.from(typeof value === 'string' ? value : '');

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Reads a row of {@link deliveryColumns}. Postgres returns integers as text. */
export const toDelivery = (row: SqlRow): StoredDelivery => {
  const raw = bytesOf(row['raw']);
  return {
    id: String(row['id']),
    raw,
    receivedAtMs: Number(row['received_at']),
    source: textOf(row['source']),
    encoding: textOf(row['encoding']),
    isReserialized: Number(row['is_reserialized']) === 1,
    // Only the store writes it.
    state: row['state'] as DeliveryState,
    duplicateOf: row['duplicate_of'] === null ? undefined : String(row['duplicate_of']),
    attempts: Number(row['attempts']),
    lastError: textOf(row['last_error']),
    isIntact: Buffer.compare(sha256(raw), bytesOf(row['digest'])) === 0,
  };
};

/** Postgres rejects NUL and lone surrogates in text. */
export const cleanText = (text: string | undefined): string | undefined =>
  text?.toWellFormed().replaceAll('\0', '\uFFFD');
