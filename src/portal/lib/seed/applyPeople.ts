import { emailKey, rootOrganizationUnitId } from '@vitrine/contract/service';
import { insertAll } from '../database/insertAll.ts';
import type { SeedContext } from './seedContext.ts';
import type { SeedTenant } from './seedSchema.ts';

/** Numbers of resources by their names in a seed. */
type Numbers = ReadonlyMap<string, number>;

const known = (ids: Numbers, name: string, what: string): number => {
  const id = ids.get(name);
  if (id === undefined)
    throw new Error(`The seed uses the ${what} "${name}", but does not declare it before this line.`);
  return id;
};

/** Writes a tenant's roles, units, directory and users. */
export const applyPeople = async (context: SeedContext, seed: SeedTenant): Promise<void> => {
  const roleIds = await applyRoles(context, seed);
  const unitIds = await applyUnits(context, seed);
  await applyDirectory(context, seed);
  await applyUsers(context, seed, { roleIds, unitIds });
};

const applyRoles = async ({ db, nowMs }: SeedContext, seed: SeedTenant): Promise<Numbers> => {
  const roleIds = new Map<string, number>();
  for (const role of seed.roles) {
    const { id } = await db
      .insertInto('roles')
      .values({
        tenant_id: seed.tenantId,
        created_at: nowMs,
        name: role.name,
        name_key: role.name.toLowerCase(),
        type: role.type,
        code: role.code ?? null,
        description: role.description,
        is_system: Number(role.isSystem),
        rule: role.rule === undefined ? null : JSON.stringify(role.rule),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    roleIds.set(role.name, id);
  }
  return roleIds;
};

const applyUnits = async ({ db, nowMs }: SeedContext, seed: SeedTenant): Promise<Numbers> => {
  const unitIds = new Map<string, number>();
  for (const unit of seed.organizationUnits) {
    const { id } = await db
      .insertInto('organization_units')
      .values({
        tenant_id: seed.tenantId,
        created_at: nowMs,
        name: unit.name,
        parent_id:
          unit.parentId === rootOrganizationUnitId
            ? null
            : known(unitIds, unit.parentId, 'organizational unit'),
        directory_group_id: unit.directoryGroupId ?? null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    unitIds.set(unit.id, id);
  }
  return unitIds;
};

/** Writes an identity directory: its people, and its groups with their members. */
export const applyDirectory = async (
  { db }: Pick<SeedContext, 'db'>,
  { tenantId: tenant_id, directory }: Pick<SeedTenant, 'tenantId' | 'directory'>,
): Promise<void> => {
  const { people, groups } = directory;
  await insertAll(
    db,
    'directory_people',
    people.map((person) => ({
      tenant_id,
      id: person.id,
      email: person.email,
      first_name: person.firstName,
      last_name: person.lastName,
      type: person.type,
    })),
  );
  await insertAll(
    db,
    'directory_groups',
    groups.map((group) => ({ tenant_id, id: group.id, name: group.name })),
  );
  await insertAll(
    db,
    'directory_members',
    groups.flatMap((group) =>
      group.members.map((person_id) => ({ tenant_id, group_id: group.id, person_id })),
    ),
  );
};

const applyUsers = async (
  { db, nowMs }: SeedContext,
  seed: SeedTenant,
  { roleIds, unitIds }: { readonly roleIds: Numbers; readonly unitIds: Numbers },
): Promise<void> => {
  const tenant_id = seed.tenantId;
  await insertAll(
    db,
    'users',
    seed.users.map((user) => ({
      tenant_id,
      type: user.type,
      email: user.email,
      email_key: emailKey(user.email),
      first_name: user.firstName,
      last_name: user.lastName,
      is_active: 1,
      directory_person_id: null,
      created_at: nowMs,
      updated_at: nowMs,
      last_login_at: user.lastLoginAt === undefined ? null : Date.parse(user.lastLoginAt),
    })),
  );
  const rows = await db
    .selectFrom('users')
    .select(['id', 'email_key'])
    .where('tenant_id', '=', tenant_id)
    .execute();
  const userIds = new Map(rows.map((row) => [row.email_key, row.id]));
  const users = seed.users.map((user) => ({
    ...user,
    user_id: known(userIds, emailKey(user.email), 'user'),
  }));
  await insertAll(
    db,
    'user_roles',
    users.flatMap(({ user_id, roles }) =>
      roles.map((name) => ({ tenant_id, user_id, role_id: known(roleIds, name, 'role') })),
    ),
  );
  await insertAll(
    db,
    'memberships',
    users.flatMap(({ user_id, organizationUnits }) =>
      organizationUnits.map((name) => ({
        tenant_id,
        user_id,
        organization_unit_id: known(unitIds, name, 'organizational unit'),
        source: 'manual',
      })),
    ),
  );
};
