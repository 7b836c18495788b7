import { randomUUID } from 'node:crypto';
import { rootOrganizationUnitId } from '@vitrine/contract';
import { z } from 'zod';
import { recordedChange } from '../../audit/recordedChange.ts';
import { sliceRows } from '../../http/listPages.ts';
import { notFound } from '../../http/portalFailure.ts';
import { jsonReply } from '../../http/portalReply.ts';
import { chosen, stated } from '../../provenances.ts';
import { defineOperation } from '../../service/operation.ts';
import { actorOf } from '../actorOf.ts';
import { defineWholeList } from '../wholeList.ts';
import { createUnit } from './createUnit.ts';
import { readUnits, unitName, unitSchema } from './readUnits.ts';
import { syncUnit } from './syncUnit.ts';

const shared = {
  tag: 'Organizational units',
  section: '4.3',
  permission: 'Administration.OrganizationUnits',
} as const;

/** Body of `POST /v1/organization-units`. */
export const createUnitSchema = z.strictObject({
  name: unitName,
  parentId: stated(
    '2.3',
    z.string().min(1, 'must not be empty').max(32),
    `Identifier of the parent OU; "${rootOrganizationUnitId}" puts the OU at the top.`,
  ),
  directoryGroupId: stated(
    '2.3',
    z.guid('must be a GUID').nullish(),
    'GUID of a security group of the identity directory.',
  ),
});

/** Response of a synchronization. */
export const syncSchema = z.strictObject({
  syncId: chosen(z.guid(), 'ID of this synchronization, also in the audit log.'),
  status: chosen(z.literal('completed'), 'The portal synchronizes immediately.'),
  added: chosen(z.int(), 'Members that joined the OU.'),
  updated: chosen(z.int(), 'Users whose details changed.'),
  removed: chosen(z.int(), 'Members that left the OU.'),
});

/** Operations of organizational units (docs/interface.md#4.3). */
export const unitOperations = [
  defineWholeList({
    ...shared,
    path: '/v1/organization-units',
    operationId: 'listOrganizationUnits',
    summary: 'All OUs of the tenant.',
    row: unitSchema,
    read: async ({ db }, tenant, range) => sliceRows(await readUnits(db, tenant.id), range),
  }),
  defineOperation({
    ...shared,
    method: 'POST',
    path: '/v1/organization-units',
    operationId: 'createOrganizationUnit',
    summary: 'Creates an OU.',
    body: createUnitSchema,
    success: { status: 201, schema: unitSchema },
    refusals: [409],
    handle: async (call) => {
      const unit = await recordedChange(call.services, call.tenant.id, (change) =>
        createUnit(change, actorOf(call), call.body),
      );
      return jsonReply(201, unit);
    },
  }),
  defineOperation({
    ...shared,
    method: 'POST',
    path: '/v1/organization-units/{ouId}/sync',
    operationId: 'syncOrganizationUnit',
    summary: 'Synchronizes the members of the OU with its linked security group immediately.',
    success: { status: 202, schema: syncSchema },
    refusals: [404, 409],
    handle: async (call) => {
      const text = call.params['ouId'] ?? '';
      if (!/^[1-9]\d{0,8}$/.test(text)) throw notFound('The organizational unit', 'ouId');
      const syncId = randomUUID();
      const counts = await recordedChange(call.services, call.tenant.id, (change) =>
        syncUnit(change, { unitId: Number(text), actor: actorOf(call), syncId }),
      );
      return jsonReply(202, { syncId, status: 'completed', ...counts });
    },
  }),
];
