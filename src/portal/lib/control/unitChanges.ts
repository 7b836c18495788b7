import type { z } from 'zod';
import { placeUnit } from '../admin/organizationUnits/createUnit.ts';
import { readUnits } from '../admin/organizationUnits/readUnits.ts';
import { recordedChange } from '../audit/recordedChange.ts';
import { conflict, notFound } from '../http/portalFailure.ts';
import type { Services, Tenant } from '../services.ts';
import { controlActor } from './controlActor.ts';
import type { unitChangeSchema } from './controlSchemas.ts';

/** What {@link changeUnit} and {@link removeUnit} work with. */
export interface UnitOfTenant {
  readonly services: Services;
  readonly tenant: Tenant;
  readonly unitId: number;
}

/** Changes a unit: its name, its parent, its directory group. */
export const changeUnit = (
  { services, tenant, unitId }: UnitOfTenant,
  change: z.output<typeof unitChangeSchema>,
): Promise<void> =>
  recordedChange(services, tenant.id, async ({ db, record }) => {
    const units = await readUnits(db, tenant.id);
    const unit = units.find(({ id }) => id === String(unitId));
    if (unit === undefined) throw notFound('The unit', 'ouId');
    const { name = unit.name, parentId = unit.parentId, directoryGroupId = unit.directoryGroupId } = change;
    const place = placeUnit(units, { id: unit.id, name, parentId, directoryGroupId });
    await db.updateTable('organization_units').set(place).where('id', '=', unitId).execute();
    await record({
      actionType: 'OrganizationUnitUpdated',
      actor: controlActor,
      resourceType: 'OrganizationUnit',
      resourceId: unitId,
      description: `The unit "${name}" was changed.`,
      details: { fields: Object.keys(change) },
    });
  });

/** Removes a unit and the memberships in it. Refuses one that has units below it. */
export const removeUnit = ({ services, tenant, unitId }: UnitOfTenant): Promise<void> =>
  recordedChange(services, tenant.id, async ({ db, record }) => {
    const units = await readUnits(db, tenant.id);
    const unit = units.find(({ id }) => id === String(unitId));
    if (unit === undefined) throw notFound('The unit', 'ouId');
    const below = units.filter(({ parentId }) => parentId === unit.id).length;
    if (below > 0)
      throw conflict('ouId', `the unit "${unit.name}" has ${below} below it; remove or move those first`);
    await db.deleteFrom('memberships').where('organization_unit_id', '=', unitId).execute();
    await db.deleteFrom('organization_units').where('id', '=', unitId).execute();
    await record({
      actionType: 'OrganizationUnitRemoved',
      actor: controlActor,
      resourceType: 'OrganizationUnit',
      resourceId: unitId,
      description: `The unit "${unit.name}" was removed.`,
    });
  });
