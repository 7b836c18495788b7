import type { QueryClient } from '@tanstack/react-query';
import type { EmbedKeyQuery } from '../keys/embedKeyQuery.ts';
import { createKeyCache } from '../keys/keyCache.ts';
import type { Environment } from './environment.ts';
import { createKeySession, type KeySession } from './keySession.ts';

/** Weak: only reports keep their session alive. */
const sessions = new WeakMap<QueryClient, Map<string, WeakRef<KeySession>>>();

/** Returns the shared session of a key in a query client. */
export const getKeySession = (
  client: QueryClient,
  { queryKey }: EmbedKeyQuery,
  environment?: Environment,
): KeySession => {
  const ofClient = sessions.get(client) ?? new Map<string, WeakRef<KeySession>>();
  sessions.set(client, ofClient);
  const id = JSON.stringify(queryKey);
  const session =
    ofClient.get(id)?.deref() ?? createKeySession(createKeyCache(client, queryKey), environment);
  ofClient.set(id, new WeakRef(session));
  return session;
};
