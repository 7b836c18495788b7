import type { Database } from './database.ts';
import { decodeRun, encodeRun, entryOf, fingerprintOf, idsIn, runLength, runOf } from './fingerprintRun.ts';
import { createKeyFilter } from './keyFilter.ts';

/** Finds the first delivery with the same bytes. Every call belongs into a transaction. */
export interface DuplicateFinder {
  /** Takes in what other processes have stored. Called first in each transaction. */
  catchUp(): void;
  /** ID of the first delivery with these bytes, by their SHA-256, that was received since a moment. */
  find(digest: Uint8Array, sinceMs: number): number | null;
  add(id: number, digest: Uint8Array): void;
}

/**
 * An index of digests has no order that new ones follow, so an index kept by the database would write a page of its own
 * for nearly every delivery: more than everything else together. So fingerprints stay in memory, eight bytes each, in
 * sorted runs, and each run is stored whole when it is full. What is not stored yet is nothing but the last rows of
 * `deliveries`, so that a new process, or one beside this, reads the same from there. Nearly every delivery is new, and a
 * filter says so at once.
 */
export const createDuplicateFinder = (database: Database): DuplicateFinder => {
  const seen = createKeyFilter();
  /** Full runs, sorted, the oldest first. */
  const runs = new Map<number, Float64Array>();
  /** Entries of the newest run, in the order of their IDs. */
  const newest = new Float64Array(runLength);
  let count = 0;
  let lastId = -1;
  /** What was received before this moment, or has a lower ID than this, is of no interest any more. */
  const recent = { sinceMs: Number.NEGATIVE_INFINITY, id: 0 };

  const stored = database.statement('select run, entries from fingerprints order by run');
  const later = database.statement('select id, digest from deliveries where id > ? order by id');
  const isMatch = database.statement(
    'select 1 from deliveries where id = ? and digest = ? and received_at >= ?',
  );
  const store = database.statement('insert or ignore into fingerprints (run, entries) values (?, ?)');
  const next = database.statement('select id, received_at from deliveries where id >= ? order by id limit 1');
  const drop = database.statement('delete from fingerprints where run < ?');

  const readStored = (): void => {
    lastId = 0;
    for (const row of stored.iterate()) {
      // The columns are an integer and a blob.
      const [run, entries] = [row['run'] as number, decodeRun(row['entries'] as Uint8Array)];
      runs.set(run, entries);
      for (const entry of entries) seen.add(Math.floor(entry / runLength));
      lastId = (run + 1) * runLength - 1;
    }
  };

  /** Forgets what is of no interest any more: when a run is full, so that it is done in every process, and when it is met. */
  const forget = (): void => {
    let [low, high] = [recent.id, Math.max(lastId, 0) + 1];
    // IDs rise with the time of receipt, or nearly so: the first that is recent enough is found by halving.
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const row = next.get(middle);
      if (!row || Number(row['received_at']) >= recent.sinceMs) high = middle;
      else low = Number(row['id']) + 1;
    }
    recent.id = low;
    for (const run of runs.keys()) if (run < runOf(low)) runs.delete(run);
    drop.run(runOf(low));
  };

  const endRun = (): void => {
    const entries = newest.slice(0, count).sort();
    runs.set(runOf(lastId), entries);
    store.run(runOf(lastId), encodeRun(entries));
    count = 0;
    forget();
  };

  const add = (id: number, digest: Uint8Array): void => {
    if (count > 0 && runOf(id) !== runOf(lastId)) endRun();
    const fingerprint = fingerprintOf(digest);
    seen.add(fingerprint);
    newest[count] = entryOf(id, fingerprint);
    count += 1;
    lastId = id;
  };

  /** Every run, the oldest first; of the newest, which is not sorted, only what has the fingerprint. */
  function* candidates(fingerprint: number): Generator<readonly [number, Float64Array]> {
    yield* runs;
    const isLike = (entry: number): boolean => Math.floor(entry / runLength) === fingerprint;
    yield [runOf(lastId), newest.subarray(0, count).filter(isLike)];
  }

  return {
    catchUp() {
      if (lastId < 0) readStored();
      // The columns are an integer and a blob.
      for (const row of later.iterate(lastId)) add(row['id'] as number, row['digest'] as Uint8Array);
    },
    find(digest, sinceMs) {
      recent.sinceMs = sinceMs;
      const fingerprint = fingerprintOf(digest);
      if (!seen.mayHave(fingerprint)) return null;
      for (const [run, entries] of candidates(fingerprint))
        for (const id of idsIn(run, entries, fingerprint)) {
          if (id < recent.id) continue;
          if (isMatch.get(id, digest, sinceMs)) return id;
          // Thousands of the same bytes may lie before the first that counts.
          forget();
        }
      return null;
    },
    add,
  };
};
