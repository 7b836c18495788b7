import { QueryClient } from '@tanstack/react-query';

let client: QueryClient | undefined;

/**
 * Returns the client that the host shares, or the library's own, created on first use. On a server, each call creates
 * one.
 */
export const getQueryClient = (shared: QueryClient | undefined): QueryClient =>
  shared ?? (typeof document === 'undefined' ? new QueryClient() : (client ??= new QueryClient()));
