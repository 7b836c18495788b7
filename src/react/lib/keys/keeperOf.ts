import type { QueryClient } from '@tanstack/react-query';
import { browserEnvironment } from '../life/browserEnvironment.ts';
import { createKeyKeeper, type KeyKeeper } from '../life/keyKeeper.ts';
import { pulseOf } from '../life/pulse.ts';
import { type EmbedKeyOptions, embedKeyQueryKey } from './embedKeyOptions.ts';
import { createQuerySource } from './querySource.ts';

const keepers = new WeakMap<QueryClient, Map<string, KeyKeeper>>();

/** The one keeper of an item's key in a client. */
export const keeperOf = (client: QueryClient, itemId: number, options: EmbedKeyOptions): KeyKeeper => {
  const { environment = browserEnvironment } = options;
  const ofClient = keepers.get(client) ?? new Map<string, KeyKeeper>();
  keepers.set(client, ofClient);
  const id = JSON.stringify(embedKeyQueryKey(itemId, options));
  const keeper =
    ofClient.get(id) ??
    createKeyKeeper(createQuerySource(client, itemId, options), pulseOf(environment), environment);
  ofClient.set(id, keeper);
  return keeper;
};
