const longestMs = 5 * 60 * 1000;

/**
 * Reads `Retry-After` (seconds or an HTTP date) as milliseconds from now, between 0 and five minutes.
 * Undefined for anything else: a header that makes no sense must neither stop a retry nor hasten it.
 */
export const parseRetryAfter = (value: string | undefined, nowMs: number): number | undefined => {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d{1,10}$/.test(text)) return Math.min(Number(text) * 1000, longestMs);
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.min(Math.max(at - nowMs, 0), longestMs);
};
