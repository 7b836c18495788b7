import { setTimeout as sleep } from 'node:timers/promises';
import { checkOptions, longestTimerMs, type OptionNames } from '../errors/checkOptions.ts';
import type { PortalList } from '../paging/paging.ts';
import { rowKeys } from '../paging/rowKeys.ts';
import { type AuditCheckpoint, parseAuditCheckpoint } from './auditCheckpoint.ts';
import type { AuditFilter, AuditListOptions } from './auditFilter.ts';
import { type AuditRecord, auditRecordReader, requireTime } from './auditRecord.ts';
import { type Moment, momentMs } from './dateRange.ts';
import { readRange } from './readRange.ts';

/** Options of `auditLogs.follow`. */
export interface FollowOptions extends Pick<AuditFilter, 'userId' | 'actionType'> {
  /** Start time. Default now. Ignored if a checkpoint is given. */
  readonly from?: Moment | undefined;
  /** Resumes where an earlier follower stopped. */
  readonly checkpoint?: AuditCheckpoint | undefined;
  /** Stops following without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Called when a check has reached the newest record: stop here to read only existing records. */
  readonly onQuiet?: (() => void) | undefined;
  /** Time between checks for new records, in milliseconds. Default 5 000. */
  readonly pollMs?: number | undefined;
  /** How late a record may be written and still be found, in milliseconds: every check reads this time again. Default two minutes. */
  readonly overlapMs?: number | undefined;
}

/** Audit records as they arrive. Iterate once. */
export interface AuditFollower extends AsyncIterable<AuditRecord> {
  /** The position, including the last yielded record. Save it after handling the record. */
  readonly checkpoint: () => AuditCheckpoint;
}

type ListRecords = (options?: AuditListOptions) => PortalList<AuditRecord>;

const optionNames: OptionNames<FollowOptions> = {
  userId: true,
  actionType: true,
  from: true,
  checkpoint: true,
  signal: true,
  onQuiet: { kind: 'function' },
  pollMs: { kind: 'number', min: 1, max: longestTimerMs },
  overlapMs: { kind: 'number', min: 0 },
};

/** Maximum number of new records in memory. */
const maxFresh = 10_000;

/**
 * Follows the audit log. Each check reads a time range with a fixed end, rereads the last two minutes for records
 * written late, and skips records that it has already yielded, by identifier. The position is the records' own time;
 * records ahead of our clock are yielded but do not advance it, because later records would seem old. If our clock is
 * behind, checks reread more and still yield each record once.
 */
export const followAuditLogs = (list: ListRecords, options: FollowOptions): AuditFollower => {
  checkOptions('auditLogs.follow', options, optionNames);
  const { signal, userId, actionType, pollMs = 5000, overlapMs = 120_000 } = options;
  const start = options.checkpoint === undefined ? undefined : parseAuditCheckpoint(options.checkpoint);
  const sinceMs = start ? Date.parse(start.since) : startMs(options.from);
  let throughMs = start ? Date.parse(start.through) : sinceMs;
  /** Everything before this was read in the last check that reached the end. */
  let readToMs = throughMs;
  // The times of these records are unknown until they are read again; keep them until then.
  const given = new Map<string, number>(start?.recentIds.map((key) => [key, Number.POSITIVE_INFINITY]));

  const readNext = () =>
    readRange(
      (range) =>
        list({
          userId,
          actionType,
          signal,
          from: new Date(range.fromMs),
          to: new Date(range.toMs),
        }),
      {
        fromMs: Math.max(sinceMs, throughMs - overlapMs),
        // Records before this were yielded; only later ones may be deferred.
        splitAfterMs: Math.max(throughMs, readToMs),
        maxRecords: maxFresh + given.size,
      },
    );

  async function* follow(): AsyncGenerator<AuditRecord, void, undefined> {
    for (;;) {
      if (signal?.aborted) return;
      const { records, cutAtMs } = await readNext();
      for (const { record, key, timeMs } of inOrder(records)) {
        if (timeMs < sinceMs) continue;
        const isNew = !given.has(key);
        given.set(key, timeMs);
        if (timeMs <= Date.now()) throughMs = Math.max(throughMs, timeMs);
        if (!isNew) continue;
        yield record;
        if (signal?.aborted) return;
      }
      readToMs = cutAtMs ?? throughMs;
      for (const [key, timeMs] of given) if (timeMs < throughMs - 2 * overlapMs) given.delete(key);
      if (cutAtMs !== undefined) continue;
      options.onQuiet?.();
      await sleep(pollMs, undefined, { signal });
    }
  }
  async function* untilAborted(): AsyncGenerator<AuditRecord, void, undefined> {
    try {
      yield* follow();
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    }
  }
  return {
    [Symbol.asyncIterator]: untilAborted,
    checkpoint: () => ({
      version: 1,
      since: new Date(sinceMs).toISOString(),
      through: new Date(throughMs).toISOString(),
      recentIds: [...given].filter(([, timeMs]) => timeMs >= throughMs - overlapMs).map(([key]) => key),
    }),
  };
};

const startMs = (from: Moment | undefined): number =>
  from === undefined ? Date.now() : momentMs(from, 'from');

/** Sorts records, oldest first. Records of the same millisecond keep the service's order. */
const inOrder = (records: readonly AuditRecord[]) => {
  const keys = rowKeys(records, auditRecordReader.idOf);
  return records
    .map((record, index) => ({ record, key: keys[index] ?? String(record.id), timeMs: requireTime(record) }))
    .reverse()
    .toSorted((one, other) => one.timeMs - other.timeMs);
};
