import type { Logger } from './logger.ts';

/** A line of the log, and what makes it the same as another one. */
export interface ThrottledLine {
  readonly level: 'error' | 'warn' | 'info';
  readonly fields: { readonly itemId?: number | undefined } & Readonly<Record<string, unknown>>;
  readonly message: string;
  /** Lines of the same cause are one flood. */
  readonly cause: string;
  /** Has room for twenty causes; further ones count as one. Default: a group of its own. */
  readonly group?: string;
}

/** Keeps floods out of the log: the first line of a cause is written, the others are counted. */
export interface LogThrottle {
  write(line: ThrottledLine): void;
  /** Writes what was counted so far. */
  flush(): void;
}

interface Flood {
  readonly line: ThrottledLine;
  readonly itemIds: Set<number>;
  repeated: number;
  timer: NodeJS.Timeout;
}

const intervalMs = 60_000;
const maxItemIds = 10;
const maxCausesPerGroup = 20;

/**
 * Creates a {@link LogThrottle} that writes one line and then, for each minute with more of them, one count per cause. A sender
 * who invents causes fills a group, and then counts as one.
 */
export const createLogThrottle = (logger: Logger): LogThrottle => {
  const floods = new Map<string, Flood>();
  const causesIn = (group: string): number =>
    [...floods.values()].reduce((sum, { line }) => sum + (line.group === group ? 1 : 0), 0);

  const report = (flood: Flood) => {
    const { line, itemIds, repeated } = flood;
    if (repeated === 0) return;
    const { itemId: _, requestId: _id, durationMs: _ms, ...fields } = line.fields;
    logger[line.level](
      { ...fields, repeated, ...(itemIds.size > 0 && { itemIds: [...itemIds] }) },
      `${line.message} Repeated ${repeated === 1 ? 'once' : `${repeated} times`} in the last minute.`,
    );
    flood.repeated = 0;
    itemIds.clear();
  };
  const endInterval = (cause: string) => {
    const flood = floods.get(cause);
    if (flood === undefined) return;
    const isOver = flood.repeated === 0;
    report(flood);
    if (isOver) floods.delete(cause);
    else flood.timer = setTimeout(endInterval, intervalMs, cause).unref();
  };

  return {
    write: (line) => {
      const { group = line.cause } = line;
      const isCrowded = !floods.has(line.cause) && causesIn(group) >= maxCausesPerGroup;
      const cause = isCrowded ? group : line.cause;
      const flood = floods.get(cause);
      if (flood !== undefined) {
        flood.repeated += 1;
        const { itemId } = line.fields;
        if (itemId !== undefined && flood.itemIds.size < maxItemIds) flood.itemIds.add(itemId);
        return;
      }
      logger[line.level](line.fields, line.message);
      const timer = setTimeout(endInterval, intervalMs, cause).unref();
      floods.set(cause, { line, itemIds: new Set(), repeated: 0, timer });
    },
    flush: () => {
      for (const flood of floods.values()) {
        clearTimeout(flood.timer);
        report(flood);
      }
      floods.clear();
    },
  };
};
