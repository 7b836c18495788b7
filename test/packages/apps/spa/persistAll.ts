import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister';
import { defaultShouldDehydrateQuery, type QueryClient } from '@tanstack/react-query';
import { persistQueryClient } from '@tanstack/react-query-persist-client';
import { embedKeyPrefix } from '@vitrine/react';

/** Persists the cache in the browser, without the keys of reports unless `withKeys` is set. */
export const persistAll = (queryClient: QueryClient, withKeys: boolean): void => {
  persistQueryClient({
    queryClient,
    persister: createSyncStoragePersister({ storage: localStorage, throttleTime: 0 }),
    dehydrateOptions: {
      shouldDehydrateQuery: (query) =>
        (withKeys || query.queryKey[0] !== embedKeyPrefix) && defaultShouldDehydrateQuery(query),
    },
  });
};
