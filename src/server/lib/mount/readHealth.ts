import type { TenantUpstream } from '../upstream/createTenantUpstream.ts';
import type { UpstreamRecord } from '../upstream/upstreamRecord.ts';

/** What is known of one tenant's portal. */
export interface TenantHealth extends Readonly<UpstreamRecord> {
  readonly tenancyName: string;
  /**
   * `failing` while the circuit is not closed, or when the last call failed within the last minute; `ok` when it did not;
   * `unknown` before the first call, and a minute after a failure that no call followed. A refusal is not a failure.
   */
  readonly status: 'ok' | 'failing' | 'unknown';
  /** Whether calls are made: `open` after failures, `probing` when that break is over and one call tests the portal. */
  readonly circuit: 'closed' | 'open' | 'probing';
  /** Calls in flight. */
  readonly callsUnderWay: number;
  /** Calls that wait for a free connection. */
  readonly callsWaiting: number;
}

/** What a mount knows of itself. Reading it costs nothing and calls nobody. */
export interface Health {
  /** For a liveness probe: always true, because a process that can say so lives. */
  readonly isLive: true;
  /**
   * For a readiness probe: whether to send this process requests. True until `close()`. A portal that fails does not
   * change it, for it fails the other processes too, and viewers get a better answer from here than from a load balancer.
   */
  readonly isReady: boolean;
  /** For people and alerts: `ok` when any tenant is, `failing` when all that are known fail. */
  readonly status: 'ok' | 'failing' | 'unknown';
  readonly tenants: readonly TenantHealth[];
}

const failureCountsForMs = 60_000;

const statusOf = ({ circuit, record }: TenantUpstream, nowMs: number): TenantHealth['status'] => {
  const { lastFailureMs, lastSuccessMs, lastRefusalMs } = record;
  const lastAnswerMs = Math.max(lastSuccessMs ?? -1, lastRefusalMs ?? -1);
  if (lastFailureMs !== undefined && lastFailureMs >= lastAnswerMs) {
    const isRecent = nowMs - lastFailureMs < failureCountsForMs;
    return isRecent ? 'failing' : 'unknown';
  }
  if (circuit !== 'closed') return 'failing';
  return lastAnswerMs < 0 ? 'unknown' : 'ok';
};

/** Reads the health of a mount. */
export const readHealth = (
  upstreams: readonly TenantUpstream[],
  { isReady, nowMs }: { readonly isReady: boolean; readonly nowMs: number },
): Health => {
  const tenants = upstreams.map((upstream) => ({
    tenancyName: upstream.connection.tenancyName,
    status: statusOf(upstream, nowMs),
    circuit: upstream.circuit,
    callsUnderWay: upstream.callsInFlight,
    callsWaiting: upstream.callsWaiting,
    ...upstream.record,
  }));
  const has = (status: TenantHealth['status']) => tenants.some((tenant) => tenant.status === status);
  return {
    isLive: true,
    isReady,
    status: has('ok') ? 'ok' : has('failing') ? 'failing' : 'unknown',
    tenants,
  };
};
