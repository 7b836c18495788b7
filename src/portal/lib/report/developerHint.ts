import type { KeyContent } from '../embedding/sealKey.ts';
import type { RefusalReason } from './refusalReason.ts';

/** Facts about a key that does not open a report. */
export interface RefusedKey {
  readonly reason: RefusalReason;
  readonly tenancyName: string;
  readonly itemId: number | undefined;
  readonly key: string | undefined;
  /** The content of the key, if it could be opened. */
  readonly content?: KeyContent | undefined;
  readonly nowMs: number;
}

const instant = (ms: number) => new Date(ms).toISOString();

/** Describes how a key was probably changed in transit. */
const changedKey = (key: string): string => {
  const repair = 'Percent-encode it once, with encodeURIComponent, when you build the address.';
  if (/%[0-9a-f]{2}/i.test(key))
    return `The key in ev still contains "%": it was percent-encoded twice. ${repair}`;
  return `The key in ev differs from the issued key. ${repair}`;
};

/** Advice for the developer of a host app about a report that does not open. Never contains the key. */
export const developerHint = (refused: RefusedKey): string => {
  const { reason, tenancyName, itemId, key, content, nowMs } = refused;
  switch (reason) {
    case 'missing':
      return 'The address has no ev. Append result.key of CreateEncryptedKey as ?ev=<key>, percent-encoded; reportUrl() of @vitrine/contract does this.';
    case 'tampered':
      return changedKey(key ?? '');
    case 'foreign':
      return `The key belongs to another tenant, the address to "${tenancyName}". Check that VITRINE_TENANT_URL, VITRINE_TENANCY_NAME and VITRINE_TENANT_ID belong together.`;
    case 'unknown':
      return `Tenant "${tenancyName}" has no item ${itemId ?? 'with this ID'}. GET /v1/items lists its items.`;
    case 'other-report':
      return `The key was created for item ${content?.itemId}, but the address is for item ${itemId}. Create a key for each item: value.reportId is the number in the address.`;
    case 'expired':
      return `The key expired at ${instant(content?.expiresAtMs ?? nowMs)}; the portal's clock shows ${instant(nowMs)}. <EmbeddedReport> renews keys in time. If you moved the clock, set it back in the console.`;
    case 'revoked':
      return `The key's link ${content?.linkId} was revoked, or removed by a reset to the seed. Create a new key.`;
  }
};
