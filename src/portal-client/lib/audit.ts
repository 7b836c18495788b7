import { setTimeout as sleep } from 'node:timers/promises';
import type { OptionRules } from '@vitrine/contract/service';
import type { CallOptions } from './call.ts';
import { checkOptions, configError, longestTimerMs, PortalError } from './errors.ts';
import { isRecord } from './json.ts';
import type { PortalList } from './paging.ts';
import type { AuditRecord } from './rows.ts';

/** A point in time: a `Date`, or ISO 8601 with a zone; a date without a time is midnight UTC. */
export type Moment = Date | string;

/** Which records to list. */
export type AuditFilter = {
  /** Internal number of the user (docs/interface.md#4.5). */
  readonly userId?: number | undefined;
  /** Event type (6.2), such as `UserCreated`. */
  readonly actionType?: string | undefined;
  /** Start, inclusive. Default: the beginning. */
  readonly from?: Moment | undefined;
  /** End, exclusive. Default: the newest record. A date without a time means midnight, so that day is excluded. */
  readonly to?: Moment | undefined;
};

/** Options of `audit.list`. */
export type AuditListOptions = AuditFilter &
  CallOptions & {
    /** Rows per page, at most 200 (docs/interface.md#8). */
    readonly pageSize?: number | undefined;
  };

/** Options of `audit.follow`. */
export type FollowOptions = Pick<AuditFilter, 'userId' | 'actionType'> & {
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
};

/** The position of a follower. Plain JSON: save it, and pass it to resume from there. */
export interface AuditCheckpoint {
  readonly version: 1;
  /** Start time, ISO 8601: no earlier records are yielded. */
  readonly since: string;
  /** Time of the newest yielded record that was not ahead of the clock, ISO 8601. */
  readonly through: string;
  /** Identifiers of yielded records that a later check may read again. */
  readonly recentIds: readonly string[];
}

/** Audit records as they arrive. Iterate once. */
export type AuditFollower = AsyncIterable<AuditRecord> & {
  /** The position, including the last yielded record. Save it after handling the record. */
  readonly checkpoint: () => AuditCheckpoint;
};

/** Converts a moment to milliseconds since 1970. Throws if it is ambiguous. */
const momentMs = (moment: Moment, option: string): number => {
  const isClear =
    moment instanceof Date || /^\d{4}-\d{2}-\d{2}(?:T.*(?:z|[+-]\d{2}:?\d{2}))?$/i.test(moment.trim());
  const ms = moment instanceof Date ? moment.getTime() : Date.parse(moment.trim());
  if (isClear && !Number.isNaN(ms)) return ms;
  throw configError(
    `bad_option_${option}`,
    `${option} is not a point in time: ${JSON.stringify(moment)}. Pass a Date, a date such as 2026-01-31, or ISO 8601 with a time zone, such as 2026-01-31T08:00:00Z.`,
  );
};

/** The end of an open range: every service understands a full timestamp (docs/interface.md#4.5, `dateRange`). */
const farFutureMs = Date.UTC(9999, 11, 31);

/** The query of a filter; `dateRange` is two full UTC timestamps: start inclusive, end exclusive (assumed). */
export const auditQuery = (options: AuditListOptions) => {
  checkOptions('audit.list', options, listRules);
  const { userId, actionType, from, to } = options;
  const start = from === undefined ? 0 : momentMs(from, 'from');
  const end = to === undefined ? farFutureMs : momentMs(to, 'to');
  const hasRange = from !== undefined || to !== undefined;
  const dateRange = `${new Date(start).toISOString()}/${new Date(end).toISOString()}`;
  return { userId, actionType, dateRange: hasRange ? dateRange : undefined };
};

const isInstant = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value));

/** Checks a checkpoint from a file or a database. Throws a {@link PortalError} of kind `config`. */
export const parseAuditCheckpoint = (value: unknown): AuditCheckpoint => {
  const { version, since, through, recentIds } = isRecord(value) ? value : {};
  if (version === 1 && isInstant(since) && isInstant(through) && Array.isArray(recentIds))
    if (recentIds.every((id) => typeof id === 'string')) return { version, since, through, recentIds };
  throw configError(
    'bad_checkpoint',
    'The audit checkpoint is not valid. Pass the value that checkpoint() returned, or a start time as `from`.',
  );
};

