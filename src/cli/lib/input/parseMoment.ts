import { UsageError } from '../output/usageError.ts';

const unitMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Milliseconds of a duration such as `90m`, `24h` or `7d`; undefined for other text. */
export const parseDuration = (text: string): number | undefined => {
  const [, count, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  return count === undefined || unit === undefined ? undefined : Number(count) * (unitMs[unit] ?? 0);
};

/**
 * Parses a time on the command line: ISO 8601, a date (midnight UTC), or a time span before now: `90m`, `24h`, `7d`.
 */
export const parseMoment = (text: string | undefined, option: string, nowMs: number): Date | undefined => {
  if (text === undefined) return undefined;
  const agoMs = parseDuration(text);
  if (agoMs !== undefined) return new Date(nowMs - agoMs);
  const isClear = /^\d{4}-\d{2}-\d{2}(?:T.*(?:z|[+-]\d{2}:?\d{2}))?$/i.test(text);
  const date = new Date(text);
  if (!isClear || Number.isNaN(date.getTime()) || !isDay(text.slice(0, 10)))
    throw new UsageError(
      `${option} is ${JSON.stringify(text)}. Use a date such as 2026-01-31, a time with a time zone such as 2026-01-31T08:00:00Z, or a time span before now: 24h, 7d.`,
    );
  return date;
};

/** Whether a date exists: `Date` reads 30 February as 2 March. */
const isDay = (date: string): boolean => new Date(`${date}T00:00:00Z`).toISOString().startsWith(date);
