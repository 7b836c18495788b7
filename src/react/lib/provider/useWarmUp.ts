'use client';
import type { QueryClient } from '@tanstack/react-query';
import { isWebUrl } from '@vitrine/contract';
import { useEffect } from 'react';
import { embedKeyQueryKey } from '../keys/embedKeyOptions.ts';
import { privateClient } from '../keys/privateClient.ts';

/** Whether some report has its key already, so that its frame is on its way and nothing is left to gain. */
const hasKey = (client: QueryClient): boolean => {
  const [ours] = embedKeyQueryKey(0);
  return client.getQueriesData({ queryKey: [ours] }).some(([, key]) => key);
};

/**
 * Opens the connection to the tenant while the first key is being asked for, by a frame that nobody sees. Browsers keep
 * connections apart for each site that is framed, so `<link rel="preconnect">` opens one that a report cannot use.
 */
export const useWarmUp = (tenantUrl: string | undefined, queryClient: QueryClient | undefined): void => {
  useEffect(() => {
    if (!isWebUrl(tenantUrl) || hasKey(queryClient ?? privateClient())) return;
    const frame = document.createElement('iframe');
    frame.src = new URL('/favicon.ico', tenantUrl).href;
    frame.hidden = true;
    frame.referrerPolicy = 'no-referrer';
    // Whatever the tenant answers, no script of it runs.
    frame.setAttribute('sandbox', '');
    const end = () => frame.remove();
    frame.addEventListener('load', end);
    document.body.append(frame);
    return end;
  }, [tenantUrl, queryClient]);
};
