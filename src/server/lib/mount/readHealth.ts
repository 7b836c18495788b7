import type { TenantUpstream } from '../upstream/createTenantUpstream.ts';
import type { UpstreamRecord } from '../upstream/upstreamRecord.ts';

/** The state of one tenant's portal. */
export interface TenantHealth extends Readonly<UpstreamRecord> {
  readonly tenancyName: string;
  /**
   * `failing` while the circuit is not closed, or if the last call failed within the last minute; `ok` if it succeeded;
   * `unknown` before the first call, and from one minute after a failure without further calls. A refusal is not a
   * failure.
   */
  readonly status: 'ok' | 'failing' | 'unknown';
  /** State of the circuit: `open` after failures, `probing` while up to five calls test the portal. */
  readonly circuit: 'closed' | 'open' | 'probing';
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

const failureCountsForMs = 60_000;

const statusOf = ({ circuit, record }: TenantUpstream, nowMs: number): TenantHealth['status'] => {
  const { lastFailureMs, lastSuccessMs, lastRefusalMs } = record;
  const lastResponseMs = Math.max(lastSuccessMs ?? -1, lastRefusalMs ?? -1);
  if (lastFailureMs !== undefined && lastFailureMs >= lastResponseMs) {
    const isRecent = nowMs - lastFailureMs < failureCountsForMs;
    return isRecent ? 'failing' : 'unknown';
  }
  if (circuit !== 'closed') return 'failing';
  return lastResponseMs < 0 ? 'unknown' : 'ok';
};

/** Reads the health of a mount. */
export const readHealth = (
  upstreams: readonly TenantUpstream[],
  { reason, nowMs }: { readonly reason: string | undefined; readonly nowMs: number },
): Health => {
  const tenants = upstreams.map((upstream) => ({
    tenancyName: upstream.connection.tenancyName,
    status: statusOf(upstream, nowMs),
    circuit: upstream.circuit,
    callsInFlight: upstream.callsInFlight,
    callsWaiting: upstream.callsWaiting,
    ...upstream.record,
  }));
  const has = (status: TenantHealth['status']) => tenants.some((tenant) => tenant.status === status);
  return {
    isLive: true,
    isReady: reason === undefined,
    ...(reason !== undefined && { reason }),
    status: has('ok') ? 'ok' : has('failing') ? 'failing' : 'unknown',
    tenants,
  };
};
