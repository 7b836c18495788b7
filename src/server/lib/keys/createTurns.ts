/** Lets so many callers work at once; the others wait in line, each for so long at most. */
export interface Turns {
  /** Takes a turn, at once where one is free: nothing is to be awaited then. Rejects when the line is full or the wait too long. */
  take(): Promise<void> | undefined;
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
 * one timer serves the whole line: ten thousand viewers in it cost one promise each and nothing else.
 */
export const createTurns = (options: {
  readonly most: number;
  readonly longestLine: number;
  readonly longestWaitMs: number;
  /** The error for a caller who finds the line full. */
  readonly full: () => Error;
  /** The error for a caller who has waited too long. */
  readonly late: () => Error;
}): Turns => {
  const { most, longestLine, longestWaitMs, full, late } = options;
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

  return {
    take: () => {
      if (underWay < most) {
        underWay += 1;
        return undefined;
      }
      if (line.length >= longestLine) return Promise.reject(full());
      return new Promise((resolve, reject) => {
        line.push({ sinceMs: performance.now(), resolve, reject });
        if (timer === undefined) watch();
      });
    },
    release: () => {
      const next = line.shift();
      if (next === undefined) underWay -= 1;
      else next.resolve();
      if (line.length === 0 && timer !== undefined) {
        clearTimeout(timer);
        timer = undefined;
      }
    },
    get underWay() {
      return underWay;
    },
    get waiting() {
      return line.length;
    },
  };
};
