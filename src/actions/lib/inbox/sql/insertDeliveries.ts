import { sha256 } from '../../sha256.ts';
import type { NewDelivery } from '../actionInbox.ts';
import { cleanText } from './deliveryRow.ts';
import type { Query } from './sqlDriver.ts';

/** Rows of one `insert`: Postgres takes 65,535 parameters. */
const rowsPerInsert = 100;

/** One row of an insert, whose parameters begin at `$first`. The first of equal bytes is the one that came first. */
const valuesAt = (first: number, windowParameter: string): string => {
  const [receivedAt, source, encoding, isRebuilt, raw, digest] = [0, 1, 2, 3, 4, 5].map(
    (n) => `$${first + n}`,
  );
  const original = `select d.id from deliveries d where d.digest = ${digest}
    and d.received_at >= cast(${receivedAt} as bigint) - cast(${windowParameter} as bigint) order by d.received_at, d.id limit 1`;
  return `(${receivedAt}, ${source}, ${encoding}, ${isRebuilt}, ${raw}, ${digest}, (${original}), now_ms())`;
};

/** A row that was inserted, and the earlier row with the same bytes. */
export interface InsertedRow {
  readonly id: number;
  duplicateOf: number | undefined;
}

const insertSome = async (
  query: Query,
  deliveries: readonly NewDelivery[],
  windowMs: number,
): Promise<InsertedRow[]> => {
  const digests = deliveries.map(({ raw }) => sha256(raw));
  const parameters = deliveries.flatMap(({ receivedAtMs, source, encoding, isRebuilt, raw }, n) => [
    receivedAtMs,
    cleanText(source),
    cleanText(encoding),
    isRebuilt ? 1 : 0,
    raw,
    digests[n],
  ]);
  const rows = deliveries.map((_, n) => valuesAt(2 + n * 6, '$1'));
  const returned = await query(
    `insert into deliveries (received_at, source, encoding, is_rebuilt, raw, digest, duplicate_of, at)
     values ${rows.join(', ')} returning id, duplicate_of`,
    [windowMs, ...parameters],
  );
  const inserted = returned
    .map(({ id, duplicate_of: original }) => ({
      id: Number(id),
      duplicateOf: original === null ? undefined : Number(original),
    }))
    .sort((a, b) => a.id - b.id);
  // The statement does not see its own rows.
  const firsts = new Map<string, number>();
  for (const [n, row] of inserted.entries()) {
    const digest = digests[n]?.toString('latin1') ?? '';
    const first = firsts.get(digest);
    if (first === undefined) firsts.set(digest, row.id);
    else if (row.duplicateOf === undefined) {
      row.duplicateOf = first;
      await query('update deliveries set duplicate_of = $1 where id = $2', [first, row.id]);
    }
  }
  return inserted;
};

/** Inserts deliveries within a transaction, in their order, and finds the duplicates of the last `windowMs` milliseconds. */
export const insertDeliveries = async (
  query: Query,
  deliveries: readonly NewDelivery[],
  windowMs: number,
): Promise<readonly InsertedRow[]> => {
  const inserted: InsertedRow[] = [];
  for (let at = 0; at < deliveries.length; at += rowsPerInsert)
    inserted.push(...(await insertSome(query, deliveries.slice(at, at + rowsPerInsert), windowMs)));
  return inserted;
};
