import { rootOrganizationUnitId, type ServiceNewRow } from '@vitrine/contract/service';
import type { Change } from '../../audit/recordedChange.ts';
import type { Actor } from '../../audit/writeAuditRecord.ts';
import { conflict, invalidField } from '../../http/portalFailure.ts';
import { readUnits, type UnitBody } from './readUnits.ts';

/** Maximum number of levels of the hierarchy. */
const maxDepth = 16;

/** The unit and its ancestors, from the bottom up. A parent that is not in the list ends the chain. */
const lineOf = (units: readonly UnitBody[], id: string): readonly string[] => {
  const unit = units.find((candidate) => candidate.id === id);
  return unit === undefined ? [] : [id, ...lineOf(units, unit.parentId)];
};

/** Number of levels from a unit down to its deepest descendant, including itself. */
const heightOf = (units: readonly UnitBody[], id: string): number =>
  1 + Math.max(0, ...units.filter(({ parentId }) => parentId === id).map((unit) => heightOf(units, unit.id)));

/**
 * The columns of a new OU, or of a changed one if it has an `id`. Rejects a parent that does not exist, is below the
 * unit itself or makes the hierarchy too deep, and a duplicate name below the parent.
 */
export const placeUnit = (
  units: readonly UnitBody[],
  unit: ServiceNewRow<'organizationUnit'> & { readonly id?: string },
) => {
  const { id, name, parentId, directoryGroupId = null } = unit;
  if (parentId !== rootOrganizationUnitId) {
    const line = lineOf(units, parentId);
    if (line.length === 0)
      throw invalidField('parentId', 'is not the identifier of an organizational unit of this tenant');
    if (id !== undefined && line.includes(id))
      throw invalidField('parentId', 'is the unit itself or a unit below it');
    if (line.length + (id === undefined ? 1 : heightOf(units, id)) > maxDepth)
      throw invalidField(
        'parentId',
        `puts units more than ${maxDepth} levels deep; the hierarchy has at most ${maxDepth}`,
      );
  }
  const same = units.find((other) => other.parentId === parentId && other.name === name && other.id !== id);
  if (same !== undefined) throw conflict('name', `unit ${same.id} already has this name and this parent`);
  return {
    name,
    parent_id: parentId === rootOrganizationUnitId ? null : Number(parentId),
    directory_group_id: directoryGroupId?.toLowerCase() ?? null,
  };
};

/** Creates an OU. Its name is unique below its parent. */
export const createUnit = async (
  change: Change,
  actor: Actor,
  unit: ServiceNewRow<'organizationUnit'>,
): Promise<UnitBody> => {
  const { db, tenantId, atMs } = change;
  const { name, parentId, directoryGroupId = null } = unit;
  const place = placeUnit(await readUnits(db, tenantId), unit);
  const { id } = await db
    .insertInto('organization_units')
    .values({ ...place, tenant_id: tenantId, created_at: atMs })
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
  if (created === undefined) throw new Error('The new unit could not be read.');
  return created;
};
