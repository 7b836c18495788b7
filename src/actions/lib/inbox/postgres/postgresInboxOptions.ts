import { checkNumbers, checkOptions, longestTimerMs, type OptionNames } from '@vitrine/server/internal';

/** Options of `postgresInbox`. */
export interface PostgresInboxOptions {
  /** Schema of the inbox's tables; pg-boss gets one of its own beside it, `<schema>_queue`. Default: `vitrine`. */
  readonly schema?: string;
  /** How long the same bytes count as a duplicate, in milliseconds. Default: 24 hours. */
  readonly duplicateWindowMs?: number;
  /** Lease of a delivery, in milliseconds. A dispatcher whose `timeoutMs` is not shorter does not start. Default: 60 seconds. */
  readonly leaseMs?: number;
  /**
   * Folder of the spill files, used while the database is away, on a disk of this machine: then deliveries are kept there
   * instead of being answered with 503, and brought home when it is back. Default: none.
   */
  readonly spillFolder?: string;
  /** Hears of errors outside of any call, such as a lost connection. Default: nobody, because calls fail too. */
  readonly onError?: (error: unknown) => void;
  /** The present moment in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

const optionNames: OptionNames<PostgresInboxOptions> = {
  schema: true,
  duplicateWindowMs: true,
  leaseMs: true,
  spillFolder: true,
  onError: true,
  now: true,
};

/** Refuses options that do not exist, and numbers out of their range. */
export const checkPostgresOptions = (options: PostgresInboxOptions): void => {
  checkOptions('postgresInbox', options, optionNames);
  checkNumbers('postgresInbox', options, {
    duplicateWindowMs: [0, Number.MAX_SAFE_INTEGER],
    leaseMs: [1000, longestTimerMs],
  });
};
