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

/** Joins repeated headers (RFC 9110 5.3), which undici returns as arrays. */
export const textHeaders = (headers: IncomingHttpHeaders): TextHeaders =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => {
      if (!Array.isArray(value)) return [name, value];
      return [name, (singles.has(name) ? value[0] : undefined) ?? value.join(', ')];
    }),
  );

const requestIdNames = ['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid', 'cf-ray'];

/** The service's own identifier of a request, from its headers. */
export const requestIdOf = (headers: TextHeaders): string | undefined =>
  requestIdNames
    .map((name) => headers[name])
    .find((value) => value !== undefined && /^[\x21-\x7e]{1,200}$/.test(value));

/** The current format (RFC 9110 5.6.7), and the obsolete one with a full day name and hyphens. */
const httpDate = /^[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -](?:\d{4}|\d{2}) \d{2}:\d{2}:\d{2} GMT$/;

/** Parses an HTTP date to milliseconds since 1970; undefined for other text, which `Date.parse` might accept. */
export const parseHttpDate = (text: string): number | undefined => {
  const at = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
};

/**
 * Milliseconds that a `Retry-After` header asks to wait: seconds or an HTTP date (RFC 9110 10.2.3). A past date is 0;
 * anything else is undefined, so that junk does not affect retries. Callers decide how long is too long.
 */
export const parseRetryAfter = (value: string | undefined, nowMs: number): number | undefined => {
  const text = value?.trim() ?? '';
  // Some services send fractions, which the standard does not allow.
  if (/^\d{1,15}(?:\.\d{1,6})?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const atMs = parseHttpDate(text);
  return atMs === undefined ? undefined : Math.max(0, atMs - nowMs);
};

/** A date with a larger skew is a placeholder, not a clock. */
const yearMs = 365 * 24 * 3_600_000;

/** The portal's clock minus ours, from its `Date` header; undefined without one. */
export const clockSkew = (date: string | undefined, ourMs: number): number | undefined => {
  const portalMs = parseHttpDate(date ?? '');
  if (portalMs === undefined || Math.abs(portalMs - ourMs) > yearMs) return undefined;
  // The header has whole seconds: add the average half second.
  return Math.round(portalMs + 500 - ourMs);
};
