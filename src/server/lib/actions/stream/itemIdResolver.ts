import type { MaybePromise } from '../../access/viewer.ts';

/** An item with both forms of its ID. */
export interface ItemIds {
  /** The number used for embedding. */
  readonly id: number;
  /** The GUID used by webhooks; items without one are left out. */
  readonly guid?: string | undefined;
}

/** Options of {@link createItemIdResolver}. */
export interface ItemIdResolverOptions {
  /** How long a list is trusted before an unknown ID asks for a new one, in milliseconds. Default: 1 minute. */
  readonly maxAgeMs?: number;
  /** The present moment in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/**
 * Finds the number of an item by the GUID that a webhook gives, from a list such as `GET /v1/items`. The list is fetched
 * at first use, and anew when an unknown GUID turns up and the list is old. A failed fetch means "unknown", never a guess.
 */
export const createItemIdResolver = (
  listItems: () => MaybePromise<readonly ItemIds[]>,
  { maxAgeMs = 60_000, now = Date.now }: ItemIdResolverOptions = {},
): ((reportId: string) => Promise<number | undefined>) => {
  let known = new Map<string, number>();
  let fetchedAtMs = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | undefined;

  const refresh = async (): Promise<void> => {
    fetchedAtMs = now();
    try {
      const items = await listItems();
      known = new Map(items.flatMap(({ id, guid }) => (guid ? [[guid.toLowerCase(), id] as const] : [])));
    } catch {
      // The items known so far stay; the next unknown ID after maxAgeMs asks again.
    } finally {
      fetching = undefined;
    }
  };

  return async function itemIdOf(reportId) {
    const key = reportId.toLowerCase();
    if (!known.has(key) && (fetching || now() - fetchedAtMs >= maxAgeMs)) await (fetching ??= refresh());
    return known.get(key);
  };
};
