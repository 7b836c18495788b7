import { recordedChange } from '../../audit/recordedChange.ts';
import { sliceRows } from '../../http/listPages.ts';
import { jsonReply } from '../../http/portalReply.ts';
import { defineOperation } from '../../service/operation.ts';
import { actorOf } from '../actorOf.ts';
import { defineWholeList } from '../wholeList.ts';
import { createRole, readRoles } from './storedRoles.ts';

/** Operations of roles (docs/interface.md#4.2). */
export const roleOperations = [
  defineWholeList('listRoles', async ({ db }, tenant, range) =>
    sliceRows(await readRoles(db, tenant.id), range),
  ),
  defineOperation('createRole', async (call) =>
    jsonReply(
      201,
      await recordedChange(call.services, call.tenant.id, (change) =>
        createRole(change, actorOf(call), call.body),
      ),
    ),
  ),
];
