import { isDeepStrictEqual } from 'node:util';
import {
  type ResourceName,
  resources,
  rootOrganizationUnitId,
  type ServiceField,
  type ServiceInput,
} from '@vitrine/contract/service';
import type { Kysely } from 'kysely';
import { openDatabase } from '../database/openDatabase.ts';
import type { Row, Tables } from '../database/schema.ts';
import { rowsOf } from '../database/tenantRows.ts';
import type { ReportKind } from '../reports/shared/reportKinds.ts';
import type { RowRule } from '../rowSecurity.ts';
import { derivedGuid, developmentWebhookSecret } from './derived.ts';
import type { PortalSeed } from './portalSeed.ts';

/** Reads a portal's state as a seed, without secrets: the database does not have them, or must not reveal them. */
export const readSeed = async (db: Kysely<Tables>): Promise<PortalSeed> => {
  const tenants = await db.selectFrom('tenants').selectAll().orderBy('id').execute();
  return { tenants: await Promise.all(tenants.map((tenant) => readTenant(db, tenant))) };
};

/** Opens a database and reads its state as a seed. */
export const exportSeed = async (address: string): Promise<PortalSeed> => {
  const database = await openDatabase(address);
  try {
    return await readSeed(database.db);
  } finally {
    await database.close();
  }
};

/** The fields that create a row like this one, without those that are null or have their default. */
const inputOf = <TName extends ResourceName>(
  name: TName,
  row: Readonly<Partial<Record<keyof ServiceInput<TName>, unknown>>>,
): ServiceInput<TName> => {
  const values: Readonly<Record<string, unknown>> = row;
  const fields: readonly [string, ServiceField][] = Object.entries(resources[name].fields);
  const given = fields.filter(
    ([field, { create, default: usual }]) =>
      create !== undefined && (values[field] ?? null) !== null && !isDeepStrictEqual(values[field], usual),
  );
  // Only values of the resource's schema are written.
  return Object.fromEntries(given.map(([field]) => [field, values[field]])) as ServiceInput<TName>;
};

const readTenant = async (
  db: Kysely<Tables>,
  { id: tenantId, tenancyName, displayName, frameAncestors }: Row<'tenants'>,
): Promise<PortalSeed['tenants'][number]> => {
  const read = <TTable extends keyof Tables>(table: TTable, orderBy = 'id') =>
    rowsOf({ db, tenantId }, table, orderBy);
  const roles = await read('roles');
  const roleNames = new Map(roles.map(({ id, name }) => [id, name]));
  const rolesOf = Map.groupBy(await read('user_roles', 'roleId'), ({ userId }) => userId);
  const unitsOf = Map.groupBy(await read('memberships', 'organizationUnitId'), ({ userId }) => userId);
  const [stored] = await read('directories', 'tenantId');
  return {
    tenantId,
    tenancyName,
    displayName,
    frameAncestors,
    roles: roles.map((role) => ({
      ...inputOf('role', role),
      ...(role.isSystem && { isSystem: true }),
      // As above.
      ...(role.rule !== null && { rule: role.rule as RowRule }),
    })),
    organizationUnits: parentsFirst(await read('organization_units')).map((unit) => ({
      id: `unit-${unit.id}`,
      ...inputOf('organizationUnit', {
        ...unit,
        parentId: unit.parentId === null ? rootOrganizationUnitId : `unit-${unit.parentId}`,
      }),
    })),
    users: (await read('users')).map((user) =>
      inputOf('user', {
        ...user,
        roles: rolesOf.get(user.id)?.map(({ roleId }) => roleNames.get(roleId)),
        organizationUnits: unitsOf.get(user.id)?.map((unit) => `unit-${unit.organizationUnitId}`),
      }),
    ),
    directory: stored?.directory,
    items: (await read('items')).map((item) => ({
      id: item.id,
      ...(item.guid !== derivedGuid(`item:${tenancyName}:${item.id}`) && { guid: item.guid }),
      ...inputOf('item', item),
      // A seed without it gets a semantic model.
      additionalData: item.additionalData,
      hasRls: item.hasRls,
      report: item.report as ReportKind,
    })),
    tasks: (await read('tasks')).map((task) => ({
      ...inputOf('task', task),
      ...(task.itemId !== null && { itemId: task.itemId }),
      ...(task.webhookUrl !== null && { webhookUrl: task.webhookUrl }),
      // Left out, it would send the secret of the others to its own address.
      ...(task.secret !== developmentWebhookSecret(tenancyName) && { secret: null }),
    })),
    slideshows: (await read('links'))
      .filter(({ kind, revokedAt }) => kind === 'slideshow' && revokedAt === null)
      .map(({ name, itemId }) => ({ name, itemId })),
  };
};

/** A unit may have been moved below a younger one. */
const parentsFirst = (rows: readonly Row<'organization_units'>[]): readonly Row<'organization_units'>[] => {
  const unitsBelow = Map.groupBy(rows, (row) => row.parentId);
  const inOrder = (parentId: number | null): Row<'organization_units'>[] =>
    (unitsBelow.get(parentId) ?? []).flatMap((row) => [row, ...inOrder(row.id)]);
  return inOrder(null);
};
