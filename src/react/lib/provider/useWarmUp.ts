'use client';
import type { QueryClient } from '@tanstack/react-query';
import { isWebUrl } from '@vitrine/contract';
import { useEffect } from 'react';
import { embedKeyPrefix } from '../keys/embedKeyOptions.ts';
import { getQueryClient } from '../keys/getQueryClient.ts';

/** Whether some report has its key already, so that its frame loads and there is nothing to gain. */
const hasKey = (client: QueryClient): boolean =>
  client.getQueriesData({ queryKey: [embedKeyPrefix] }).some(([, key]) => key);

/**
 * Opens the connection to the tenant while the first key is being asked for, by a frame that nobody sees. Browsers keep
 * connections apart for each site that is framed, so `<link rel="preconnect">` opens one that a report cannot use.
 */
export const useWarmUp = (tenantUrl: string | undefined, queryClient: QueryClient | undefined): void => {
  useEffect(() => {
    if (!isWebUrl(tenantUrl) || hasKey(getQueryClient(queryClient))) return;
    const frame = document.createElement('iframe');
    frame.src = String(new URL('/favicon.ico', tenantUrl));
    frame.hidden = true;
    frame.referrerPolicy = 'no-referrer';
    // Whatever the tenant answers, no script of it runs.
    frame.sandbox.value = '';
    const end = () => frame.remove();
    frame.addEventListener('load', end);
    document.body.append(frame);
    return end;
  }, [tenantUrl, queryClient]);
};
