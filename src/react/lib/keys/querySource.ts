import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import type { EmbedKey } from '@vitrine/contract';
import { browserEnvironment } from '../life/browserEnvironment.ts';
import type { KeySource } from '../life/keyKeeper.ts';
import { type EmbedKeyOptions, embedKeyOptions } from './embedKeyOptions.ts';
import { birthOf } from './keyBirths.ts';

/** Lets React Query hold the keys: what loaders, prefetching and hydration put there is found, and asked for once. */
export const createQuerySource = (
  client: QueryClient,
  itemId: number,
  options: EmbedKeyOptions,
): KeySource => {
  const query = embedKeyOptions(itemId, options);
  const filter = { queryKey: query.queryKey, exact: true };
  return {
    read: () => {
      const { data: value, dataUpdatedAt = 0 } = client.getQueryState<EmbedKey>(query.queryKey) ?? {};
      const { environment = browserEnvironment } = options;
      return value && { value, bornAt: birthOf(value, dataUpdatedAt, environment) };
    },
    request: () => client.fetchQuery({ ...query, staleTime: 0 }),
    cancel: () => void client.cancelQueries(filter),
    watch: (listener) => {
      // Disabled: the observer keeps the key from being collected, and leaves the asking to the keeper.
      const unsubscribe = new QueryObserver(client, { ...query, enabled: false }).subscribe(listener);
      return () => {
        unsubscribe();
        client.removeQueries(filter);
      };
    },
  };
};
