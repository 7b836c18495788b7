import {
  createPortalClient,
  isPortalError,
  type PortalClient,
  type PortalConnectionInput,
  Secret,
} from '@vitrine/portal-client';
import { LRUCache } from 'lru-cache';

/** Finds a value; `undefined` when the portal knows none. Rejects when it cannot be asked. */
type Lookup<TValue> = (key: string) => Promise<TValue | undefined>;

/** What actions ask the portal: whose number `currentUser` is, and which item has a GUID. */
export interface PortalLookups {
  readonly emailOf: Lookup<string>;
  readonly itemIdOf: Lookup<number>;
  readonly close: () => Promise<void>;
}

const foundMs = 10 * 60_000;
/** Unknown keys come from webhooks; each is asked for once in a while. */
const unknownMs = 60_000;

const unlessMissing = (error: unknown): undefined => {
  if (!isPortalError(error) || error.kind !== 'not_found') throw error;
};

/** Remembers answers, but no failure. Callers at the same time share one question. */
const cached = <TValue>(ask: (key: string) => Promise<TValue | undefined>): Lookup<TValue> => {
  const answers = new LRUCache<string, { readonly value: TValue | undefined }>({
    max: 10_000,
    ttl: foundMs,
    async fetchMethod(key, _, { options }) {
      const value = await ask(key).catch(unlessMissing);
      if (value === undefined) options.ttl = unknownMs;
      return { value };
    },
  });
  return async (key) => (await answers.forceFetch(key)).value;
};

/** Asks the portal of the host, with a cache for each question. */
export const createPortalLookups = (portal: PortalConnectionInput): PortalLookups => {
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
    emailOf: cached((userId) => ask(async (client) => (await client.users.get(userId)).email)),
    itemIdOf: cached((reportId) => ask((client) => client.items.resolver.toNumber(reportId))),
    async close() {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
};
