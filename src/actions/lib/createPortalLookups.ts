import {
  createPortalClient,
  isPortalError,
  type PortalConnectionInput,
  type PortalError,
} from '@vitrine/portal-client';
import { LRUCache } from 'lru-cache';

/** Finds a value; `undefined` if the portal has none. Rejects if the portal cannot be reached. */
type Lookup<TValue> = (key: string) => Promise<TValue | undefined>;

const foundMs = 10 * 60_000;
/** How long an unknown key is cached: webhooks may contain any key. */
const unknownMs = 60_000;

/** Caches answers but not failures. Concurrent callers share one request. */
const cached = <TValue>(
  ask: (key: string) => Promise<TValue>,
  isMissing: (error: PortalError) => boolean,
): Lookup<TValue> => {
  const answers = new LRUCache<string, { readonly value: TValue | undefined }>({
    max: 10_000,
    ttl: foundMs,
    async fetchMethod(key, _, { options }) {
      const value = await ask(key).catch((error: unknown): undefined => {
        if (!isPortalError(error) || !isMissing(error)) throw error;
      });
      if (value === undefined) options.ttl = unknownMs;
      return { value };
    },
  });
  return async (key) => (await answers.forceFetch(key)).value;
};

/** Creates the lookups in the host's portal, each with a cache. */
export const createPortalLookups = (portal: PortalConnectionInput) => {
  const keys = [portal.apiKey].flat();
  // During a rotation, the portal may know either key.
  let current = 0;
  const client = createPortalClient({
    baseUrl: portal.baseUrl ?? portal.apiBaseUrl,
    apiKey: () => keys[current % keys.length] ?? '',
  });
  const ask = async <TValue>(question: () => Promise<TValue>): Promise<TValue> => {
    for (let tried = 1; ; tried += 1) {
      try {
        return await question();
      } catch (error) {
        const isUnauthorized = isPortalError(error) && error.kind === 'unauthorized';
        if (!isUnauthorized || tried >= keys.length) throw error;
        current += 1;
      }
    }
  };
  return {
    /** Email address of a user. */
    emailOf: cached(
      async (userId) => {
        const { id, email } = await ask(() => client.users.get(userId));
        if (String(id).toLowerCase() === userId.toLowerCase()) return email;
        throw new Error(
          `The portal returned user ${id} instead of user ${userId}, so the action is not delivered. Ask the portal's operator.`,
        );
      },
      ({ kind }) => kind === 'not_found',
    ),
    /**
     * Number of an item. If the list of items itself is not found, the portal is not set up, or a proxy responds
     * instead.
     */
    itemIdOf: cached(
      (reportId) => ask(() => client.items.resolver.toNumber(reportId)),
      ({ code }) => code === 'item_not_found',
    ),
    close: () => client.close(),
  };
};
