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
  /** `closed`: calls are made. `open`: they are not. `probing`: the break is over, and the next call shows whether the portal works again. */
  readonly state: 'closed' | 'open' | 'probing';
}

const windowSize = 20;
const minCalls = 10;
const maxFailuresPerViewer = 2;
const maxFailuresPerReport = 3;
const maxFailedProbes = 2;
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

/** The other side closed the connection after it had taken the request. */
const wasConnected: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'UND_ERR_SOCKET', 'EPIPE']);
const failsHere: ReadonlySet<PortalErrorKind> = new Set(['timeout', 'server', 'invalid_response']);

const evidenceOf = (error: unknown): Evidence => {
  if (!isPortalError(error) || error.kind === 'aborted' || error.kind === 'config') return 'nothing';
  if (error.kind === 'network') return wasConnected.has(error.code) ? 'failed_here' : 'unreachable';
  return failsHere.has(error.kind) ? 'failed_here' : 'works';
};

/** One counted call; the caller is unknown of failures that concern everybody. */
interface Outcome {
  readonly hasFailed: boolean;
  readonly caller?: Caller;
}

const circuitOpen = (ms: number): PortalError =>
  new PortalError(
    `Circuit open: not calling the portal for ${Math.ceil(ms / 1000)} s, because recent calls failed.`,
    { kind: 'server', code: 'paused', retryAfterMs: Math.max(1, Math.round(ms)) },
  );

/**
 * Creates a {@link CircuitBreaker}. It opens when half of the last twenty counted calls failed, ten at least, for one
 * second; then one call at a time probes the portal, and each failed probe doubles the break, up to 15 seconds.
 *
 * Two viewers with broken reports must not close a tenant for the others. So a failure that may be the report's own
 * counts once per viewer and report, at most twice per viewer, and no more once it has counted three times for a report
 * and another report has worked since; and such a failure of a probe keeps only that viewer waiting, until a third
 * viewer's probe fails too.
 */
export const createCircuitBreaker = (): CircuitBreaker => {
  let outcomes: Outcome[] = [];
  /** Undefined while the circuit is closed. */
  let openUntilMs: number | undefined;
  let breakMs = firstBreakMs;
  let probe: Promise<void> | undefined;
  /** Viewers whose own probe failed in this break, and until when they wait. */
  const failedProbes = new Map<string, number>();
  const pauses = createRetryPauses();

  const open = (ms: number) => {
    breakMs = ms;
    openUntilMs = performance.now() + ms;
    outcomes = [];
    failedProbes.clear();
  };

  const isNew = ({ userId, itemId }: Caller): boolean => {
    const own = outcomes.filter(({ hasFailed, caller }) => hasFailed && caller?.userId === userId);
    return own.length < maxFailuresPerViewer && own.every(({ caller }) => caller?.itemId !== itemId);
  };
  /** Whether another report has worked since this one has failed often enough. */
  const isOfReport = ({ itemId }: Caller): boolean => {
    let failures = 0;
    return outcomes.some(({ hasFailed, caller }) => {
      if (hasFailed && caller?.itemId === itemId) failures += 1;
      return !hasFailed && caller?.itemId !== itemId && failures >= maxFailuresPerReport;
    });
  };
  const count = (outcome: Outcome) => {
    outcomes.push(outcome);
    if (outcomes.length > windowSize) outcomes.shift();
    const failures = outcomes.filter(({ hasFailed }) => hasFailed).length;
    if (outcomes.length >= minCalls && failures * 2 >= outcomes.length) open(firstBreakMs);
  };
  const judgeCall = (caller: Caller, evidence: Evidence) => {
    // Calls that began before the circuit opened have been counted enough.
    if (openUntilMs !== undefined) return;
    if (evidence === 'works') count({ hasFailed: false, caller });
    else if (evidence === 'unreachable') count({ hasFailed: true });
    else if (evidence === 'failed_here' && isNew(caller) && !isOfReport(caller))
      count({ hasFailed: true, caller });
  };
  const judgeProbe = ({ userId }: Caller, evidence: Evidence) => {
    if (evidence === 'works') openUntilMs = undefined;
    else if (evidence === 'unreachable') open(Math.min(breakMs * 2, maxBreakMs));
    else if (evidence === 'failed_here') {
      failedProbes.set(userId, performance.now() + breakMs);
      if (failedProbes.size > maxFailedProbes) open(Math.min(breakMs * 2, maxBreakMs));
    }
  };

  const beginProbe = (): (() => void) => {
    const ended = Promise.withResolvers<void>();
    probe = ended.promise;
    return () => {
      probe = undefined;
      ended.resolve();
    };
  };

  const check = (caller: Caller) => {
    pauses.check(caller);
    if (openUntilMs === undefined) return;
    const leftMs = Math.max(openUntilMs, failedProbes.get(caller.userId) ?? 0) - performance.now();
    if (leftMs > 0) throw circuitOpen(leftMs);
  };

  return {
    check,
    run: async (caller, call, signal) => {
      // Those who come during a probe wait for its end, and then for the next one where it decided nothing.
      for (let pending = probe; pending !== undefined; pending = probe) await pending;
      check(caller);
      const endProbe = openUntilMs === undefined ? undefined : beginProbe();
      const judge = endProbe === undefined ? judgeCall : judgeProbe;
      try {
        // A viewer who leaves must not abort a probe: the others wait for what it finds out.
        const value = await call(endProbe === undefined ? signal : neverStop);
        judge(caller, 'works');
        pauses.works(caller);
        return value;
      } catch (error) {
        judge(caller, evidenceOf(error));
        pauses.note(caller, error);
        throw error;
      } finally {
        endProbe?.();
      }
    },
    get state() {
      if (openUntilMs === undefined) return 'closed';
      return probe === undefined && performance.now() < openUntilMs ? 'open' : 'probing';
    },
  };
};
