import {
  createPortalClient,
  isPortalError,
  type PortalClient,
  type PortalConnectionInput,
  Secret,
} from '@vitrine/portal-client';
import { createCachedLookup } from './cachedLookup.ts';

/** What actions ask the portal: whose number `currentUser` is, and which item has a GUID. */
export interface PortalLookups {
  /** E-mail address of a user; `undefined` when the portal knows no such user. Rejects when it cannot be asked. */
  readonly emailOf: (userId: string) => Promise<string | undefined>;
  /** Number of an item; `undefined` when the portal knows no such item. Rejects when it cannot be asked. */
  readonly itemIdOf: (reportId: string) => Promise<number | undefined>;
  readonly close: () => Promise<void>;
}

const unlessMissing = async <TValue>(question: Promise<TValue>): Promise<TValue | undefined> => {
  try {
    return await question;
  } catch (error) {
    if (isPortalError(error) && error.kind === 'not_found') return undefined;
    throw error;
  }
};

/** Asks the portal of the host, with a cache for each question. */
export const createPortalLookups = (portal: PortalConnectionInput, now: () => number): PortalLookups => {
  const keys = [portal.apiKey].flat().map((key) => (key instanceof Secret ? key : new Secret(key)));
  // While one key replaces the other, the portal may know either.
  const clients = keys.map((apiKey) =>
    createPortalClient({ baseUrl: portal.baseUrl ?? portal.apiBaseUrl, apiKey }),
  );
  let current = 0;
  const ask = async <TValue>(question: (client: PortalClient) => Promise<TValue>): Promise<TValue> => {
    for (let tried = 1; ; tried += 1) {
      try {
        return await question(clients[current] as PortalClient); // there is one for each key, and at least one key
      } catch (error) {
        const isUnauthorized = isPortalError(error) && error.kind === 'unauthorized';
        if (!isUnauthorized || tried >= clients.length) throw error;
        current = (current + 1) % clients.length;
      }
    }
  };
  return {
    emailOf: createCachedLookup({
      now,
      ask: (userId) => unlessMissing(ask(async (client) => (await client.users.get(userId)).email)),
    }),
    itemIdOf: createCachedLookup({
      now,
      ask: (reportId) => unlessMissing(ask((client) => client.items.resolver.toNumber(reportId))),
    }),
    async close() {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
};
