import type { IncomingHttpHeaders } from 'node:http';

/** Headers with one text each: repeated ones are joined, as RFC 9110 5.3 allows. */
export const textHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
