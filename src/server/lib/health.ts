import { type CreatedKey, isPortalError, type PortalError } from '@vitrine/portal-client';
import { type Logger, warningFields } from './log.ts';

/** Outcomes of the last calls to a portal; times in milliseconds since the epoch. */
interface CallOutcomes {
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
}

/** The state of one tenant's portal. */
export interface TenantHealth extends Readonly<CallOutcomes> {
  readonly tenancyName: string;
  /**
   * `failing` if the last call failed within the last minute; `ok` if it succeeded; `unknown` before the first call, and
   * from one minute after a failure without further calls. A refusal is not a failure.
   */
  readonly status: 'ok' | 'failing' | 'unknown';
  /** In-flight calls. */
  readonly callsInFlight: number;
  /** Calls waiting for a free connection. */
  readonly callsWaiting: number;
}

/** The state of the endpoint. Reading it is cheap and makes no requests. */
export interface Health {
  /** For a liveness probe: always true, because a process that responds is alive. */
  readonly isLive: true;
  /**
   * For a readiness probe: whether to send requests to this process. True until `close()`; with the option `actions`, only
   * from the first contact with their inbox on. A failing portal does not change it, because it fails for the other
   * processes too, and viewers get a better response from here than from a load balancer.
   */
  readonly isReady: boolean;
  /** Why `isReady` is false; absent otherwise. */
  readonly reason?: string;
  /** For people and alerts: `ok` if any tenant is `ok`, `failing` if all known tenants fail. */
  readonly status: 'ok' | 'failing' | 'unknown';
  readonly tenants: readonly TenantHealth[];
}

/** Half of the shortest key lifetime: beyond it, a key may expire before or long after the announced time. */
const maxSkewMs = 30_000;

const isFailure = ({ kind }: PortalError): boolean =>
  kind === 'network' || kind === 'timeout' || kind === 'server' || kind === 'invalid_response';

const failureCountsForMs = 60_000;

const statusOf = ({ lastFailureMs, lastSuccessMs, lastRefusalMs }: CallOutcomes): TenantHealth['status'] => {
  const lastResponseMs = Math.max(lastSuccessMs ?? -1, lastRefusalMs ?? -1);
  if (lastFailureMs !== undefined && lastFailureMs >= lastResponseMs)
    return Date.now() - lastFailureMs < failureCountsForMs ? 'failing' : 'unknown';
  return lastResponseMs < 0 ? 'unknown' : 'ok';
};

/** Records the outcomes of calls. Warns once while the portal accepts only a previous secret, and while the clocks differ. */
export const createOutcomes = (tenancyName: string, logger: Logger) => {
  const outcomes: CallOutcomes = {};
  const lasting = new Set<string>();
  const warnWhile = (isWrong: boolean, about: string, warn: () => void): void => {
    if (isWrong && !lasting.has(about)) warn();
    if (isWrong) lasting.add(about);
    else lasting.delete(about);
  };

  return {
    success: ({ stats: { secrets, clockSkewMs = 0 } }: CreatedKey): void => {
      outcomes.lastSuccessMs = Date.now();
      for (const name of ['apiKey', 'passPhrase'] as const)
        warnWhile((secrets?.[name] ?? 0) > 0, name, () =>
          logger.warn(
            { ...warningFields('previous_secret_used'), tenancyName, secret: name },
            `The portal rejected the newest ${name} and accepted the previous one. Check the newest ${name} before you remove the previous one.`,
          ),
        );
      warnWhile(Math.abs(clockSkewMs) > maxSkewMs, 'clock', () =>
        logger.warn(
          { ...warningFields('clock_skew'), tenancyName, clockSkewMs },
          `The portal's clock is ${Math.round(Math.abs(clockSkewMs) / 1000)} seconds ${clockSkewMs > 0 ? 'ahead of' : 'behind'} this machine's. Keys expire by the portal's clock: synchronize both (NTP).`,
        ),
      );
    },
    failure: (error: unknown): void => {
      if (!isPortalError(error) || error.kind === 'aborted') return;
      const { message } = error;
      const atMs = Date.now();
      if (isFailure(error)) Object.assign(outcomes, { lastFailureMs: atMs, lastFailure: message });
      else Object.assign(outcomes, { lastRefusalMs: atMs, lastRefusal: message });
    },
    health: (calls: Pick<TenantHealth, 'callsInFlight' | 'callsWaiting'>): TenantHealth => ({
      tenancyName,
      status: statusOf(outcomes),
      ...calls,
      ...outcomes,
    }),
  };
};

/** The health of a mount. */
export const readHealth = (tenants: readonly TenantHealth[], reason: string | undefined): Health => {
  const has = (status: TenantHealth['status']) => tenants.some((tenant) => tenant.status === status);
  return {
    isLive: true,
    isReady: reason === undefined,
    ...(reason !== undefined && { reason }),
    status: has('ok') ? 'ok' : has('failing') ? 'failing' : 'unknown',
    tenants,
  };
};
