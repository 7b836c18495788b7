import { PortalError } from '../errors/portalError.ts';
import { asGuid, asItemNumber, type Item } from './item.ts';

/** Translates between the two forms of an Item ID: the number of the embedding interface, the GUID of the webhooks. */
export interface ItemResolver {
  /** Finds an item by either form. Rejects with kind `not_found` if there is none. */
  readonly find: (idOrGuid: number | string) => Promise<Item>;
  /** The number of an item. Rejects if the service does not return it. */
  readonly toNumber: (idOrGuid: number | string) => Promise<number>;
  /** The GUID of an item. Rejects if the service does not return it. */
  readonly toGuid: (idOrGuid: number | string) => Promise<string>;
  /** Clears the cache, so that the next call reads the items again. */
  readonly refresh: () => void;
}

interface Index {
  readonly byNumber: ReadonlyMap<number, Item>;
  readonly byGuid: ReadonlyMap<string, Item>;
}

/**
 * Creates a resolver over a list of items. Concurrent lookups share one reading of the list; it is read again if an
 * identifier is not in it.
 *
 * @example
 * ```ts
 * import { createItemResolver, createPortalClient } from '@vitrine/portal-client';
 *
 * const client = createPortalClient({
 *   baseUrl: 'https://portal.example/admin',
 *   apiKey: process.env.VITRINE_API_KEY ?? '',
 * });
 * const items = createItemResolver(() => client.items.list());
 * const guid = await items.toGuid(1042);
 * ```
 */
export const createItemResolver = (readItems: () => AsyncIterable<Item>): ItemResolver => {
  let index: Promise<Index> | undefined;
  const load = (): Promise<Index> => {
    index ??= readIndex(readItems()).catch((error: unknown) => {
      index = undefined;
      throw error;
    });
    return index;
  };
  const find = async (idOrGuid: number | string): Promise<Item> => {
    const isFirst = index === undefined;
    const before = load();
    const known = lookUp(await before, idOrGuid);
    if (known !== undefined) return known;
    if (!isFirst) {
      if (index === before) index = undefined;
      const fresh = lookUp(await load(), idOrGuid);
      if (fresh !== undefined) return fresh;
    }
    throw new PortalError(
      `There is no item ${JSON.stringify(idOrGuid)} in this tenant. Pass an item ID as a number or a GUID; the report's GUID in the BI platform is a different ID.`,
      { kind: 'not_found', code: 'item_not_found' },
    );
  };
  return {
    find,
    toNumber: async (idOrGuid) => {
      const { id } = await find(idOrGuid);
      if (id === undefined) throw missingHalf(idOrGuid, 'number');
      return id;
    },
    toGuid: async (idOrGuid) => {
      const { guid } = await find(idOrGuid);
      if (guid === undefined) throw missingHalf(idOrGuid, 'GUID');
      return guid;
    },
    refresh: () => {
      index = undefined;
    },
  };
};

const readIndex = async (items: AsyncIterable<Item>): Promise<Index> => {
  const byNumber = new Map<number, Item>();
  const byGuid = new Map<string, Item>();
  for await (const item of items) {
    if (item.id !== undefined) byNumber.set(item.id, item);
    if (item.guid !== undefined) byGuid.set(item.guid, item);
  }
  return { byNumber, byGuid };
};

const lookUp = ({ byNumber, byGuid }: Index, idOrGuid: number | string): Item | undefined => {
  const number = asItemNumber(idOrGuid);
  const guid = asGuid(idOrGuid);
  return (number === undefined ? undefined : byNumber.get(number)) ?? (guid ? byGuid.get(guid) : undefined);
};

const missingHalf = (idOrGuid: number | string, half: string): PortalError =>
  new PortalError(
    `The portal returns the item ${JSON.stringify(idOrGuid)} without its ${half}, so the two forms of its item ID cannot be matched. Look it up in the portal and configure it.`,
    { kind: 'invalid_response', code: 'item_half_missing' },
  );