const filterRules = {
  userId: { kind: 'whole', expected: 'the internal ID of a user, not an email address' },
  actionType: true,
  from: true,
  signal: true,
} as const;
const listRules: OptionRules<keyof AuditListOptions> = {
  ...filterRules,
  to: true,
  pageSize: true,
  timeoutMs: true,
  headers: true,
};
const followRules: OptionRules<keyof FollowOptions> = {
  ...filterRules,
  checkpoint: true,
  onQuiet: { kind: 'function' },
  pollMs: { kind: 'number', min: 1, max: longestTimerMs },
};

/** How late a record may be written and still be found: every check reads this time again. */
const overlapMs = 120_000;

/**
 * Follows the audit log. Each check skips records that it has already yielded, by identifier. The position is the records' own time;
 * records ahead of our clock are yielded but do not advance it, because later records would seem old. If our clock is
 * behind, checks reread more and still yield each record once.
 */
export const followAuditLog = (
  list: (options: AuditListOptions) => PortalList<AuditRecord>,
  options: FollowOptions,
): AuditFollower => {
  checkOptions('audit.follow', options, followRules);
  const { signal, userId, actionType, from = new Date(), pollMs = 5000 } = options;
  const start = options.checkpoint === undefined ? undefined : parseAuditCheckpoint(options.checkpoint);
  const sinceMs = start ? Date.parse(start.since) : momentMs(from, 'from');
  let throughMs = start ? Date.parse(start.through) : sinceMs;
  // The times of these records are unknown until they are read again; keep them until then.
  const given = new Map<string, number>(start?.recentIds.map((key) => [key, Number.POSITIVE_INFINITY]));

  const listFrom = (fromMs: number) => list({ userId, actionType, signal, from: new Date(fromMs) });

  async function* follow(): AsyncGenerator<AuditRecord, void, undefined> {
    try {
      for (;;) {
        if (signal?.aborted) return;
        const records = await Array.fromAsync(listFrom(Math.max(sinceMs, throughMs - overlapMs)));
        for (const { record, timeMs } of inOrder(records)) {
          const { id: key } = record;
          if (timeMs < sinceMs) continue;
          const isNew = !given.has(key);
          given.set(key, timeMs);
          if (timeMs <= Date.now()) throughMs = Math.max(throughMs, timeMs);
          if (!isNew) continue;
          yield record;
          if (signal?.aborted) return;
        }
        for (const [key, timeMs] of given) if (timeMs < throughMs - 2 * overlapMs) given.delete(key);
        options.onQuiet?.();
        await sleep(pollMs, undefined, { signal });
      }
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    }
  }
  return {
    [Symbol.asyncIterator]: follow,
    checkpoint: () => ({
      version: 1,
      since: new Date(sinceMs).toISOString(),
      through: new Date(throughMs).toISOString(),
      recentIds: [...given].filter(([, timeMs]) => timeMs >= throughMs - overlapMs).map(([key]) => key),
    }),
  };
};

/** Sorts records, oldest first. Records of the same millisecond keep the service's order. */
const inOrder = (records: readonly AuditRecord[]) =>
  records
    .map((record) => ({ record, timeMs: requireTime(record) }))
    .reverse()
    .toSorted((one, other) => one.timeMs - other.timeMs);

/** Milliseconds since 1970 of a record. Throws when its time cannot be read; one without a zone may be any. */
const requireTime = ({ timestamp = '' }: AuditRecord): number => {
  const ms = /(?:z|[+-]\d{2}:?\d{2})$/i.test(timestamp) ? Date.parse(timestamp) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw new PortalError(
    'An audit record has no readable time, so follow() cannot track its position. Use audit.list instead, or return the field timestamp, in ISO 8601 with a zone, with {adapt}.',
    { kind: 'invalid_response', code: 'audit_without_time' },
  );
};
