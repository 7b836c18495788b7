import { randomUUID } from 'node:crypto';
import { rootOrganizationUnitId } from '@vitrine/contract';
import { z } from 'zod';
import { recordedChange } from '../../audit/recordedChange.ts';
import { jsonReply } from '../../http/exchange.ts';
import { invalidField, notFound } from '../../http/portalFailure.ts';
import { chosen, stated } from '../../openapi/provenance.ts';
import { defineOperation } from '../../service/operation.ts';
import { actorOf } from '../actor.ts';
import { defineWholeList } from '../wholeList.ts';
import { readUnits, type UnitBody, unitName, unitSchema } from './readUnits.ts';
import { syncUnit } from './syncUnit.ts';

const shared = {
  tag: 'Organizational units',
  section: '4.3',
  permission: 'Administration.OrganizationUnits',
} as const;

/** Levels the hierarchy may have. */
const maxDepth = 16;

const createUnitSchema = z.strictObject({
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

/** Answer of a synchronization. */
export const syncSchema = z.strictObject({
  syncId: chosen(z.guid(), 'Identifies this synchronization, also in the audit log.'),
  status: chosen(z.literal('completed'), 'The portal synchronizes at once.'),
  added: chosen(z.int(), 'Members that joined the OU.'),
  updated: chosen(z.int(), 'Users whose details changed.'),
  removed: chosen(z.int(), 'Members that left the OU.'),
});

const listUnits = defineWholeList({
  ...shared,
  path: '/v1/organization-units',
  operationId: 'listOrganizationUnits',
  summary: 'All OUs of the tenant.',
  row: unitSchema,
  read: ({ db }, tenant) => readUnits(db, tenant.id),
});

/** Steps from a unit to the top, itself included. */
const depthOf = (units: readonly UnitBody[], id: string): number => {
  const unit = units.find((candidate) => candidate.id === id);
  return unit === undefined ? 0 : 1 + depthOf(units, unit.parentId);
};

const createUnit = defineOperation({
  ...shared,
  method: 'POST',
  path: '/v1/organization-units',
  operationId: 'createOrganizationUnit',
  summary: 'Creates an OU.',
  body: createUnitSchema,
  success: { status: 201, schema: unitSchema },
  handle: async (call) => {
    const { services, tenant, body } = call;
    const unit = await recordedChange(services, tenant.id, async ({ db, atMs, record }) => {
      const isTop = body.parentId === rootOrganizationUnitId;
      if (!isTop) {
        const units = await readUnits(db, tenant.id);
        if (!units.some((candidate) => candidate.id === body.parentId))
          throw invalidField('parentId', 'is not the identifier of an organizational unit of this tenant');
        if (depthOf(units, body.parentId) >= maxDepth)
          throw invalidField(
            'parentId',
            `is ${maxDepth} levels deep, which is as deep as the hierarchy goes`,
          );
      }
      const { id } = await db
        .insertInto('organization_units')
        .values({
          tenant_id: tenant.id,
          name: body.name,
          parent_id: isTop ? null : Number(body.parentId),
          directory_group_id: body.directoryGroupId?.toLowerCase() ?? null,
          created_at: atMs,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await record({
        actionType: 'OrganizationUnitCreated',
        actor: actorOf(call),
        resourceType: 'OrganizationUnit',
        resourceId: id,
        description: `The unit "${body.name}" was created.`,
        details: { parentId: body.parentId, directoryGroupId: body.directoryGroupId ?? null },
      });
      const made = (await readUnits(db, tenant.id)).find((candidate) => candidate.id === String(id));
      if (made === undefined) throw new Error('The new unit cannot be read back.');
      return made;
    });
    return jsonReply(201, unit, { location: `/v1/organization-units/${unit.id}` });
  },
});

const syncUnitOperation = defineOperation({
  ...shared,
  method: 'POST',
  path: '/v1/organization-units/{ouId}/sync',
  operationId: 'syncOrganizationUnit',
  summary: 'Synchronizes the members of the OU with its linked security group, at once.',
  success: { status: 202, schema: syncSchema },
  refusals: [404, 409],
  handle: async (call) => {
    const { services, tenant, params } = call;
    const text = params['ouId'] ?? '';
    if (!/^[1-9]\d{0,8}$/.test(text)) throw notFound('The organizational unit', 'ouId');
    const syncId = randomUUID();
    const counts = await recordedChange(services, tenant.id, (change) =>
      syncUnit(change, { unitId: Number(text), actor: actorOf(call), syncId }),
    );
    return jsonReply(202, { syncId, status: 'completed', ...counts });
  },
});

/** Operations of organizational units (interface 4.3). */
export const unitOperations = [listUnits, createUnit, syncUnitOperation];
