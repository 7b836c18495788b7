import { isWebUrl } from '@vitrine/contract';
import type { CachedKey } from './keyRequestOptions.ts';

/**
 * Whether a cached value has all fields of a key that a report needs. A persisted cache may be from another version.
 */
export const isCachedKey = (value: Partial<CachedKey> | undefined): value is CachedKey =>
  !!value?.key && isWebUrl(value.tenantUrl);
