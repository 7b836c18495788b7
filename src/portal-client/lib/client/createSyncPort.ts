import { createItems } from '../resources/createItems.ts';
import { createOrganizationUnits } from '../resources/createOrganizationUnits.ts';
import { createRoles } from '../resources/createRoles.ts';
import { createUsers } from '../resources/createUsers.ts';
import type { ResourceTools } from '../resources/resourceTools.ts';
import type { SyncPort } from '../sync/tenant.ts';
import { createSyncWriter } from './createSyncWriter.ts';
import { readsOnly } from './createTransport.ts';

/** Creates the {@link SyncPort} of a client. */
export const createSyncPort = (tools: ResourceTools, baseUrl: string): SyncPort => {
  const { send } = tools;
  const reading = { ...tools, send: readsOnly(send) };
  return {
    reader: {
      baseUrl,
      now: Date.now,
      users: createUsers(reading).list,
      roles: createRoles(reading).list,
      organizationUnits: createOrganizationUnits(reading).list,
      items: createItems(reading).list,
    },
    openWriter: (signal) => createSyncWriter(send, signal),
  };
};
