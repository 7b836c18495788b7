import { isRecord, member } from '../dialect/json.ts';
import { PortalError } from '../errors/portalError.ts';

/** How far a follower has come. Plain JSON: save it, and hand it in to go on from there. */
export interface AuditCheckpoint {
  readonly version: 1;
  /** First moment of interest, ISO 8601: nothing before it is ever given out. */
  readonly since: string;
  /** Time of the newest record given out that did not lie ahead of the clock, ISO 8601. */
  readonly through: string;
  /** Identifiers of the records given out that a later look may meet again. */
  readonly recentIds: readonly string[];
}

/** Checks a checkpoint that comes from a file or a database. Throws a {@link PortalError} of kind `config`. */
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
