'use client';
import { type EmbedItem, itemsPath, requestMarkerHeader } from '@vitrine/contract';
import { useCallback, useContext, useEffect, useState } from 'react';
import { EmbedContext } from '../EmbedProvider.tsx';
import { EmbedError } from '../errors.ts';
import { callBackend, type EmbedKeyOptions, readResponse } from '../keyQuery.ts';

/** Result of {@link useReports}. */
export interface ReportsResult {
  /** The items that the viewer may open, in the portal's order; undefined until they have arrived. */
  readonly reports: readonly EmbedItem[] | undefined;
  /** Why the list could not be loaded; undefined otherwise. */
  readonly error: EmbedError | undefined;
  /** Requests the list again. */
  readonly retry: () => void;
}

const requestItems = async (keys: EmbedKeyOptions, signal: AbortSignal): Promise<readonly EmbedItem[]> => {
  const headers = { [requestMarkerHeader]: 'viewer' };
  const response = await callBackend(keys, itemsPath, { headers, signal });
  return readResponse(response, itemsPath, Array.isArray);
};

const loading = { reports: undefined, error: undefined };

/**
 * The reports, dashboards and apps that the viewer may open, from `GET {endpoint}/items`. The backend needs the option `items`. The
 * list is requested when the component mounts and when the viewer changes; nothing is requested for `viewerKey: null`.
 *
 * @example
 * ```tsx
 * import { useReports } from '@vitrine/react/picker';
 *
 * export const ReportCount = () => <p>{useReports().reports?.length ?? '…'} reports</p>;
 * ```
 */
export const useReports = (): ReportsResult => {
  const { keys } = useContext(EmbedContext);
  const [attempt, setAttempt] = useState(0);
  const [result, setResult] = useState<Omit<ReportsResult, 'retry'> & { readonly of?: unknown }>(loading);
  useEffect(() => {
    if (keys.viewerKey === null) return undefined;
    const controller = new AbortController();
    const settle = (outcome: Partial<ReportsResult>) => {
      if (!controller.signal.aborted) setResult({ ...loading, ...outcome, of: keys });
    };
    requestItems(keys, controller.signal).then(
      (reports) => settle({ reports }),
      (cause: unknown) =>
        settle({
          error: cause instanceof EmbedError ? cause : new EmbedError('backend_unreachable', { cause }),
        }),
    );
    return () => controller.abort();
  }, [keys, attempt]);
  const retry = useCallback(() => {
    setResult(loading);
    setAttempt((count) => count + 1);
  }, []);
  // Never the list of another viewer.
  const { reports, error } = result.of === keys ? result : loading;
  return { reports, error, retry };
};
