import { PortalError } from '../errors/portalError.ts';
import { isRecord, member } from '../responses/jsonValues.ts';

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

/** Checks a checkpoint from a file or a database. Throws a {@link PortalError} of kind `config`. */
export const parseAuditCheckpoint = (value: unknown): AuditCheckpoint => {
  if (isRecord(value) && member(value, 'version') === 1) {
    const since = member(value, 'since');
    const through = member(value, 'through');
    const recentIds = member(value, 'recentIds');
    if (
      isInstant(since) &&
      isInstant(through) &&
      Array.isArray(recentIds) &&
      recentIds.every((id) => typeof id === 'string')
    )
      return { version: 1, since, through, recentIds };
  }
  throw new PortalError(
    'The audit checkpoint is not valid. Pass the value that checkpoint() returned, or a start time as `from`.',
    { kind: 'config', code: 'bad_checkpoint' },
  );
};

const isInstant = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value));
