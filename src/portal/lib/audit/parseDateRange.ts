import { parseInstant } from '../clock/parseInstant.ts';

/** A half-open range of time, [start, end); an open end is missing. */
export interface DateRange {
  readonly startMs?: number;
  readonly endMs?: number;
}

const dayMs = 86_400_000;
const dateAlone = /^(?:\d{4}-\d{2}-\d{2}|\d{8})$/;

/** Reads one side: an instant, a date alone, or `..` for an open end. */
const parseSide = (text: string, side: 'start' | 'end'): number | 'open' | undefined => {
  if (text === '..') return 'open';
  if (!dateAlone.test(text)) return parseInstant(text);
  const dayStartMs = parseInstant(text.includes('-') ? `${text}T00:00:00Z` : `${text}T000000Z`);
  if (dayStartMs === undefined) return undefined;
  // A day named as the end belongs to the range.
  return side === 'end' ? dayStartMs + dayMs : dayStartMs;
};

/**
 * Reads `<start>/<end>` (ISO 8601, docs/interface.md#4.5). Gives the range, or a sentence that says what is wrong with it.
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
  if (start !== 'open' && end !== 'open' && (end < start || (isEndDay && end === start)))
    return 'ends before it starts';
  return {
    ...(start !== 'open' && { startMs: start }),
    ...(end !== 'open' && { endMs: end }),
  };
};
