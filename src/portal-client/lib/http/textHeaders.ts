import type { IncomingHttpHeaders } from 'node:http';

/** Headers by lower-case name, each with one string. */
export type TextHeaders = Readonly<Record<string, string>>;

/** Headers with a single value: if repeated, the first counts, as in `node:http`. All others are lists. */
const singles: ReadonlySet<string> = new Set([
  'content-length',
  'content-type',
  'date',
  'location',
  'retry-after',
  'x-request-id',
]);

const areTexts = (headers: IncomingHttpHeaders): headers is TextHeaders =>
  Object.values(headers).every((value) => typeof value === 'string');

/** Joins repeated headers (RFC 9110 5.3), which undici returns as arrays. */
export const textHeaders = (headers: IncomingHttpHeaders): TextHeaders =>
  areTexts(headers) ? headers : joinTexts(headers);

const joinTexts = (headers: IncomingHttpHeaders): TextHeaders =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => {
      if (!Array.isArray(value)) return [name, value];
      return [name, (singles.has(name) ? value[0] : undefined) ?? value.join(', ')];
    }),
  );
