/**
 * Milliseconds a `Retry-After` header asks to wait: seconds or an HTTP date (RFC 9110 10.2.3).
 * A date in the past is 0; anything else is nothing, so that junk never shortens or lengthens the client's own pause.
 */
export const parseRetryAfter = (value: string | undefined, nowMs: number): number | undefined => {
  const text = value?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,15}(\.\d{1,6})?$/.test(text)) return Math.ceil(Number(text) * 1000);
  if (!/^[A-Za-z]{3,9},? /.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
};
