'use client';
import { useCallback, useContext } from 'react';
import { embedKeyOptions } from './keys/embedKeyOptions.ts';
import { privateClient } from './keys/privateClient.ts';
import { EmbedContext } from './provider/embedContext.ts';

/** Gives a function that fetches a report's key ahead of time, on hover or focus of a link. It never throws. */
export const usePrefetchReport = (): ((itemId: number) => Promise<void>) => {
  const { keys, queryClient } = useContext(EmbedContext);
  return useCallback(
    (itemId) => (queryClient ?? privateClient()).prefetchQuery(embedKeyOptions(itemId, keys)),
    [keys, queryClient],
  );
};
