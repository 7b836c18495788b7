/** `Retry-After` is seconds or a date (RFC 9110, 10.2.3) by the sender's clock, which may differ from the viewer's. */
export const readRetryAfterMs = ({ headers }: Response): number => {
  const value = headers.get('retry-after') ?? '';
  const sentAt = Date.parse(headers.get('date') ?? '') || Date.now();
  return Number(value) * 1000 || Date.parse(value) - sentAt || 0;
};
