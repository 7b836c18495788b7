import { emailKey } from '@vitrine/contract/service';
import type { Kysely } from 'kysely';
import { type Param, preparedQuery } from '../../database/preparedQuery.ts';
import type { Tables } from '../../database/schema.ts';
import { conflict, invalidField } from '../../http/portalFailure.ts';

/** The change in which references are looked up and written. */
export interface UserPlace {
  readonly db: Kysely<Tables>;
  readonly tenantId: number;
}

/** Numbers of the roles with these names; 400 for a name that does not exist. */
export const findRoleIds = async (
  { db, tenantId }: UserPlace,
  names: readonly string[],
): Promise<number[]> => {
  if (names.length === 0) return [];
  const keys = names.map((name) => name.toLowerCase());
  const roles = await db
    .selectFrom('roles')
    .select(['id', 'name_key'])
    .where('tenant_id', '=', tenantId)
    .where('name_key', 'in', keys)
    .execute();
  const ids = new Map(roles.map((role) => [role.name_key, role.id]));
  return [
    ...new Set(
      keys.map((key, place) => {
        const id = ids.get(key);
        if (id === undefined)
          throw invalidField(`roles[${place}]`, 'is not the name of a role of this tenant');
        return id;
      }),
    ),
  ];
};

/** Numbers of the OUs with these identifiers; 400 for one that does not exist. */
export const findUnitIds = async ({ db, tenantId }: UserPlace, ids: readonly string[]): Promise<number[]> => {
  if (ids.length === 0) return [];
  const numbers = ids.map((id) => (/^[1-9]\d{0,8}$/.test(id) ? Number(id) : 0));
  const units = await db
    .selectFrom('organization_units')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', numbers)
    .execute();
  const known = new Set(units.map((unit) => unit.id));
  const missing = numbers.findIndex((id) => !known.has(id));
  if (missing >= 0)
    throw invalidField(
      `organizationUnits[${missing}]`,
      'is not the identifier of an organizational unit of this tenant',
    );
  return [...new Set(numbers)];
};

/** Sets the roles of a user. */
export const replaceRoles = async (
  { db, tenantId }: UserPlace,
  userId: number,
  roleIds: readonly number[],
): Promise<void> => {
  await db.deleteFrom('user_roles').where('user_id', '=', userId).execute();
  if (roleIds.length > 0)
    await db
      .insertInto('user_roles')
      .values(roleIds.map((role_id) => ({ tenant_id: tenantId, user_id: userId, role_id })))
      .execute();
};

/** Sets the OUs of a user; remaining memberships from the directory keep their origin. */
export const replaceUnits = async (
  { db, tenantId }: UserPlace,
  userId: number,
  unitIds: readonly number[],
): Promise<void> => {
  await db
    .deleteFrom('memberships')
    .where('user_id', '=', userId)
    .$if(unitIds.length > 0, (query) => query.where('organization_unit_id', 'not in', [...unitIds]))
    .execute();
  if (unitIds.length > 0)
    await db
      .insertInto('memberships')
      .values(
        unitIds.map((organization_unit_id) => ({
          tenant_id: tenantId,
          user_id: userId,
          organization_unit_id,
          source: 'manual',
        })),
      )
      .onConflict((clash) => clash.columns(['user_id', 'organization_unit_id']).doNothing())
      .execute();
};

const findByEmail = preparedQuery((db, param: Param<{ tenantId: number; key: string }>) =>
  db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', param('tenantId'))
    .where('email_key', '=', param('key')),
);

/** Throws 409 if another user of the tenant has this address. */
export const requireFreeEmail = async (
  { db, tenantId }: UserPlace,
  email: string,
  ownId?: number,
): Promise<void> => {
  const [holder] = await findByEmail(db, { tenantId, key: emailKey(email) });
  if (holder !== undefined && holder.id !== ownId)
    throw conflict('email', 'another user of this tenant already has this address');
};
