import { rootOrganizationUnitId } from '@vitrine/contract';
import type { Actor } from '../../audit/auditEvent.ts';
import type { Change } from '../../audit/recordedChange.ts';
import { conflict, invalidField } from '../../http/portalFailure.ts';
import { readUnits, type UnitBody } from './readUnits.ts';

/** An OU to be created. */
export interface NewUnit {
  readonly name: string;
  readonly parentId: string;
  readonly directoryGroupId?: string | null | undefined;
}

/** Levels the hierarchy may have. */
const maxDepth = 16;

/** Steps from a unit to the top, itself included. */
const depthOf = (units: readonly UnitBody[], id: string): number => {
  const unit = units.find((candidate) => candidate.id === id);
  return unit === undefined ? 0 : 1 + depthOf(units, unit.parentId);
};

/** Creates an OU. Its name is unique below its parent. */
export const createUnit = async (change: Change, actor: Actor, unit: NewUnit): Promise<UnitBody> => {
  const { db, tenantId, atMs } = change;
  const { name, parentId, directoryGroupId = null } = unit;
  const units = await readUnits(db, tenantId);
  if (parentId !== rootOrganizationUnitId) {
    if (!units.some((candidate) => candidate.id === parentId))
      throw invalidField('parentId', 'is not the identifier of an organizational unit of this tenant');
    if (depthOf(units, parentId) >= maxDepth)
      throw invalidField('parentId', `is ${maxDepth} levels deep, which is as deep as the hierarchy goes`);
  }
  const same = units.find((candidate) => candidate.parentId === parentId && candidate.name === name);
  if (same !== undefined) throw conflict('name', `unit ${same.id} has this name and this parent`);
  const { id } = await db
    .insertInto('organization_units')
    .values({
      tenant_id: tenantId,
      name,
      parent_id: parentId === rootOrganizationUnitId ? null : Number(parentId),
      directory_group_id: directoryGroupId?.toLowerCase() ?? null,
      created_at: atMs,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await change.record({
    actionType: 'OrganizationUnitCreated',
    actor,
    resourceType: 'OrganizationUnit',
    resourceId: id,
    description: `The unit "${name}" was created.`,
    details: { parentId, directoryGroupId },
  });
  const created = (await readUnits(db, tenantId)).find((candidate) => candidate.id === String(id));
  if (created === undefined) throw new Error('The new unit cannot be read back.');
  return created;
};
