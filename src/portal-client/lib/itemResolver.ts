import { PortalError } from './errors.ts';
import { asGuid, asItemNumber, type Item } from './rows.ts';

/** Translates between the two forms of an Item ID: the number of the embedding interface, the GUID of the webhooks. */
export interface ItemResolver {
  /** Finds an item by either form. Rejects with kind `not_found` if there is none. */
  readonly find: (idOrGuid: number | string) => Promise<Item>;
  /** The number of an item. Rejects if the service does not return it. */
  readonly toNumber: (idOrGuid: number | string) => Promise<number>;
  /** The GUID of an item. Rejects if the service does not return it. */
  readonly toGuid: (idOrGuid: number | string) => Promise<string>;
}

/**
 * Creates a resolver over a list of items. Concurrent lookups share one reading of the list. It is read again for an
 * identifier that is not in it, and after a failure.
 */
export const createItemResolver = (readItems: () => AsyncIterable<Item>): ItemResolver => {
  let items: Promise<ReadonlyMap<number | string, Item>> | undefined;
  const load = () => {
    items ??= readIndex(readItems()).catch((error: unknown) => {
      items = undefined;
      throw error;
    });
    return items;
  };
  const find = async (idOrGuid: number | string): Promise<Item> => {
    const key = asItemNumber(idOrGuid) ?? asGuid(idOrGuid) ?? '';
    const isFirst = items === undefined;
    const before = load();
    const known = (await before).get(key);
    if (known !== undefined) return known;
    if (!isFirst) {
      if (items === before) items = undefined;
      const added = (await load()).get(key);
      if (added !== undefined) return added;
    }
    throw new PortalError(
      `There is no item ${JSON.stringify(idOrGuid)} in this tenant. Pass an item ID as a number or a GUID; the report's GUID in the BI platform is a different ID.`,
      { kind: 'not_found', code: 'item_not_found' },
    );
  };
  const findHalf = async <TValue>(
    idOrGuid: number | string,
    half: string,
    read: (item: Item) => TValue | undefined,
  ): Promise<TValue> => {
    const value = read(await find(idOrGuid));
    if (value !== undefined) return value;
    throw new PortalError(
      `The portal returns the item ${JSON.stringify(idOrGuid)} without its ${half}, so the two forms of its item ID cannot be matched. Look it up in the portal and configure it.`,
      { kind: 'invalid_response', code: 'item_half_missing' },
    );
  };
  return {
    find,
    toNumber: (idOrGuid) => findHalf(idOrGuid, 'number', ({ id }) => id),
    toGuid: (idOrGuid) => findHalf(idOrGuid, 'GUID', ({ guid }) => guid),
  };
};

const readIndex = async (items: AsyncIterable<Item>): Promise<ReadonlyMap<number | string, Item>> => {
  const index = new Map<number | string, Item>();
  for await (const item of items)
    for (const key of [item.id, item.guid]) if (key !== undefined) index.set(key, item);
  return index;
};
