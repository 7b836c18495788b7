import type { Database } from './database.ts';

/** Finds the first delivery with the same bytes. Every call belongs into a transaction. */
export interface DuplicateFinder {
  /** Takes in what other processes have stored. Called first in each transaction. */
  catchUp(): void;
  /** ID of the first delivery with these bytes, by their SHA-256, that was received since a moment. */
  find(digest: Uint8Array, sinceMs: number): number | null;
  add(id: number, digest: Uint8Array): void;
  /** Forgets what was received before a moment. */
  forgetBefore(sinceMs: number): void;
}

/**
 * So many of the newest are looked up in memory and go to their table together. They land all over its pages, and every
 * page is written whole: the more go at once, the fewer pages there are for each.
 */
const maxRecent = 8192;

/** The first 48 bits of a digest, as a whole number. Whoever shares them is compared in full. */
const keyOf = (digest: Uint8Array): number => {
  let key = 0;
  for (let at = 0; at < 6; at += 1) key = key * 256 + (digest[at] ?? 0);
  return key;
};

/**
 * An index of digests has no order that new ones follow, so an index kept by the database would write a page of its own
 * for nearly every delivery: more than everything else together. Here the newest stay in memory, and thousands of them are
 * written at once, in the order of the index. What is in memory is nothing but rows of `deliveries` after the mark, so that
 * a new process, or one beside this, reads the same from there.
 */
export const createDuplicateFinder = (database: Database): DuplicateFinder => {
  /** IDs by key. */
  const recent = new Map<number, number[]>();
  let count = 0;
  let lastId = -1;

  const mark = database.statement('select coalesce(max(up_to), 0) as up_to from digests_mark');
  const later = database.statement('select id, digest from deliveries where id > ? order by id');
  const writtenDown = database.statement(
    `select d.id from digests g cross join deliveries d on d.id = g.delivery_id
     where g.key = ? and d.digest = ? and d.received_at >= ? order by g.delivery_id limit 1`,
  );
  const isMatch = database.statement(
    'select 1 from deliveries where id = ? and digest = ? and received_at >= ?',
  );
  const note = database.statement('insert or ignore into digests (key, delivery_id) values (?, ?)');

  const writeDown = (): void => {
    for (const [key, ids] of [...recent].sort(([a], [b]) => a - b)) for (const id of ids) note.run(key, id);
    database.statement('delete from digests_mark').run();
    database.statement('insert into digests_mark (up_to) values (?)').run(Math.max(lastId, 0));
    recent.clear();
    count = 0;
  };

  const remember = (id: number, digest: Uint8Array): void => {
    const key = keyOf(digest);
    const same = recent.get(key);
    if (same) same.push(id);
    else recent.set(key, [id]);
    count += 1;
    lastId = Math.max(lastId, id);
    if (count >= maxRecent) writeDown();
  };

  return {
    catchUp() {
      if (lastId < 0) lastId = Number(mark.get()?.['up_to']);
      // The columns are an integer and a blob.
      for (const row of later.iterate(lastId)) remember(row['id'] as number, row['digest'] as Uint8Array);
    },
    find(digest, sinceMs) {
      const key = keyOf(digest);
      const earlier = writtenDown.get(key, digest, sinceMs);
      if (earlier) return Number(earlier['id']);
      return recent.get(key)?.find((id) => isMatch.get(id, digest, sinceMs)) ?? null;
    },
    add: remember,
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
