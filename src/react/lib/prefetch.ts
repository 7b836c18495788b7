'use client';
import { useContext, useMemo } from 'react';
import { EmbedContext } from './EmbedProvider.tsx';
import { embedKeyOptions } from './keyQuery.ts';
import { getKeySession } from './keySession.ts';
import { getQueryClient } from './page.ts';

/**
 * Returns a function that prefetches a report's key, for example when a link is hovered or focused. It does nothing
 * while a report with that key is on the page, and never rejects. Use it below the `<EmbedProvider>` of the report:
 * elsewhere, it may use another endpoint or viewer, and the report requests its key again.
 *
 * @example
 * ```tsx
 * import { usePrefetchReport } from '@vitrine/react';
 *
 * export const SalesLink = () => {
 *   const prefetch = usePrefetchReport();
 *   return (
 *     <a href="/sales" onPointerEnter={() => prefetch(1042)} onFocus={() => prefetch(1042)}>
 *       Sales
 *     </a>
 *   );
 * };
 * ```
 */
export const usePrefetchReport = (): ((itemId: number) => Promise<void>) => {
  const { keys, queryClient } = useContext(EmbedContext);
  return useMemo(
    () => async (itemId) => {
      const client = getQueryClient(queryClient);
      const query = embedKeyOptions(itemId, keys);
      const isNeeded = keys.viewerKey !== null && !getKeySession(client, query).isInUse();
      if (isNeeded) await client.prefetchQuery(query);
    },
    [keys, queryClient],
  );
};
