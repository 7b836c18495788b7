'use client';
import { useQuery } from '@tanstack/react-query';
import { defaultEndpoint, type EmbedItem, itemsPath, requestMarkerHeader } from '@vitrine/contract';
import { useCallback, useContext, useEffect } from 'react';
import { maxForegroundDelayMs } from '../backoff.ts';
import { EmbedContext } from '../EmbedProvider.tsx';
import { development, EmbedError } from '../errors.ts';
import type { EmbedKeyOptions } from '../keyOptions.ts';
import { callBackend, embedKeyPrefix, readResponse, withoutDefaults } from '../keyQuery.ts';
import { getQueryClient } from '../page.ts';

/** Result of {@link useReports}. */
export interface ReportsResult {
  /** The items that the viewer may open, in the portal's order; undefined until they have arrived. */
  readonly reports: readonly EmbedItem[] | undefined;
  /** Why the list could not be loaded; undefined otherwise. */
  readonly error: EmbedError | undefined;
  /** Requests the list again. */
  readonly retry: () => void;
}

const requestItems = async (
  keys: EmbedKeyOptions,
  marker: string,
  signal: AbortSignal,
): Promise<readonly EmbedItem[] | EmbedError> => {
  try {
    const headers = { [requestMarkerHeader]: marker };
    const response = await callBackend(keys, itemsPath, { headers, signal });
    return await readResponse(response, itemsPath, Array.isArray);
  } catch (cause) {
    return cause instanceof EmbedError ? cause : new EmbedError('backend_unreachable', { cause });
  }
};

/**
 * The reports, dashboards and apps that the viewer may open, from `GET {endpoint}/items`. The backend needs the option `items`. The
 * list is requested when the component mounts, when the viewer changes, and every 30 seconds during an outage; nothing is requested for
 * `viewerKey: null`.
 *
 * @example
 * ```tsx
 * import { useReports } from '@vitrine/react/picker';
 *
 * export const ReportCount = () => <p>{useReports().reports?.length ?? '…'} reports</p>;
 * ```
 */
export const useReports = (): ReportsResult => {
  const { keys, queryClient } = useContext(EmbedContext);
  const client = getQueryClient(queryClient);
  const { endpoint = defaultEndpoint, viewerKey = '' } = keys;
  const queryKey = [embedKeyPrefix, endpoint, viewerKey, 'items'];
  const queryHash = JSON.stringify(queryKey);
  const { data } = useQuery(
    {
      ...withoutDefaults,
      _defaulted: true,
      queryKey,
      queryHash,
      // An error is data, so that its message stays while the list is requested again.
      queryFn: ({ signal }) => {
        const isAgain = client.getQueryCache().get(queryHash)?.state.data;
        return requestItems(keys, isAgain ? 'automatic' : 'viewer', signal);
      },
      enabled: viewerKey !== null,
      refetchInterval: ({ state }) =>
        state.data instanceof EmbedError &&
        state.data.retry === 'automatic' &&
        Math.max(maxForegroundDelayMs, state.data.retryAfterMs ?? 0),
      staleTime: Infinity,
      // Long enough for StrictMode.
      gcTime: 1000,
    },
    client,
  );
  const retry = useCallback(
    () => void client.resetQueries({ predicate: (query) => query.queryHash === queryHash }),
    [client, queryHash],
  );
  const error = data instanceof EmbedError ? data : undefined;
  useEffect(() => {
    if (error) development.onListError?.(error);
  }, [error]);
  return { reports: Array.isArray(data) ? data : undefined, error, retry };
};
