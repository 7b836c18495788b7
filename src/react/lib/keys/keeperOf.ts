import type { QueryClient } from '@tanstack/react-query';
import type { Environment } from '../life/environment.ts';
import { createKeyKeeper, type KeyKeeper } from '../life/keyKeeper.ts';
import type { EmbedKeyQuery } from './embedKeyOptions.ts';

/** Whoever shows a report holds its keeper; here it is only found. */
const keepers = new WeakMap<QueryClient, Record<string, WeakRef<KeyKeeper>>>();

/** The one keeper of a key in a client. */
export const keeperOf = (
  client: QueryClient,
  query: EmbedKeyQuery,
  environment: Environment | undefined,
): KeyKeeper => {
  const ofClient = keepers.get(client) ?? {};
  keepers.set(client, ofClient);
  const id = JSON.stringify(query.queryKey);
  const keeper = ofClient[id]?.deref() ?? createKeyKeeper(client, query, environment);
  ofClient[id] = new WeakRef(keeper);
  return keeper;
};
