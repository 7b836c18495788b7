import type { KeyObject } from 'node:crypto';

/** A row of the tenant a request is made for. */
export interface Tenant {
  readonly id: number;
  readonly tenancyName: string;
  readonly displayName: string;
  readonly passphraseDigest: string;
  readonly sealKey: KeyObject;
  readonly frameAncestors: string;
  readonly profile: string;
  /** Rows that the items of this tenant draw. */
  readonly dataset: string;
}
