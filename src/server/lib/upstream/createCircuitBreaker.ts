import { isPortalError, PortalError, type PortalErrorKind } from '@vitrine/portal-client';
import type { Caller } from './caller.ts';
import { createRetryPauses } from './createRetryPauses.ts';

/** A call to the portal that ends when the signal fires. */
export type GuardedCall<TValue> = (signal: AbortSignal) => Promise<TValue>;

const neverAborted = new AbortController().signal;

/** Stops calling a failing portal, so that viewers get a response at once and the portal can recover. */
export interface CircuitBreaker {
  /** Throws a `PortalError` with the code `paused` while this caller must wait. */
  check(caller: Caller): void;
  /** Makes a call and records its outcome. Throws like {@link check} if calls are not allowed. */
  run<TValue>(caller: Caller, call: GuardedCall<TValue>, signal: AbortSignal): Promise<TValue>;
  /** `closed`: calls are made. `open`: no calls. `probing`: the break is over, and the next calls test the portal. */
  readonly state: 'closed' | 'open' | 'probing';
}

const minViewers = 5;
const minConnections = 5;
const maxProbes = 5;
const maxReports = 1000;
const firstBreakMs = 1000;
const maxBreakMs = 15_000;

/** What the outcome of a call says about the portal. */
type Evidence =
  /** It responded, perhaps with a refusal: a wrong passphrase or a missing report says nothing about the next call. */
  | 'works'
  /** No connection: affects every caller. */
  | 'unreachable'
  /** It failed or timed out for this report and viewer, and perhaps for no others. */
  | 'failed_here'
  /** The caller left, or no request was sent. */
  | 'nothing';

/**
 * Error codes of connections that were never established. With all others, the portal, or a proxy, has received the
 * request.
 */
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
 * Creates a {@link CircuitBreaker}. It opens for one second after five viewers, or five connections, fail in a row: any
 * successful call ends the row and closes the circuit. After the break, up to five viewers probe the portal with one
 * call each; another row of failures, or one failed connection, doubles the break, up to 15 seconds.
 *
 * So neither four viewers nor one report can block the others: four viewers hold at most four probes, and a report that
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
    // Probes of another report do not extend the break.
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
        // A viewer who leaves must not abort a probe: the others need its outcome.
        const value = await call(isProbe ? neverAborted : signal);
        works();
        pauses.works(caller);
        return value;
      } catch (error) {
        const evidence = evidenceOf(error);
        if (evidence === 'works') works();
        // Calls that began before the circuit opened do not count again.
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
