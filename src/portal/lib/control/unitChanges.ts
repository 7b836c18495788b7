import type { z } from 'zod';
import { placeUnit } from '../admin/organizationUnits/createUnit.ts';
import { readUnits } from '../admin/organizationUnits/readUnits.ts';
import { conflict, notFound } from '../http/portalFailure.ts';
import { type ControlledTenant, controlChange } from './controlChange.ts';
import type { unitChangeSchema } from './controlSchemas.ts';

/** Changes a unit: its name, its parent, its directory group. */
export const changeUnit = (
  place: ControlledTenant,
  unitId: number,
  change: z.output<typeof unitChangeSchema>,
): Promise<void> =>
  controlChange(place, async ({ db, tenantId }) => {
    const units = await readUnits(db, tenantId);
    const unit = units.find(({ id }) => id === String(unitId));
    if (unit === undefined) throw notFound('The unit', 'ouId');
    const { name = unit.name, parentId = unit.parentId, directoryGroupId = unit.directoryGroupId } = change;
    const placed = placeUnit(units, { id: unit.id, name, parentId, directoryGroupId });
    await db.updateTable('organization_units').set(placed).where('id', '=', unitId).execute();
    return {
      actionType: 'OrganizationUnitUpdated',
      resourceType: 'OrganizationUnit',
      resourceId: unitId,
      description: `The unit "${name}" was changed.`,
      details: { fields: Object.keys(change) },
    };
  });

/** Removes a unit and its memberships. Rejects one with units below it. */
export const removeUnit = (place: ControlledTenant, unitId: number): Promise<void> =>
  controlChange(place, async ({ db, tenantId }) => {
    const units = await readUnits(db, tenantId);
    const unit = units.find(({ id }) => id === String(unitId));
    if (unit === undefined) throw notFound('The unit', 'ouId');
    const below = units.filter(({ parentId }) => parentId === unit.id).length;
    if (below > 0)
      throw conflict('ouId', `the unit "${unit.name}" has ${below} below it; remove or move those first`);
    await db.deleteFrom('memberships').where('organization_unit_id', '=', unitId).execute();
    await db.deleteFrom('organization_units').where('id', '=', unitId).execute();
    return {
      actionType: 'OrganizationUnitRemoved',
      resourceType: 'OrganizationUnit',
      resourceId: unitId,
      description: `The unit "${unit.name}" was removed.`,
    };
  });
