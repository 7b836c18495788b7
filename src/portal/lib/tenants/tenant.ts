import type { KeyObject } from 'node:crypto';

/** The tenant of a request. */
export interface Tenant {
  readonly id: number;
  readonly tenancyName: string;
  readonly displayName: string;
  readonly passphraseDigest: string;
  readonly sealKey: KeyObject;
  readonly frameAncestors: string;
  /** Dataset of this tenant's items. */
  readonly dataset: string;
}
