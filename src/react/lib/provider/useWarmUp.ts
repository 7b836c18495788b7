'use client';
import type { QueryClient } from '@tanstack/react-query';
import { isWebUrl } from '@vitrine/contract';
import { useEffect } from 'react';
import { embedKeyPrefix } from '../keys/embedKeyOptions.ts';
import { getQueryClient } from '../keys/getQueryClient.ts';

/** Whether a report already has its key: warming up would gain nothing. */
const hasKey = (client: QueryClient): boolean =>
  client.getQueriesData({ queryKey: [embedKeyPrefix] }).some(([, key]) => key);

/**
 * Opens the connection to the tenant during the first key request, with a hidden frame. Browsers partition connections
 * by framed site, so a report cannot use a connection of `<link rel="preconnect">`.
 */
export const useWarmUp = (tenantUrl: string | undefined, queryClient: QueryClient | undefined): void => {
  useEffect(() => {
    if (!isWebUrl(tenantUrl) || hasKey(getQueryClient(queryClient))) return;
    const frame = document.createElement('iframe');
    frame.src = String(new URL('/favicon.ico', tenantUrl));
    frame.hidden = true;
    frame.referrerPolicy = 'no-referrer';
    // No script of the tenant may run.
    frame.sandbox.value = '';
    const end = () => frame.remove();
    frame.addEventListener('load', end);
    document.body.append(frame);
    return end;
  }, [tenantUrl, queryClient]);
};
