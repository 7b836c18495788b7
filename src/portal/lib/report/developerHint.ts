import type { KeyContent } from '../embedding/sealedKey.ts';
import type { RefusalReason } from './refusalReason.ts';

/** What is known about a key that does not open a report. */
export interface RefusedKey {
  readonly reason: RefusalReason;
  readonly tenancyName: string;
  readonly itemId: number | undefined;
  readonly key: string | undefined;
  /** What the key holds, where it could be opened. */
  readonly content?: KeyContent | undefined;
  readonly nowMs: number;
}

const instant = (ms: number) => new Date(ms).toISOString();

/** Says how a key was probably changed on its way. */
const changedKey = (key: string): string => {
  const repair = 'Percent-encode it once, with encodeURIComponent, when you build the address.';
  if (key.includes(' '))
    return `The key in ev holds spaces: it was sent without percent-encoding its "+". ${repair}`;
  if (/%[0-9a-f]{2}/i.test(key))
    return `The key in ev still holds "%": it was percent-encoded twice. ${repair}`;
  return `The key in ev is not as it was issued. ${repair}`;
};

/** What the developer of a host app can do about a report that does not open. It never holds the key. */
export const developerHint = (refused: RefusedKey): string => {
  const { reason, tenancyName, itemId, key, content, nowMs } = refused;
  switch (reason) {
    case 'missing':
      return 'The address has no ev. Take result.key of CreateEncryptedKey and append ?ev=<key>, percent-encoded; reportUrl() of @vitrine/contract does both.';
    case 'tampered':
      return changedKey(key ?? '');
    case 'foreign':
      return `The key is of another tenant, the address of "${tenancyName}". Check that VITRINE_TENANT_URL, VITRINE_TENANCY_NAME and VITRINE_TENANT_ID belong together.`;
    case 'unknown':
      return `Tenant "${tenancyName}" has no item ${itemId ?? 'of this number'}. GET /v1/items lists those it has.`;
    case 'other-report':
      return `The key was made for item ${content?.itemId}, the address names ${itemId}. Make a key for each item: value.reportId is the number in the address.`;
    case 'expired':
      return `The key ended at ${instant(content?.expiresAtMs ?? nowMs)}; the portal's clock reads ${instant(nowMs)}. <EmbeddedReport> renews keys in time. If you moved the clock, set it back in the console.`;
    case 'revoked':
      return `Link ${content?.linkId} of the key was revoked, or removed by a reset to the seed. Make a new key.`;
  }
};
