import { statSync } from 'node:fs';
import { type Database, isDamage, isTransient, openDatabase } from './database.ts';
import { createDeliveryWriter, type DeliveryWriter } from './deliveryWriter.ts';
import {
  type AppendOutcome,
  type OperationResult,
  type PackedDeliveries,
  packedBody,
  type Round,
  type RoundResult,
  type StoreNews,
} from './messages.ts';
import { runOperation } from './operations.ts';
import { restore, salvage, setAside } from './setAside.ts';
import { createSpillFile } from './spillFile.ts';

/** Settings of the store; plain data, because they cross to a worker thread. */
export interface SqliteStoreOptions {
  /** Path of the database, or `:memory:`. */
  readonly file: string;
  /** Folder of the spill files; `null` for none. */
  readonly spillFolder: string | null;
  /** How long the same bytes count as a duplicate. */
  readonly duplicateWindowMs: number;
  /** Whether a damaged file is moved away for a fresh one; otherwise opening it fails. */
  readonly mayBeSetAside: boolean;
  /** Pause before a store that failed is tried again. */
  readonly retryAfterMs: number;
}

/** The inbox itself: synchronous, one transaction a round. Runs in a worker thread or in the caller's. */
export interface SqliteStore {
  run(round: Round): RoundResult;
  close(): void;
}

interface OpenInbox {
  readonly database: Database;
  readonly writer: DeliveryWriter;
  /** Which file it is, whatever its name. */
  readonly fileNumber: number | undefined;
}

class FileReplaced extends Error {
  override readonly name = 'FileReplaced';
}

const numberOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Opens the store. A commit that fails is never tried again and called saved: the kernel may have dropped the very pages
 * whose sync failed. The database is closed, the waiting deliveries are written anew to the spill file, and the database
 * is opened again later.
 */
export const openSqliteStore = (options: SqliteStoreOptions, nowMs: number): SqliteStore => {
  const { file, duplicateWindowMs } = options;
  const spill = options.spillFolder === null ? undefined : createSpillFile(options.spillFolder);
  let news: StoreNews[] = [];
  let current: OpenInbox | undefined;
  let retryAtMs = 0;
  let failure = '';
  let mayHoldSpilled = true;
  /** Damage that showed itself in use, which the check at opening had passed over. */
  let damage: unknown;

  const importSpilled = (into: OpenInbox): void => {
    if (!spill) return;
    let imported = 0;
    for (const { deliveries, done } of spill.takeOver()) {
      if (deliveries.length > 0) {
        into.writer.begin();
        for (const { key, ...delivery } of deliveries) into.writer.insert({ ...delivery, spillKey: key });
        into.database.statement('commit').run();
        imported += deliveries.length;
      }
      const damage = done();
      if (damage) news.push(damage);
    }
    if (imported > 0) news.push({ kind: 'recovered', imported });
  };

  const open = (atMs: number): OpenInbox => {
    let opened: Database;
    try {
      if (damage !== undefined) throw damage;
      opened = openDatabase(file, atMs);
    } catch (error) {
      if (!isDamage(error) || !options.mayBeSetAside) throw error;
      damage = undefined;
      const movedTo = setAside(file, atMs);
      opened = openDatabase(file, atMs);
      const salvaged = restore(opened, salvage(movedTo), atMs);
      news.push({ kind: 'damaged', movedTo, error: messageOf(error), salvaged });
    }
    const writer = createDeliveryWriter(opened, duplicateWindowMs);
    const inbox = { database: opened, writer, fileNumber: numberOf(file) };
    try {
      importSpilled(inbox);
    } catch (error) {
      // It would keep its lock, and nobody could open the file again.
      opened.close();
      throw error;
    }
    mayHoldSpilled = false;
    return inbox;
  };

  /** Another process may have found damage first and moved the file away: what is written to it from then on is lost. */
  const isReplaced = (): boolean => current !== undefined && numberOf(file) !== current.fileNumber;

  const giveUp = (error: unknown, atMs: number): void => {
    failure = messageOf(error);
    retryAtMs = atMs + options.retryAfterMs;
    try {
      current?.database.close();
    } catch {
      // The handle is unusable either way.
    }
    current = undefined;
  };

  const saveAside = (packed: PackedDeliveries): AppendOutcome => {
    if (!spill) return { kind: 'lost', error: failure };
    try {
      spill.save(packed);
      if (!mayHoldSpilled) news.push({ kind: 'spilling', error: failure });
      mayHoldSpilled = true;
      return { kind: 'spilled', error: failure };
    } catch (error) {
      return { kind: 'lost', error: `${failure}; the spill file: ${messageOf(error)}` };
    }
  };

  /** Runs the round in one transaction; throws when it did not commit. */
  const commit = (
    { database, writer }: OpenInbox,
    round: Round,
  ): Pick<RoundResult, 'append' | 'operations'> => {
    writer.begin();
    const ids: number[] = [];
    const duplicatesOf: (number | null)[] = [];
    const { deliveries } = round;
    if (deliveries)
      for (let index = 0; index < deliveries.ends.length; index += 1) {
        const stored = writer.insert({
          raw: packedBody(deliveries, index),
          receivedAtMs: deliveries.receivedAtMs[index] ?? round.nowMs,
          notes: deliveries.notes[index] ?? null,
          spillKey: null,
        });
        ids.push(stored?.id ?? Number.NaN);
        duplicatesOf.push(stored?.duplicateOf ?? null);
      }
    const operations = round.operations.map((operation): OperationResult => {
      try {
        const value = runOperation(database, operation, round.nowMs);
        return { isOk: true, value };
      } catch (error) {
        // A failed statement undoes itself; an error that undid the transaction concerns the whole round.
        if (isDamage(error) || !database.connection.isTransaction) throw error;
        return { isOk: false, error: messageOf(error) };
      }
    });
    database.statement('commit').run();
    // Looked at after the commit, as with the spill files, so that whoever moved it has read what was committed before.
    if (isReplaced()) throw new FileReplaced('Another process has put a new file in its place.');
    return { append: deliveries ? { kind: 'committed', ids, duplicatesOf } : { kind: 'none' }, operations };
  };

  const attempt = (round: Round, isRepeated = false): Pick<RoundResult, 'append' | 'operations'> => {
    try {
      if (!current && round.nowMs >= retryAtMs) current = open(round.nowMs);
      if (current) return commit(current, round);
    } catch (error) {
      const hasFollower = isReplaced();
      giveUp(error, round.nowMs);
      if ((hasFollower || (isDamage(error) && options.mayBeSetAside)) && !isRepeated) {
        // Nothing of the round counts as committed; the file of the other process takes it, or a fresh one.
        if (!hasFollower) damage = error;
        retryAtMs = round.nowMs;
        return attempt(round, true);
      }
    }
    return {
      append: round.deliveries ? saveAside(round.deliveries) : { kind: 'none' },
      operations: round.operations.map(() => ({ isOk: false, error: failure })),
    };
  };

  try {
    current = open(nowMs);
  } catch (error) {
    // A host that starts on a full disk takes deliveries all the same; one with a wrong path does not start.
    if (!isTransient(error) || !spill) throw error;
    giveUp(error, nowMs);
  }

  return {
    run(round) {
      const result = { ...attempt(round), news, isSpilling: current === undefined };
      news = [];
      return result;
    },
    close() {
      try {
        current?.database.close();
      } finally {
        spill?.close();
      }
    },
  };
};
