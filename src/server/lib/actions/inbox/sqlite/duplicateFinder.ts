import type { Database } from './database.ts';

/** What of a delivery tells whether another has the same bytes. */
export interface Fingerprint {
  readonly id: number;
  /** SHA-256 of the body. */
  readonly digest: Uint8Array;
  readonly receivedAtMs: number;
}

/** Finds the first delivery with the same bytes. Every call belongs into a transaction. */
export interface DuplicateFinder {
  /** Takes in what other processes have stored. Called first in each transaction. */
  catchUp(): void;
  /** ID of the first delivery with these bytes that was received since a moment. */
  find(digest: Uint8Array, sinceMs: number): number | null;
  add(fingerprint: Fingerprint): void;
  /** Forgets what was received before a moment. */
  forgetBefore(sinceMs: number): void;
}

/** So many of the newest are looked up in memory and go to their table together. */
const maxRecent = 2048;

/** The first 48 bits of a digest, as a whole number. Whoever shares them is compared in full. */
const keyOf = (digest: Uint8Array): number => {
  let key = 0;
  for (let at = 0; at < 6; at += 1) key = key * 256 + (digest[at] ?? 0);
  return key;
};

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/**
 * An index of digests has no order that new ones follow, so an index kept by the database would write a page of its own
 * for nearly every delivery: more than everything else together. Here the newest stay in memory, and thousands of them are
 * written at once, in the order of the index. What is in memory is nothing but rows of `deliveries` after the mark, so that
 * a new process, or one beside this, reads the same from there.
 */
export const createDuplicateFinder = (database: Database): DuplicateFinder => {
  const recent = new Map<number, Fingerprint[]>();
  let count = 0;
  let lastId = -1;

  const mark = (): number =>
    Number(database.statement('select coalesce(max(up_to), 0) as up_to from digests_mark').get()?.['up_to']);

  const remember = (fingerprint: Fingerprint): void => {
    const key = keyOf(fingerprint.digest);
    const same = recent.get(key);
    if (same) same.push(fingerprint);
    else recent.set(key, [fingerprint]);
    count += 1;
    lastId = Math.max(lastId, fingerprint.id);
  };

  const writeDown = (): void => {
    const insert = database.statement('insert or ignore into digests (key, delivery_id) values (?, ?)');
    for (const [key, fingerprints] of [...recent].sort(([a], [b]) => a - b))
      for (const { id } of fingerprints) insert.run(key, id);
    database.statement('delete from digests_mark').run();
    database.statement('insert into digests_mark (up_to) values (?)').run(Math.max(lastId, 0));
    recent.clear();
    count = 0;
  };

  return {
    catchUp() {
      if (lastId < 0) lastId = mark();
      const news = database.statement(
        'select id, digest, received_at from deliveries where id > ? order by id',
      );
      for (const row of news.iterate(lastId)) {
        // The columns are a blob and integers.
        remember({
          id: row['id'] as number,
          digest: row['digest'] as Uint8Array,
          receivedAtMs: row['received_at'] as number,
        });
        if (count >= maxRecent) writeDown();
      }
    },
    find(digest, sinceMs) {
      const key = keyOf(digest);
      const earlier = database
        .statement(
          `select d.id from digests g cross join deliveries d on d.id = g.delivery_id
           where g.key = ? and d.digest = ? and d.received_at >= ? order by g.delivery_id limit 1`,
        )
        .get(key, digest, sinceMs);
      if (earlier) return Number(earlier['id']);
      const found = recent.get(key)?.find((one) => one.receivedAtMs >= sinceMs && isSame(one.digest, digest));
      return found?.id ?? null;
    },
    add(fingerprint) {
      remember(fingerprint);
      if (count >= maxRecent) writeDown();
    },
    forgetBefore(sinceMs) {
      const next = database.statement(
        'select id, received_at from deliveries where id >= ? order by id limit 1',
      );
      let [low, high] = [0, Math.max(lastId, 0) + 1];
      // IDs rise with the time of receipt, or nearly so: the first that is recent enough is found by halving.
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        const row = next.get(middle);
        if (!row || Number(row['received_at']) >= sinceMs) high = middle;
        else low = Number(row['id']) + 1;
      }
      database.statement('delete from digests where delivery_id < ?').run(low);
    },
  };
};
