import { parseInstant } from './parseInstant.ts';

/** A half-open time range, [start, end); an open end is undefined. */
export interface DateRange {
  readonly startMs?: number;
  readonly endMs?: number;
}

const dayMs = 86_400_000;
const dateAlone = /^(?:\d{4}-\d{2}-\d{2}|\d{8})$/;

/** Reads one side: a timestamp, a date, or `..` for an open end, which is infinite. */
const parseSide = (text: string, side: 'start' | 'end'): number | undefined => {
  if (text === '..') return side === 'start' ? -Infinity : Infinity;
  if (!dateAlone.test(text)) return parseInstant(text);
  const dayStartMs = parseInstant(text.includes('-') ? `${text}T00:00:00Z` : `${text}T000000Z`);
  if (dayStartMs === undefined) return undefined;
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
  const isEndDay = dateAlone.test(endText);
  if (end < start || (isEndDay && end === start)) return 'ends before it starts';
  return {
    ...(start !== -Infinity && { startMs: start }),
    ...(end !== Infinity && { endMs: end }),
  };
};
