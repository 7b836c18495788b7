/** The form that is sent (RFC 9110 5.6.7), and the old one with a whole day's name and hyphens. */
const httpDate = /^[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -](?:\d{4}|\d{2}) \d{2}:\d{2}:\d{2} GMT$/;

/** The moment of an HTTP date, in milliseconds since 1970; undefined for any other text, which `Date.parse` may still take. */
export const parseHttpDate = (text: string): number | undefined => {
  const at = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
};

/**
 * Milliseconds from now that a `Retry-After` header asks to wait: seconds or an HTTP date (RFC 9110 10.2.3). A date in the
 * past is 0; anything else is nothing, so that junk neither stops a retry nor hastens it. How long is too long is the
 * business of whoever waits.
 */
export const parseRetryAfter = (value: string | undefined, nowMs: number): number | undefined => {
  const text = value?.trim() ?? '';
  // Some services send fractions, which the standard does not know.
  if (/^\d{1,15}(?:\.\d{1,6})?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const atMs = parseHttpDate(text);
  return atMs === undefined ? undefined : Math.max(0, atMs - nowMs);
};
