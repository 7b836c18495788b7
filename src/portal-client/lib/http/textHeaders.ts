import type { IncomingHttpHeaders } from 'node:http';

/** Headers by their names in lower case, each with one text. */
export type TextHeaders = Readonly<Record<string, string>>;

/** Headers that hold one value: of several, the first counts, as in `node:http`. All others are lists. */
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

/** Joins headers that were sent more than once (RFC 9110 5.3), which undici gives as arrays. */
export const textHeaders = (headers: IncomingHttpHeaders): TextHeaders =>
  areTexts(headers) ? headers : joinTexts(headers);

const joinTexts = (headers: IncomingHttpHeaders): TextHeaders =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => {
      if (!Array.isArray(value)) return [name, value];
      return [name, (singles.has(name) ? value[0] : undefined) ?? value.join(', ')];
    }),
  );
