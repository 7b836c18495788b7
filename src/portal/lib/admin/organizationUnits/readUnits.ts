import { rootOrganizationUnitId } from '@vitrine/contract';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { rowsOf } from '../../database/rowsOf.ts';
import type { Tables } from '../../database/tables/tables.ts';
import { chosen, stated } from '../../provenances.ts';
import { displayText } from '../displayText.ts';

/** Name of an OU. */
export const unitName = stated('2.3', displayText(128), 'Name of the OU.');

/** An OU as the portal returns it. */
export const unitSchema = z.strictObject({
  id: chosen(z.string(), 'Identifier.'),
  name: unitName,
  parentId: stated('2.3', z.string(), `Identifier of the parent OU; "${rootOrganizationUnitId}" at the top.`),
  directoryGroupId: stated('2.3', z.guid().nullable(), 'GUID of the linked security group, or null.'),
  memberCount: chosen(z.int(), 'Users in this OU, not in the OUs below it.'),
  path: chosen(
    z.string(),
    'Names from the top, each after a slash; `~` and `/` inside a name are written `~0` and `~1`.',
  ),
});

/** An OU as the portal returns it. */
export type UnitBody = z.output<typeof unitSchema>;

/** All OUs of a tenant, in order of creation. */
export const readUnits = async (db: Kysely<Tables>, tenantId: number): Promise<UnitBody[]> => {
  const rows = await rowsOf(db, 'organization_units', { tenantId });
  const counts = await db
    .selectFrom('memberships')
    .select(['organization_unit_id', (builder) => builder.fn.countAll<number>().as('count')])
    .where('tenant_id', '=', tenantId)
    .groupBy('organization_unit_id')
    .execute();
  const countOf = new Map(counts.map((row) => [row.organization_unit_id, row.count]));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const pathOf = (id: number | null): string => {
    const row = id === null ? undefined : byId.get(id);
    return row === undefined
      ? ''
      : `${pathOf(row.parent_id)}/${row.name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  };
  return rows.map((row) => ({
    id: String(row.id),
    name: row.name,
    parentId: row.parent_id === null ? rootOrganizationUnitId : String(row.parent_id),
    directoryGroupId: row.directory_group_id,
    memberCount: countOf.get(row.id) ?? 0,
    path: pathOf(row.id),
  }));
};
