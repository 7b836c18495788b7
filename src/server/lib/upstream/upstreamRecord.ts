import { type CreatedKey, isPortalError, type PortalError } from '@vitrine/portal-client';
import type { Logger } from '../log/logger.ts';
import { warningFields } from '../log/warnAboutSetup.ts';

/** Whether the newest of several configured secrets is in use. */
export type SecretInUse = 'newest' | 'previous';

/** Outcomes of the last calls to a portal; times in milliseconds since the epoch. */
export interface UpstreamRecord {
  /** When the portal last issued a key. */
  lastSuccessMs?: number;
  /** When a call last failed: no connection, a timeout, or an invalid response. */
  lastFailureMs?: number;
  /** The last failure; safe to log. */
  lastFailure?: string;
  /** When the portal last refused to issue a key, which is not a failure. */
  lastRefusalMs?: number;
  /** The last refusal; safe to log. */
  lastRefusal?: string;
  /** The secrets that the portal last accepted; undefined before the first key. */
  secrets?: { readonly apiKey: SecretInUse; readonly passPhrase: SecretInUse };
  /** The portal's clock minus ours, in milliseconds, from the last response with a `Date` header. */
  clockSkewMs?: number;
}

/** Records the outcomes of calls. */
export interface UpstreamRecorder {
  readonly record: Readonly<UpstreamRecord>;
  success(created: CreatedKey): void;
  failure(error: unknown): void;
}

/** Half of the shortest key lifetime: beyond it, a key may expire before or long after the announced time. */
const maxSkewMs = 30_000;

const isFailure = ({ kind }: PortalError): boolean =>
  kind === 'network' || kind === 'timeout' || kind === 'server' || kind === 'invalid_response';

const inUse = (place: number): SecretInUse => (place === 0 ? 'newest' : 'previous');

/**
 * Creates an {@link UpstreamRecorder} that warns once if the previous secret is in use, and once if the clocks differ.
 */
export const createUpstreamRecorder = (options: {
  readonly tenancyName: string;
  readonly logger: Logger;
  readonly now: () => number;
}): UpstreamRecorder => {
  const { tenancyName, logger, now } = options;
  const record: UpstreamRecord = {};
  let hasWarnedOfSkew = false;

  const noteSecrets = ({ secrets }: CreatedKey) => {
    const before = record.secrets;
    for (const name of ['apiKey', 'passPhrase'] as const) {
      const isNewest = secrets[name] === 0;
      const wasNewest = before === undefined || before[name] === 'newest';
      if (isNewest === wasNewest) continue;
      if (isNewest)
        logger.info({ tenancyName, secret: name }, `The portal accepts the newest ${name} again.`);
      else
        logger.warn(
          { ...warningFields('previous_secret_used'), tenancyName, secret: name },
          `The portal rejected the newest ${name} and accepted the previous one. Check the newest ${name} before you remove the previous one.`,
        );
    }
    record.secrets = { apiKey: inUse(secrets.apiKey), passPhrase: inUse(secrets.passPhrase) };
  };

  const noteClock = (skewMs: number | undefined) => {
    if (skewMs === undefined) return;
    record.clockSkewMs = skewMs;
    const isSkewed = Math.abs(skewMs) > maxSkewMs;
    if (isSkewed && !hasWarnedOfSkew)
      logger.warn(
        { ...warningFields('clock_skew'), tenancyName, clockSkewMs: skewMs },
        `The portal's clock is ${Math.round(Math.abs(skewMs) / 1000)} seconds ${skewMs > 0 ? 'ahead of' : 'behind'} this machine's. Keys expire by the portal's clock: synchronize both (NTP).`,
      );
    hasWarnedOfSkew = isSkewed;
  };

  return {
    record,
    success: (created) => {
      record.lastSuccessMs = now();
      noteSecrets(created);
      noteClock(created.stats.clockSkewMs);
    },
    failure: (error) => {
      if (!isPortalError(error) || error.kind === 'aborted' || error.code === 'paused') return;
      if (isFailure(error)) {
        record.lastFailureMs = now();
        record.lastFailure = error.message;
      } else {
        record.lastRefusalMs = now();
        record.lastRefusal = error.message;
      }
    },
  };
};
