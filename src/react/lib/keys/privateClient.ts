import { QueryClient } from '@tanstack/react-query';

let client: QueryClient | undefined;

/** The library's own client, made when the first report needs it. On a server each caller gets a new, empty one. */
export const privateClient = (): QueryClient => {
  if (typeof document !== 'undefined') client ??= new QueryClient();
  return client ?? new QueryClient();
};
