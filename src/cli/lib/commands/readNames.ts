import type { PortalClient } from '@vitrine/portal-client';
import type { Run } from '../program/addCommand.ts';

/** Gives the path of an organizational unit by its identifier; the identifier itself where the units cannot be read. */
export const readUnitNames = async (client: PortalClient, { io }: Run): Promise<(id: string) => string> => {
  const tree = await orNothing(client.organizationUnits.tree({ signal: io.signal }));
  return (id) => tree?.find(id)?.path ?? id;
};

/** Gives the name of an item by its number or GUID; that itself where the items cannot be read. */
export const readItemNames = async (
  client: PortalClient,
  { io }: Run,
): Promise<(id: string | number) => string> => {
  const items = (await orNothing(client.items.list({ signal: io.signal }).toArray({ limit: 10_000 }))) ?? [];
  const names = new Map(
    items.flatMap(({ id, guid, displayName }) => [
      [String(id), displayName] as const,
      [guid, displayName] as const,
    ]),
  );
  return (id) => names.get(String(id).toLowerCase()) ?? String(id);
};

/** A list is worth showing without the names that another one holds. */
const orNothing = async <TValue>(reading: PromiseLike<TValue>): Promise<TValue | undefined> => {
  try {
    return await reading;
  } catch (error) {
    const { isPortalError } = await import('@vitrine/portal-client');
    if (isPortalError(error) && error.kind !== 'aborted') return undefined;
    throw error;
  }
};
