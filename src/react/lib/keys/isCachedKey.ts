import { isWebUrl } from '@vitrine/contract';
import type { CachedKey } from './keyRequest.ts';

/** Whether a value out of a cache has everything that a report needs of a key. A persisted cache may come from another version. */
export const isCachedKey = (value: Partial<CachedKey> | undefined): value is CachedKey =>
  !!value?.key && isWebUrl(value.tenantUrl);
