import { type ItemAdditionalData, rootOrganizationUnitId } from '@vitrine/contract/service';
import type { Kysely } from 'kysely';
import { openDatabase } from '../database/openDatabase.ts';
import { rowsOf } from '../database/rowsOf.ts';
import type { Row, Tables } from '../database/schema.ts';
import type { ReportKind } from '../reports/shared/reportKinds.ts';
import { derivedGuid } from './derived.ts';
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

type SeedTenant = PortalSeed['tenants'][number];

const readTenant = async (db: Kysely<Tables>, tenant: Row<'tenants'>): Promise<SeedTenant> => {
  const roles = await rowsOf(db, 'roles', { tenantId: tenant.id });
  return {
    tenantId: tenant.id,
    tenancyName: tenant.tenancy_name,
    displayName: tenant.display_name,
    frameAncestors: tenant.frame_ancestors,
    roles: roles.map((role) => ({
      name: role.name,
      type: role.type,
      ...(role.code !== null && { code: role.code }),
      ...(role.description !== '' && { description: role.description }),
      ...(role.is_system === 1 && { isSystem: true }),
      ...(role.rule !== null && { rule: JSON.parse(role.rule) }),
    })),
    organizationUnits: await readUnits(db, tenant.id),
    users: await readUsers(db, tenant.id),
    directory: await readDirectory(db, tenant.id),
    ...(await readContent(db, tenant)),
  };
};

/** Units, parents first: a unit may have been moved below a younger one. */
const readUnits = async (db: Kysely<Tables>, tenantId: number): Promise<SeedTenant['organizationUnits']> => {
  const rows = await rowsOf(db, 'organization_units', { tenantId });
  const unitsBelow = Map.groupBy(rows, (row) => row.parent_id);
  const inOrder = (parentId: number | null): typeof rows =>
    (unitsBelow.get(parentId) ?? []).flatMap((row) => [row, ...inOrder(row.id)]);
  return inOrder(null).map((unit) => ({
    id: `unit-${unit.id}`,
    name: unit.name,
    parentId: unit.parent_id === null ? rootOrganizationUnitId : `unit-${unit.parent_id}`,
    ...(unit.directory_group_id !== null && { directoryGroupId: unit.directory_group_id }),
  }));
};

const readUsers = async (db: Kysely<Tables>, tenantId: number): Promise<SeedTenant['users']> => {
  const users = await rowsOf(db, 'users', { tenantId });
  const roles = await db
    .selectFrom('user_roles')
    .innerJoin('roles', 'roles.id', 'user_roles.role_id')
    .select(['user_roles.user_id', 'roles.name'])
    .where('user_roles.tenant_id', '=', tenantId)
    .orderBy('roles.id')
    .execute();
  const units = await db
    .selectFrom('memberships')
    .select(['user_id', 'organization_unit_id'])
    .where('tenant_id', '=', tenantId)
    .orderBy('organization_unit_id')
    .execute();
  const rolesOf = Map.groupBy(roles, (role) => role.user_id);
  const unitsOf = Map.groupBy(units, (unit) => unit.user_id);
  return users.map((user) => ({
    type: user.type,
    email: user.email,
    firstName: user.first_name,
    lastName: user.last_name,
    roles: (rolesOf.get(user.id) ?? []).map((role) => role.name),
    organizationUnits: (unitsOf.get(user.id) ?? []).map((unit) => `unit-${unit.organization_unit_id}`),
    ...(user.last_login_at !== null && { lastLoginAt: new Date(user.last_login_at).toISOString() }),
  }));
};

const readDirectory = async (db: Kysely<Tables>, tenantId: number): Promise<SeedTenant['directory']> => {
  const people = await rowsOf(db, 'directory_people', { tenantId, orderBy: 'email' });
  const groups = await rowsOf(db, 'directory_groups', { tenantId, orderBy: 'name' });
  const members = await rowsOf(db, 'directory_members', { tenantId, orderBy: 'person_id' });
  return {
    people: people.map((person) => ({
      id: person.id,
      email: person.email,
      firstName: person.first_name,
      lastName: person.last_name,
      type: person.type,
    })),
    groups: groups.map((group) => ({
      id: group.id,
      name: group.name,
      members: members.filter((member) => member.group_id === group.id).map((member) => member.person_id),
    })),
  };
};

const readContent = async (
  db: Kysely<Tables>,
  tenant: Row<'tenants'>,
): Promise<Pick<SeedTenant, 'items' | 'tasks' | 'slideshows'>> => {
  const items = await rowsOf(db, 'items', { tenantId: tenant.id });
  const tasks = await rowsOf(db, 'tasks', { tenantId: tenant.id });
  const links = await db
    .selectFrom('links')
    .selectAll()
    .where('tenant_id', '=', tenant.id)
    .where('kind', '=', 'slideshow')
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .execute();
  return {
    items: items.map((item) => ({
      id: item.id,
      ...(item.guid !== derivedGuid(`item:${tenant.tenancy_name}:${item.id}`) && { guid: item.guid }),
      type: item.type,
      workspaceId: item.workspace_id,
      reportId: item.report_id,
      displayName: item.display_name,
      // Only values of the schema are written, here and below.
      roles: JSON.parse(item.roles) as string[],
      additionalData: JSON.parse(item.additional_data) as ItemAdditionalData[],
      hasRls: item.has_rls === 1,
      report: item.report as ReportKind,
    })),
    tasks: tasks.map((task) => ({
      name: task.name,
      ...(task.description !== '' && { description: task.description }),
      kind: task.kind,
      ...(task.item_id !== null && { itemId: task.item_id }),
      visualNames: JSON.parse(task.visual_names) as string[],
      ...(task.webhook_url !== null && { webhookUrl: task.webhook_url }),
      ...(task.kind === 'webhook' && task.secret === null && { secret: null }),
      ...(task.query !== null && { query: task.query }),
      ...(task.is_enabled === 0 && { enabled: false }),
    })),
    slideshows: links.map((link) => ({ name: link.name, itemId: link.item_id })),
  };
};
