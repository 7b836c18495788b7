'use client';
import { useContext, useMemo } from 'react';
import { clientOf } from './keys/clientOf.ts';
import { embedKeyOptions } from './keys/embedKeyOptions.ts';
import { EmbedContext } from './provider/embedContext.ts';

/**
 * Gives a function that fetches a report's key ahead of time, on hover or focus of a link. It never throws. Use it below the
 * `<EmbedProvider>` of the report: outside, it asks another endpoint or as another viewer, and the report asks again.
 */
export const usePrefetchReport = (): ((itemId: number) => Promise<void>) => {
  const { keys, queryClient } = useContext(EmbedContext);
  return useMemo(
    () => (itemId) => clientOf(queryClient).prefetchQuery(embedKeyOptions(itemId, keys)),
    [keys, queryClient],
  );
};
