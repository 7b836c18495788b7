import type { StopSignal } from '@vitrine/portal-client';

/** Lets so many callers work at once; the others wait in line, each for so long at most. */
export interface Turns {
  /**
   * Takes a turn, at once where one is free: nothing is to be awaited then. Rejects when the line is full, the wait too
   * long, or the signal fires, which also frees the place in the line.
   */
  take(signal: StopSignal): Promise<void> | undefined;
  /** Gives a turn back, to the first in line. */
  release(): void;
  readonly underWay: number;
  readonly waiting: number;
}

interface Waiting {
  readonly sinceMs: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Makes {@link Turns}. Everyone waits equally long at most, so the first in line is always the first to be late, and
 * one timer serves the whole line, however many viewers are in it.
 */
export const createTurns = (options: {
  readonly most: number;
  readonly longestLine: number;
  readonly longestWaitMs: number;
  /** The error for a caller who finds the line full. */
  readonly full: () => Error;
  /** The error for a caller who has waited too long. */
  readonly late: () => Error;
  /** The error for a caller whose signal fired. */
  readonly left: () => Error;
}): Turns => {
  const { most, longestLine, longestWaitMs, full, late, left } = options;
  const line: Waiting[] = [];
  let underWay = 0;
  let timer: NodeJS.Timeout | undefined;

  const watch = () => {
    const [first] = line;
    if (first === undefined) timer = undefined;
    else timer = setTimeout(dismissLate, Math.max(1, first.sinceMs + longestWaitMs - performance.now()));
  };
  const dismissLate = () => {
    const latestMs = performance.now() - longestWaitMs;
    while (line[0] !== undefined && line[0].sinceMs <= latestMs) line.shift()?.reject(late());
    watch();
  };
  const rest = () => {
    if (line.length > 0 || timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
  };
  const leave = (waiting: Waiting) => {
    const place = line.indexOf(waiting);
    if (place === -1) return;
    line.splice(place, 1);
    waiting.reject(left());
    rest();
  };

  return {
    take: (signal) => {
      if (underWay < most) {
        underWay += 1;
        return undefined;
      }
      if (line.length >= longestLine) return Promise.reject(full());
      return new Promise((resolve, reject) => {
        const waiting = { sinceMs: performance.now(), resolve, reject };
        line.push(waiting);
        signal.addEventListener('abort', () => leave(waiting));
        if (timer === undefined) watch();
      });
    },
    release: () => {
      const next = line.shift();
      if (next === undefined) underWay -= 1;
      else next.resolve();
      rest();
    },
    get underWay() {
      return underWay;
    },
    get waiting() {
      return line.length;
    },
  };
};
