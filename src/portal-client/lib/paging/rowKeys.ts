import { createHash } from 'node:crypto';

/**
 * Unique keys of the rows of a page: the identifier, or a digest of the whole row if it has none. Equal rows without an
 * identifier on one page are numbered, because they may be separate.
 */
export const rowKeys = <TRow>(
  rows: readonly TRow[],
  idOf: (row: TRow) => string | undefined,
): readonly string[] => {
  const repeats = new Map<string, number>();
  return rows.map((row) => {
    const id = idOf(row);
    if (id !== undefined) return `id:${id}`;
    const digest = rowDigest(row);
    const repeat = (repeats.get(digest) ?? 0) + 1;
    repeats.set(digest, repeat);
    return `row:${digest}:${repeat}`;
  });
};

/** A digest of a row's JSON. All rows that are too deep for JSON have the same digest. */
export const rowDigest = (row: unknown): string => {
  let text: string;
  try {
    text = JSON.stringify(row) ?? 'undefined';
  } catch {
    text = 'too deep';
  }
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
};
