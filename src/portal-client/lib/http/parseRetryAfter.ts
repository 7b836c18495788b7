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
