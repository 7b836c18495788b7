'use client';
import type { QueryClient } from '@tanstack/react-query';
import { type ReactNode, useInsertionEffect, useMemo } from 'react';
import type { EmbedKeyOptions } from '../keys/embedKeyOptions.ts';
import type { Labels } from '../labels/labels.ts';
import { EmbedContext } from './embedContext.ts';
import { useWarmUp } from './useWarmUp.ts';

/** Props of {@link EmbedProvider}. */
export interface EmbedProviderProps extends EmbedKeyOptions {
  /**
   * The host's own React Query client, to share keys with loaders, prefetching and server rendering. Default: a private
   * one, so that keys do not reach a cache that the host persists or dehydrates.
   */
  readonly queryClient?: QueryClient | undefined;
  /**
   * The tenant's address (interface 4.7 `{tenant_url}`), where it is known beforehand: the connection is then opened
   * while the first key is being asked for, which saves two round trips. Default: learnt from the first key.
   */
  readonly tenantUrl?: string | undefined;
  /** Words to use instead of the English ones. */
  readonly labels?: Partial<Labels> | undefined;
  readonly children?: ReactNode;
}

/** Says once, for all reports below it, how keys are asked for. Optional: without it the defaults hold. */
export const EmbedProvider = ({
  queryClient,
  tenantUrl,
  labels,
  children,
  endpoint,
  viewer,
  environment,
  fetch,
  headers,
  credentials,
}: EmbedProviderProps): ReactNode => {
  const keys = useMemo(
    (): EmbedKeyOptions => ({ endpoint, viewer, environment }),
    [endpoint, viewer, environment],
  );
  // New callbacks with every render are always the newest when a key is asked for, and never disturb a report.
  useInsertionEffect(() => void Object.assign(keys, { fetch, headers, credentials }));
  useWarmUp(tenantUrl, queryClient);
  const value = useMemo(() => ({ queryClient, labels, keys }), [queryClient, labels, keys]);
  return <EmbedContext.Provider value={value}>{children}</EmbedContext.Provider>;
};
