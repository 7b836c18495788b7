import type { ItemResolver } from '@vitrine/portal-client';
import { createSteadyTime } from '@vitrine/server/internal';

/** Options of {@link createItemIdResolver}. */
export interface ItemIdResolverOptions {
  /** How long an ID that was not found counts as unknown without asking again, in milliseconds. Default: 1 minute. */
  readonly maxAgeMs?: number;
  /** The present moment in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/** Unknown IDs that are remembered; they come from webhooks, and few are ever asked for. */
const maxUnknown = 1000;

/**
 * Finds the number of an item by the GUID that a webhook gives: `createItemIdResolver(client.items.resolver)` with a client
 * of `@vitrine/portal-client`, which reads the items once. Whatever fails means "unknown", never a guess, and an unknown ID
 * does not read the items for each click.
 */
export const createItemIdResolver = (
  resolver: Pick<ItemResolver, 'toNumber'>,
  { maxAgeMs = 60_000, now = Date.now }: ItemIdResolverOptions = {},
): ((reportId: string) => Promise<number | undefined>) => {
  const unknownSince = new Map<string, number>();
  const steadyNow = createSteadyTime(now, () => unknownSince.clear());

  return async function itemIdOf(reportId) {
    if (steadyNow() - (unknownSince.get(reportId) ?? Number.NEGATIVE_INFINITY) < maxAgeMs) return undefined;
    try {
      const id = await resolver.toNumber(reportId);
      unknownSince.delete(reportId);
      return id;
    } catch {
      if (unknownSince.size >= maxUnknown) unknownSince.clear();
      unknownSince.set(reportId, steadyNow());
      return undefined;
    }
  };
};
