import { isPortalError, PortalError, type StopSignal } from '@vitrine/portal-client';
import {
  BrokenCircuitError,
  CircuitState,
  CountBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleWhen,
} from 'cockatiel';
import { createSteadyTime } from './createSteadyTime.ts';
import { createTurns } from './createTurns.ts';
import { neverStop } from './stop.ts';

/** Options of {@link createUpstreamGuard}. */
export interface UpstreamGuardOptions {
  /** Calls under way at most. */
  readonly maxConcurrent: number;
  /** Calls that may wait for their turn. */
  readonly maxQueue: number;
  /** Milliseconds from the arrival of a call to its answer at most, the wait included. */
  readonly totalTimeoutMs: number;
  readonly now: () => number;
}

/** A call was turned away because too many are waiting already. */
export class OverloadedError extends Error {
  override readonly name = 'OverloadedError';
}

/** A call to the portal. It ends when the signal fires, and after `timeoutMs` at the latest. */
export type GuardedCall<TValue> = (signal: StopSignal, timeoutMs: number) => Promise<TValue>;

/** Stands between the viewers of one tenant and its portal, so that trouble there stays small here. */
export interface UpstreamGuard {
  /** Runs a call, or rejects without one: queue full, circuit open, or the portal has asked for a pause. */
  run<TValue>(call: GuardedCall<TValue>, signal: StopSignal): Promise<TValue>;
  /** What {@link run} would do now. */
  readonly state: 'closed' | 'open' | 'probing';
  readonly underWay: number;
  readonly waiting: number;
}

const firstBreakMs = 1000;
const longestBreakMs = 15_000;
const shortestPauseMs = 1000;

/**
 * Failures of the portal or the way to it. What the portal decided about one call says nothing about the next.
 *
 * The same holds for the one call that tests a broken portal: a verdict (a wrong passphrase, a report that does not
 * exist) has been asked for, understood and answered, so it ends the break like a key does. The breaker guards the way,
 * and a break that went on until a viewer asks for a report that exists would keep all the others out.
 */
const isTrouble = (error: unknown): boolean =>
  isPortalError(error) &&
  (error.kind === 'network' ||
    error.kind === 'timeout' ||
    error.kind === 'server' ||
    error.kind === 'invalid_response');

const left = () => new PortalError('Nobody waits for this call any more.', { kind: 'aborted' });

/** Makes the {@link UpstreamGuard} of one tenant. */
export const createUpstreamGuard = (options: UpstreamGuardOptions): UpstreamGuard => {
  const { maxConcurrent, maxQueue, totalTimeoutMs } = options;
  // The breaker itself reads the clock of the machine; one that was set back would keep it open for as long.
  const now = createSteadyTime(options.now, () => {
    breaker = createBreaker();
  });
  let closedUntilMs = 0;
  const closeFor = (ms: number) => {
    closedUntilMs = Math.max(closedUntilMs, now() + ms);
  };
  const createBreaker = () =>
    circuitBreaker(handleWhen(isTrouble), {
      breaker: new CountBreaker({ threshold: 0.5, size: 20, minimumNumberOfCalls: 10 }),
      halfOpenAfter: new DelegateBackoff(({ attempt }) => {
        const breakMs = Math.min(firstBreakMs * 2 ** (attempt - 1), longestBreakMs);
        closeFor(breakMs);
        return breakMs;
      }),
    });
  let breaker = createBreaker();
  const turns = createTurns({
    most: maxConcurrent,
    longestLine: maxQueue,
    longestWaitMs: totalTimeoutMs,
    full: () => new OverloadedError('Too many calls are waiting.'),
    late: () => new PortalError('The portal did not answer in time.', { kind: 'timeout' }),
    left,
  });

  const refuse = () =>
    new PortalError('The portal is given a pause, after failures or at its own request.', {
      kind: 'server',
      code: 'paused',
      retryAfterMs: Math.max(closedUntilMs - now(), shortestPauseMs),
    });

  const explain = (error: unknown): unknown => {
    if (error instanceof BrokenCircuitError) return refuse();
    if (isPortalError(error) && error.retryAfterMs !== undefined)
      if (error.kind === 'rate_limited' || error.kind === 'server')
        closeFor(Math.max(error.retryAfterMs, shortestPauseMs));
    return error;
  };

  const inTurn = async <TValue>(call: GuardedCall<TValue>, signal: StopSignal, endMs: number) => {
    const timeLeft = (): number => {
      const leftMs = endMs - now();
      if (signal.aborted || leftMs <= 0) throw left();
      return leftMs;
    };
    try {
      // Asked outside of the breaker first: for a circuit on trial every end but a failure passes for a recovery, and
      // for the same reason the one call that tests a broken portal is not aborted when its viewer leaves.
      timeLeft();
      // Asked again inside: while a trial is under way, the others wait in the breaker for its end.
      return await breaker.execute(() =>
        breaker.state === CircuitState.Closed ? call(signal, timeLeft()) : call(neverStop, timeLeft()),
      );
    } catch (error) {
      throw explain(error);
    } finally {
      turns.release();
    }
  };

  const run = <TValue>(call: GuardedCall<TValue>, signal: StopSignal): Promise<TValue> => {
    const nowMs = now();
    if (closedUntilMs > nowMs) return Promise.reject(refuse());
    const endMs = nowMs + totalTimeoutMs;
    const turn = turns.take(signal);
    return turn === undefined ? inTurn(call, signal, endMs) : turn.then(() => inTurn(call, signal, endMs));
  };

  return {
    run,
    get state() {
      if (breaker.state === CircuitState.HalfOpen) return 'probing';
      return breaker.state === CircuitState.Closed && closedUntilMs <= now() ? 'closed' : 'open';
    },
    get underWay() {
      return turns.underWay;
    },
    get waiting() {
      return turns.waiting;
    },
  };
};
