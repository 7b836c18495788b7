import type { Logger } from './logger.ts';

/** A log line and its cause. */
export interface ThrottledLine {
  readonly level: 'error' | 'warn' | 'info';
  readonly fields: { readonly itemId?: number | undefined } & Readonly<Record<string, unknown>>;
  readonly message: string;
  /** Lines with the same cause are counted together. */
  readonly cause: string;
  /** A group holds twenty causes; further ones count as one. Default: its own group. */
  readonly group?: string;
}

/** Throttles repeated log lines: writes the first line of a cause and counts the others. */
export interface LogThrottle {
  write(line: ThrottledLine): void;
  /** Writes the counts so far. */
  flush(): void;
}

interface RepeatedLine {
  readonly line: ThrottledLine;
  readonly itemIds: Set<number>;
  repeated: number;
  timer: NodeJS.Timeout;
}

const intervalMs = 60_000;
const maxItemIds = 10;
const maxCausesPerGroup = 20;

/**
 * Creates a {@link LogThrottle} that writes one line per cause and then one count per minute with repeats. The limit of
 * a group stops senders who make up causes.
 */
export const createLogThrottle = (logger: Logger): LogThrottle => {
  const repeatedLines = new Map<string, RepeatedLine>();
  const causesIn = (group: string): number =>
    [...repeatedLines.values()].reduce((sum, { line }) => sum + (line.group === group ? 1 : 0), 0);

  const logRepeats = (entry: RepeatedLine) => {
    const { line, itemIds, repeated } = entry;
    if (repeated === 0) return;
    const { itemId: _, requestId: _id, durationMs: _ms, ...fields } = line.fields;
    logger[line.level](
      { ...fields, repeated, ...(itemIds.size > 0 && { itemIds: [...itemIds] }) },
      `${line.message} Repeated ${repeated === 1 ? 'once' : `${repeated} times`} in the last minute.`,
    );
    entry.repeated = 0;
    itemIds.clear();
  };
  const endInterval = (cause: string) => {
    const entry = repeatedLines.get(cause);
    if (entry === undefined) return;
    const isOver = entry.repeated === 0;
    logRepeats(entry);
    if (isOver) repeatedLines.delete(cause);
    else entry.timer = setTimeout(endInterval, intervalMs, cause).unref();
  };

  return {
    write: (line) => {
      const { group = line.cause } = line;
      const isCrowded = !repeatedLines.has(line.cause) && causesIn(group) >= maxCausesPerGroup;
      const cause = isCrowded ? group : line.cause;
      const entry = repeatedLines.get(cause);
      if (entry !== undefined) {
        entry.repeated += 1;
        const { itemId } = line.fields;
        if (itemId !== undefined && entry.itemIds.size < maxItemIds) entry.itemIds.add(itemId);
        return;
      }
      logger[line.level](line.fields, line.message);
      const timer = setTimeout(endInterval, intervalMs, cause).unref();
      repeatedLines.set(cause, { line, itemIds: new Set(), repeated: 0, timer });
    },
    flush: () => {
      for (const entry of repeatedLines.values()) {
        clearTimeout(entry.timer);
        logRepeats(entry);
      }
      repeatedLines.clear();
    },
  };
};
