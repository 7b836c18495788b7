import { isPortalError, PortalError, type PortalErrorKind, type StopSignal } from '@vitrine/portal-client';
import type { Caller } from './caller.ts';
import { createRetryPauses } from './createRetryPauses.ts';
import { neverStop } from './stop.ts';

/** A call to the portal that ends when the signal fires. */
export type GuardedCall<TValue> = (signal: StopSignal) => Promise<TValue>;

/** Stops calling a portal that fails, so that viewers get an answer at once and the portal can recover. */
export interface CircuitBreaker {
  /** Throws a `PortalError` with the code `paused` while this caller must wait. */
  check(caller: Caller): void;
  /** Makes a call and counts how it ends. Throws like {@link check} when it may not be made. */
  run<TValue>(caller: Caller, call: GuardedCall<TValue>, signal: StopSignal): Promise<TValue>;
  /** `closed`: calls are made. `open`: they are not. `probing`: the break is over, and the next calls show whether the portal works again. */
  readonly state: 'closed' | 'open' | 'probing';
}

const minViewers = 5;
const minConnections = 5;
const maxProbes = 5;
const maxReports = 1000;
const firstBreakMs = 1000;
const maxBreakMs = 15_000;

/** What a call says about the portal. */
type Evidence =
  /** It answered, if only to refuse: neither a wrong passphrase nor a missing report says anything about the next call. */
  | 'works'
  /** No connection: true for every caller. */
  | 'unreachable'
  /** It failed at this report for this viewer, or did not answer, and perhaps at nothing else. */
  | 'failed_here'
  /** The caller left, or nothing was sent. */
  | 'nothing';

/** Codes of connections that were never made. All others come after the portal, or what answers for it, has taken the request. */
const neverConnected =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|PROXY_)|CERT|SSL|TLS|UNABLE_TO/;
const failsHere: ReadonlySet<PortalErrorKind> = new Set(['network', 'timeout', 'server', 'invalid_response']);

const evidenceOf = (error: unknown): Evidence => {
  if (!isPortalError(error) || error.kind === 'aborted' || error.kind === 'config') return 'nothing';
  if (error.kind === 'network' && neverConnected.test(error.code ?? '')) return 'unreachable';
  return failsHere.has(error.kind) ? 'failed_here' : 'works';
};

const circuitOpen = (ms: number): PortalError =>
  new PortalError(
    `Circuit open: not calling the portal for ${Math.ceil(ms / 1000)} s, because recent calls failed.`,
    { kind: 'server', code: 'paused', retryAfterMs: Math.max(1, Math.round(ms)) },
  );

/**
 * Creates a {@link CircuitBreaker}. It opens for one second when five viewers, or five connections, failed in a row: any
 * call that works ends the row and closes the circuit. After the break, up to five viewers probe the portal with one call
 * each; another row of failures, or one failed connection, doubles the break, up to 15 seconds.
 *
 * So neither four viewers nor one report can keep the others from theirs: four hold four probes at most, and a report that
 * has not failed in this row is probed even during the break.
 */
export const createCircuitBreaker = (): CircuitBreaker => {
  const failedViewers = new Set<string>();
  const failedReports = new Set<number>();
  let failedConnections = 0;
  /** Undefined while the circuit is closed. */
  let openUntilMs: number | undefined;
  let breakMs = firstBreakMs;
  const probing = new Set<string>();
  const pauses = createRetryPauses();

  const leftMs = (): number => (openUntilMs === undefined ? 0 : Math.max(0, openUntilMs - performance.now()));
  const open = () => {
    breakMs = openUntilMs === undefined ? firstBreakMs : Math.min(breakMs * 2, maxBreakMs);
    openUntilMs = performance.now() + breakMs;
    failedViewers.clear();
  };
  const works = () => {
    openUntilMs = undefined;
    failedConnections = 0;
    failedViewers.clear();
    failedReports.clear();
  };
  const fails = ({ userId, itemId }: Caller) => {
    if (failedReports.size < maxReports) failedReports.add(itemId);
    // The break is not made longer by those who probe another report during it.
    if (leftMs() > 0) return;
    failedViewers.add(userId);
    if (failedViewers.size >= minViewers) open();
  };
  const failsToConnect = () => {
    failedConnections += 1;
    if (openUntilMs !== undefined || failedConnections >= minConnections) open();
  };

  const check = (caller: Caller) => {
    pauses.check(caller);
    if (openUntilMs === undefined) return;
    const isBreak = leftMs() > 0 && (failedConnections > 0 || failedReports.has(caller.itemId));
    if (isBreak) throw circuitOpen(leftMs());
    if (probing.has(caller.userId) || probing.size >= maxProbes) throw circuitOpen(firstBreakMs);
  };

  return {
    check,
    run: async (caller, call, signal) => {
      check(caller);
      const isProbe = openUntilMs !== undefined;
      if (isProbe) probing.add(caller.userId);
      try {
        // A viewer who leaves must not abort a probe: the others need to know what it finds out.
        const value = await call(isProbe ? neverStop : signal);
        works();
        pauses.works(caller);
        return value;
      } catch (error) {
        const evidence = evidenceOf(error);
        if (evidence === 'works') works();
        // Calls that began before the circuit opened have been counted enough.
        else if (isProbe || openUntilMs === undefined) {
          if (evidence === 'failed_here') fails(caller);
          else if (evidence === 'unreachable') failsToConnect();
        }
        pauses.note(caller, error);
        throw error;
      } finally {
        if (isProbe) probing.delete(caller.userId);
      }
    },
    get state() {
      if (openUntilMs === undefined) return 'closed';
      return leftMs() > 0 ? 'open' : 'probing';
    },
  };
};
