import { QueryClient } from '@tanstack/react-query';

let client: QueryClient | undefined;

/** The client that the host shares, or the library's own, made when it is first needed. On a server each caller gets a new, empty one. */
export const clientOf = (shared: QueryClient | undefined): QueryClient =>
  shared ?? (typeof document === 'undefined' ? new QueryClient() : (client ??= new QueryClient()));
