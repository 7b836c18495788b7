import { type Database, fileNumberOf, isDamage, isTransient, leaveSyncs, openDatabase } from './database.ts';
import { createDeliveryWriter, type DeliveryWriter } from './deliveryWriter.ts';
import { createLogSync, type LogSync } from './logSync.ts';
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

/** The inbox itself: one transaction a round. Runs in a worker thread or in the caller's. */
export interface SqliteStore {
  /** Commits a round at once and calls back when it is synced, rounds in their order; a sync may outlast the next commit. */
  run(round: Round, answer: (result: RoundResult) => void): void;
  /** Closes the file. Every round has been answered. */
  close(): void;
}

type Outcome = Pick<RoundResult, 'append' | 'operations'>;

interface AskedRound {
  readonly round: Round;
  readonly answer: (result: RoundResult) => void;
}

interface CommittedRound extends AskedRound {
  readonly outcome: Outcome;
}

interface OpenInbox {
  readonly database: Database;
  readonly writer: DeliveryWriter;
  /** `undefined` for a database whose commits sync for themselves, or need not. */
  readonly log: LogSync | undefined;
}

class FileReplaced extends Error {
  override readonly name = 'FileReplaced';
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Opens the store. A commit or a sync that fails is never tried again and called saved: the kernel may have dropped the very
 * pages whose sync failed. The database is closed, the deliveries of every round that was not synced yet are written anew to
 * the spill file, and the database is opened again later. They may then be there twice, the second time with a flag.
 */
export const openSqliteStore = (options: SqliteStoreOptions, nowMs: number): SqliteStore => {
  const { file, duplicateWindowMs } = options;
  const spill = options.spillFolder === null ? undefined : createSpillFile(options.spillFolder);
  let news: StoreNews[] = [];
  let current: OpenInbox | undefined;
  /** Rounds that `current` has committed and that no sync has covered yet. */
  let unsynced: CommittedRound[] = [];
  let retryAtMs = 0;
  let failure = '';
  let mayHoldSpilled = true;
  /** Damage that showed itself in use, which the check at opening had passed over. */
  let damage: unknown;

  const importSpilled = (database: Database, writer: DeliveryWriter): void => {
    if (!spill) return;
    let imported = 0;
    for (const { deliveries, done } of spill.takeOver()) {
      if (deliveries.length > 0) {
        writer.begin();
        for (const { key, ...delivery } of deliveries) writer.insert({ ...delivery, spillKey: key });
        database.statement('commit').run();
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
    try {
      importSpilled(opened, writer);
      const log = createLogSync(file);
      if (log) leaveSyncs(opened);
      mayHoldSpilled = false;
      return { database: opened, writer, log };
    } catch (error) {
      // It would keep its lock, and nobody could open the file again.
      opened.close();
      throw error;
    }
  };

  /** Another process may have found damage first and moved the file away: what is written to it from then on is lost. */
  const isReplaced = (): boolean =>
    current !== undefined && fileNumberOf(file) !== current.database.fileNumber;

  const giveUp = (error: unknown, atMs: number): void => {
    failure = messageOf(error);
    retryAtMs = atMs + options.retryAfterMs;
    try {
      current?.log?.close();
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
  const commit = ({ database, writer }: OpenInbox, round: Round): Outcome => {
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

  const answer = ({ answer: tell }: AskedRound, outcome: Outcome): void => {
    tell({ ...outcome, news, isSpilling: current === undefined, isDiskSlow: current?.log?.isSlow ?? false });
    news = [];
  };

  const answerSynced = (last: CommittedRound): void => {
    const covered = unsynced.splice(0, unsynced.indexOf(last) + 1);
    for (const committed of covered) answer(committed, committed.outcome);
  };

  /** None of these rounds counts as committed. */
  const repeat = (rounds: readonly AskedRound[]): void => {
    unsynced = [];
    for (const asked of rounds) submit(asked, true);
  };

  const submit = (asked: AskedRound, isRepeated = false): void => {
    const { round } = asked;
    try {
      if (!current && round.nowMs >= retryAtMs) current = open(round.nowMs);
      if (current) {
        const inbox = current;
        const committed: CommittedRound = { ...asked, outcome: commit(inbox, round) };
        if (!inbox.log) return answer(committed, committed.outcome);
        unsynced.push(committed);
        return inbox.log.sync((error) => {
          // It was given up meanwhile, and what it had not synced has gone another way.
          if (inbox !== current) return;
          if (!error) return answerSynced(committed);
          giveUp(error, round.nowMs);
          repeat(unsynced);
        });
      }
    } catch (error) {
      const hasFollower = isReplaced();
      giveUp(error, round.nowMs);
      if ((hasFollower || (isDamage(error) && options.mayBeSetAside)) && !isRepeated) {
        // The file of the other process takes them at once, or a fresh one.
        if (!hasFollower) damage = error;
        retryAtMs = 0;
      }
      return repeat([...unsynced, asked]);
    }
    answer(asked, {
      append: round.deliveries ? saveAside(round.deliveries) : { kind: 'none' },
      operations: round.operations.map(() => ({ isOk: false, error: failure })),
    });
  };

  try {
    current = open(nowMs);
  } catch (error) {
    // A host that starts on a full disk takes deliveries all the same; one with a wrong path does not start.
    if (!isTransient(error) || !spill) throw error;
    giveUp(error, nowMs);
  }

  return {
    run: (round, tell) => submit({ round, answer: tell }),
    close() {
      try {
        current?.log?.close();
        current?.database.close();
      } finally {
        spill?.close();
      }
    },
  };
};
