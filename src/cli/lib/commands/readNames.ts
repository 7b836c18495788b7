import type { PortalClient } from '@vitrine/portal-client';
import type { Run } from '../program/addCommand.ts';

/** Maps IDs of organizational units to paths, or to themselves if the units cannot be read. */
export const readUnitNames = async (client: PortalClient, { io }: Run): Promise<(id: string) => string> => {
  const tree = await orNothing(client.organizationUnits.tree({ signal: io.signal }));
  return (id) => tree?.find(id)?.path ?? id;
};

/** Maps numbers and GUIDs of items to names, or to themselves if the items cannot be read. */
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

/** Undefined on failure: a list is useful even without names from another one. */
const orNothing = async <TValue>(reading: PromiseLike<TValue>): Promise<TValue | undefined> => {
  try {
    return await reading;
  } catch (error) {
    const { isPortalError } = await import('@vitrine/portal-client');
    if (isPortalError(error) && error.kind !== 'aborted') return undefined;
    throw error;
  }
};
