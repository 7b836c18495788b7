import type { QueryClient } from '@tanstack/react-query';
import { createKeyKeeper, type KeyKeeper } from '../life/keyKeeper.ts';
import { type EmbedKeyOptions, embedKeyQueryKey } from './embedKeyOptions.ts';

const keepers = new WeakMap<QueryClient, Map<string, KeyKeeper>>();

/** The one keeper of an item's key in a client. */
export const keeperOf = (client: QueryClient, itemId: number, options: EmbedKeyOptions): KeyKeeper => {
  const ofClient = keepers.get(client) ?? new Map<string, KeyKeeper>();
  keepers.set(client, ofClient);
  const id = JSON.stringify(embedKeyQueryKey(itemId, options));
  const keeper = ofClient.get(id) ?? createKeyKeeper(client, itemId, options);
  ofClient.set(id, keeper);
  return keeper;
};
