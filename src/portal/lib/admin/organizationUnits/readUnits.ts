import { rootOrganizationUnitId, type ServiceRow } from '@vitrine/contract/service';
import type { Kysely } from 'kysely';
import { rowsOf } from '../../database/rowsOf.ts';
import type { Tables } from '../../database/schema.ts';

/** An OU as the portal returns it. */
export type UnitBody = ServiceRow<'organizationUnit'>;

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
