import { PortalError } from './errors.ts';
import { asGuid, asItemNumber, type Item } from './rows.ts';
import { maskKnown } from './secrets.ts';

/**
 * Creates a function that finds items in a list by either form of their ID: the number of the embedding interface, or the
 * GUID of the webhooks. Concurrent calls share one reading of the list. It is read again for an identifier that is not in
 * it, and after a failure.
 */
export const createItemFinder = (readItems: () => AsyncIterable<Item>) => {
  let items: Promise<ReadonlyMap<number | string, Item>> | undefined;
  const load = () => {
    items ??= readIndex(readItems()).catch((error: unknown) => {
      items = undefined;
      throw error;
    });
    return items;
  };
  return async (itemId: number | string): Promise<Item> => {
    const key = asItemNumber(itemId) ?? asGuid(itemId) ?? '';
    const before = items;
    let item = (await load()).get(key);
    if (item === undefined && before !== undefined) {
      if (items === before) items = undefined;
      item = (await load()).get(key);
    }
    if (item !== undefined) return item;
    throw new PortalError(
      `There is no item ${maskKnown(JSON.stringify(itemId))} in this tenant. Pass an item ID as a number or a GUID; the report's GUID in the BI platform is a different ID.`,
      { kind: 'not_found', code: 'item_not_found' },
    );
  };
};

const readIndex = async (items: AsyncIterable<Item>): Promise<ReadonlyMap<number | string, Item>> => {
  const index = new Map<number | string, Item>();
  for await (const item of items)
    for (const key of [item.id, item.guid]) if (key !== undefined) index.set(key, item);
  return index;
};
