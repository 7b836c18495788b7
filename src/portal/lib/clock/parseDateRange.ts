import { parseDay, parseInstant } from './parseInstant.ts';

/** A half-open time range, [start, end); an open end is undefined. */
export interface DateRange {
  readonly startMs?: number;
  readonly endMs?: number;
}

const dayMs = 86_400_000;
/** Reads one side: a timestamp, a date, or `..` for an open end, which is infinite. */
const parseSide = (text: string, side: 'start' | 'end'): number | undefined => {
  if (text === '..') return side === 'start' ? -Infinity : Infinity;
  const dayStartMs = parseDay(text);
  if (dayStartMs === undefined) return parseInstant(text);
  // An end date includes the whole day.
  return side === 'end' ? dayStartMs + dayMs : dayStartMs;
};

/**
 * Reads `<start>/<end>` (ISO 8601, docs/interface.md#4.5). Returns the range, or a sentence that describes the error.
 */
export const parseDateRange = (text: string): DateRange | string => {
  const parts = text.split('/');
  if (parts.length !== 2) return 'must be two ISO 8601 dates with a slash between them';
  const [startText = '', endText = ''] = parts;
  const start = parseSide(startText, 'start');
  if (start === undefined) return 'has a start that is not an ISO 8601 date; percent-encode a plus sign';
  const end = parseSide(endText, 'end');
  if (end === undefined) return 'has an end that is not an ISO 8601 date; percent-encode a plus sign';
  const isEndDay = parseDay(endText) !== undefined;
  if (end < start || (isEndDay && end === start)) return 'ends before it starts';
  return {
    ...(start !== -Infinity && { startMs: start }),
    ...(end !== Infinity && { endMs: end }),
  };
};
