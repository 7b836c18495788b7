'use client';
import type { QueryClient } from '@tanstack/react-query';
import { type ReactNode, useContext, useMemo } from 'react';
import type { ReportCallbacks } from '../frames/reportOptions.ts';
import type { EmbedKeyOptions } from '../keys/embedKeyOptions.ts';
import type { LabelOverrides } from '../labels/labels.ts';
import { mergeLabels } from '../labels/mergeLabels.ts';
import type { ReportSlots } from '../view/reportSlots.ts';
import { EmbedContext } from './embedContext.ts';
import { useKeyOptions } from './useKeyOptions.ts';
import { useWarmUp } from './useWarmUp.ts';

/** Props of {@link EmbedProvider}. */
export interface EmbedProviderProps extends EmbedKeyOptions, ReportCallbacks, ReportSlots {
  /**
   * The host's own React Query client, to share keys with loaders, prefetching and server rendering. A private client keeps
   * keys out of a cache that the host persists or dehydrates. Default: a private client.
   */
  readonly queryClient?: QueryClient | undefined;
  /**
   * The tenant URL, if known in advance: the connection then opens during the first key request, which saves two round
   * trips. Default: the URL that arrives with the first key.
   */
  readonly tenantUrl?: string | undefined;
  /** Label overrides. Default: the English texts. */
  readonly labels?: LabelOverrides | undefined;
  /** The part of the page with the reports. Default: nothing. */
  readonly children?: ReactNode;
}

/**
 * Sets how all reports below it request keys, what they show and which callbacks they call. Optional: without it, the
 * defaults apply. A nested provider inherits every prop that it does not set.
 *
 * @example
 * ```tsx
 * import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
 *
 * export const Dashboard = () => (
 *   <EmbedProvider endpoint="/api/embed">
 *     <EmbeddedReport itemId={1042} title="Sales" />
 *     <EmbeddedReport itemId={1043} title="Stock" />
 *   </EmbedProvider>
 * );
 * ```
 */
export const EmbedProvider = (props: EmbedProviderProps): ReactNode => {
  const outer = useContext(EmbedContext);
  const { labels: ownLabels, tenantUrl, children } = props;
  const queryClient = props.queryClient ?? outer.queryClient;
  const renderLoading = props.renderLoading ?? outer.renderLoading;
  const renderError = props.renderError ?? outer.renderError;
  const onError = props.onError ?? outer.onError;
  const onStateChange = props.onStateChange ?? outer.onStateChange;
  const keys = useKeyOptions(props, outer.keys);
  useWarmUp(tenantUrl, queryClient);
  const value = useMemo(
    () => ({
      queryClient,
      keys,
      labels: mergeLabels(outer.labels ?? {}, ownLabels),
      renderLoading,
      renderError,
      onError,
      onStateChange,
    }),
    [queryClient, keys, outer.labels, ownLabels, renderLoading, renderError, onError, onStateChange],
  );
  return <EmbedContext.Provider value={value}>{children}</EmbedContext.Provider>;
};
