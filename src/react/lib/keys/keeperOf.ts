import type { QueryClient } from '@tanstack/react-query';
import type { Environment } from '../life/environment.ts';
import { createKeyKeeper, type KeyKeeper } from '../life/keyKeeper.ts';
import type { EmbedKeyQuery } from './embedKeyOptions.ts';

/** Whoever shows a report holds its keeper; here it is only found. */
const keepers = new WeakMap<QueryClient, Map<string, WeakRef<KeyKeeper>>>();

/** The one keeper of a key in a client. */
export const keeperOf = (
  client: QueryClient,
  query: EmbedKeyQuery,
  environment: Environment | undefined,
): KeyKeeper => {
  const ofClient = keepers.get(client) ?? new Map<string, WeakRef<KeyKeeper>>();
  keepers.set(client, ofClient);
  const id = JSON.stringify(query.queryKey);
  const keeper = ofClient.get(id)?.deref() ?? createKeyKeeper(client, query, environment);
  ofClient.set(id, new WeakRef(keeper));
  return keeper;
};
