import type { Clock } from './clock.ts';
import type { StopSignal } from './stopSignal.ts';

/** Why a scope ended before its work. */
export type ScopeEnd = 'timeout' | 'aborted';

/** Options of {@link CallScope}. */
export interface ScopeOptions {
  readonly clock: Clock;
  /** Milliseconds until the scope ends; `Infinity` for never. */
  readonly timeoutMs: number;
  readonly parent?: StopSignal | undefined;
}

/**
 * A unit of work with a deadline and a caller's signal: a whole call, or one request of it. It is a signal itself, at a
 * fraction of the cost of an `AbortController`. Close every opened scope: otherwise a long-lived parent collects
 * listeners.
 */
export class CallScope implements StopSignal {
  #endedBy: ScopeEnd | undefined;
  #listeners: (() => void)[] = [];
  readonly #clock: Clock;
  readonly #deadlineMs: number;
  readonly #parent: StopSignal | undefined;
  readonly #cancelTimer: (() => void) | undefined;
  readonly #abort = () => this.#end('aborted');

  constructor({ clock, timeoutMs, parent }: ScopeOptions) {
    this.#clock = clock;
    this.#parent = parent;
    this.#deadlineMs = timeoutMs === Number.POSITIVE_INFINITY ? timeoutMs : clock.now() + timeoutMs;
    if (parent?.aborted) this.#abort();
    else parent?.addEventListener('abort', this.#abort);
    if (timeoutMs !== Number.POSITIVE_INFINITY)
      // After a stall of the event loop, Node runs timers before it reads responses that have arrived: let those go
      // first.
      this.#cancelTimer = clock.after(timeoutMs, () => void setImmediate(() => this.#end('timeout')));
  }

  /** Why the scope ended; undefined while it is open. */
  get endedBy(): ScopeEnd | undefined {
    return this.#endedBy;
  }

  get aborted(): boolean {
    return this.#endedBy !== undefined;
  }

  get remainingMs(): number {
    return this.#deadlineMs === Number.POSITIVE_INFINITY
      ? this.#deadlineMs
      : Math.max(0, this.#deadlineMs - this.#clock.now());
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const at = this.#listeners.indexOf(listener);
    if (at !== -1) this.#listeners.splice(at, 1);
  }

  /** Settles with `work`, or rejects as soon as the scope ends. */
  race<TValue>(work: Promise<TValue>): Promise<TValue> {
    return new Promise((resolve, reject) => {
      const stop = () => reject(new ScopeEnded());
      if (this.aborted) stop();
      else this.addEventListener('abort', stop);
      void work.then(resolve, reject).finally(() => this.removeEventListener('abort', stop));
    });
  }

  /** Waits, or rejects as soon as the scope ends. */
  sleep(delayMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#clock.after(delayMs, resolve);
    return this.race(promise).finally(cancel);
  }

  /** Opens a scope within this one. */
  open(timeoutMs: number): CallScope {
    return new CallScope({ clock: this.#clock, timeoutMs, parent: this });
  }

  /** The scope as a real `AbortSignal`, for code of the host. */
  toAbortSignal(): AbortSignal {
    const controller = new AbortController();
    if (this.aborted) controller.abort();
    else this.addEventListener('abort', () => controller.abort());
    return controller.signal;
  }

  /** Cancels the timer and removes the listeners. */
  close(): void {
    this.#cancelTimer?.();
    this.#parent?.removeEventListener('abort', this.#abort);
    this.#listeners = [];
  }

  #end(reason: ScopeEnd): void {
    if (this.#endedBy !== undefined) return;
    this.#endedBy = reason;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }
}

/** Rejection of work whose scope has ended; see {@link CallScope.endedBy}. */
export class ScopeEnded extends Error {
  override readonly name = 'ScopeEnded';
  /** Status of a response that had started. */
  readonly status: number | undefined;

  constructor(status?: number) {
    super();
    this.status = status;
  }
}
