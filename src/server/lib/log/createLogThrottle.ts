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
 * Creates a {@link LogThrottle} that writes one line per cause and then one count per minute with repeats. The limit of
 * a group stops senders who make up causes.
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
