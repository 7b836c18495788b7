import { PortalError } from './errors.ts';
import { asGuid, asItemNumber, type Item } from './rows.ts';
import { maskKnown } from './secrets.ts';

/** Finds an item in a list by either form of its ID: the number of the embedding interface, or the GUID of the webhooks. */
export const findItem = async (items: AsyncIterable<Item>, itemId: number | string): Promise<Item> => {
  const key = asItemNumber(itemId) ?? asGuid(itemId);
  if (key !== undefined)
    for await (const item of items) if (item.id === key || item.guid === key) return item;
  throw new PortalError(
    `There is no item ${maskKnown(JSON.stringify(itemId))} in this tenant. Pass an item ID as a number or a GUID; the report's GUID in the BI platform is a different ID.`,
    { kind: 'not_found', code: 'item_not_found' },
  );
};
