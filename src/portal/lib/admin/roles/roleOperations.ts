import { recordedChange } from '../../audit/recordedChange.ts';
import { sliceRows } from '../../http/listPages.ts';
import { jsonReply } from '../../http/portalReply.ts';
import { defineOperation } from '../../service/operation.ts';
import { actorOf } from '../actorOf.ts';
import { defineWholeList } from '../wholeList.ts';
import { createRoleSchema, roleSchema } from './roleSchemas.ts';
import { createRole, readRoles } from './storedRoles.ts';

const shared = { tag: 'Roles', section: '4.2', permission: 'Administration.Roles' } as const;

/** Operations of roles (docs/interface.md#4.2). */
export const roleOperations = [
  defineWholeList({
    ...shared,
    path: '/v1/roles',
    operationId: 'listRoles',
    summary: 'All roles of the tenant.',
    row: roleSchema,
    read: async ({ db }, tenant, range) => sliceRows(await readRoles(db, tenant.id), range),
  }),
  defineOperation({
    ...shared,
    method: 'POST',
    path: '/v1/roles',
    operationId: 'createRole',
    summary: 'Creates a role.',
    body: createRoleSchema,
    success: { status: 201, schema: roleSchema },
    refusals: [409],
    handle: async (call) =>
      jsonReply(
        201,
        await recordedChange(call.services, call.tenant.id, (change) =>
          createRole(change, actorOf(call), call.body),
        ),
      ),
  }),
];
