/**
 * Builds the URL of a report: `<tenantUrl>/report/<itemId>?ev=<key>` (docs/interface.md#4.7). The key is
 * percent-encoded: a raw `+` would arrive as a space. Treat the result as a secret.
 *
 * @example
 * ```ts
 * import { reportUrl } from '@vitrine/contract';
 *
 * const address = reportUrl('https://acme.portal.example', 1042, 'an+encrypted/key==');
 * ```
 */
export const reportUrl = (tenantUrl: string, itemId: number, key: string): string =>
  `${tenantUrl.replace(/\/+$/, '')}/report/${itemId}?ev=${encodeURIComponent(key)}`;
