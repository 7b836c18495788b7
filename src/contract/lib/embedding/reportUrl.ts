/**
 * Builds the address a report opens under: `<tenantUrl>/report/<itemId>?ev=<key>` (docs/interface.md#4.7).
 * The key is percent-encoded: a raw `+` would arrive as a space. Treat the result as a secret.
 */
export const reportUrl = (tenantUrl: string, itemId: number, key: string): string =>
  `${tenantUrl.replace(/\/+$/, '')}/report/${itemId}?ev=${encodeURIComponent(key)}`;
