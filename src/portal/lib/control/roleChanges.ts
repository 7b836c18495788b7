import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { Tables } from '../database/schema.ts';
import { conflict, invalidField, notFound } from '../http/portalFailure.ts';
import type { rowRuleSchema } from '../rowSecurity.ts';
import { type ControlledTenant, controlChange } from './controlChange.ts';
import type { roleChangeSchema } from './controlSchemas.ts';

const findRole = (db: Kysely<Tables>, tenantId: number, roleId: number) =>
  db
    .selectFrom('roles')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', roleId)
    .executeTakeFirstOrThrow(() => notFound('The role', 'roleId'));

/** Renames a role in all items, or removes it from them. */
const renameInItems = async (
  db: Kysely<Tables>,
  tenantId: number,
  { before, after }: { readonly before: string; readonly after: string | undefined },
): Promise<void> => {
  const items = await db
    .selectFrom('items')
    .select(['id', 'roles'])
    .where('tenant_id', '=', tenantId)
    .execute();
  for (const item of items) {
    // The service and the seed write it as a JSON array of strings.
    const names = JSON.parse(item.roles) as string[];
    if (!names.includes(before)) continue;
    const roles = names.flatMap((name) => (name === before ? (after === undefined ? [] : [after]) : [name]));
    await db
      .updateTable('items')
      .set({ roles: JSON.stringify(roles) })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', item.id)
      .execute();
  }
};

const refuseTaken = async (
  db: Kysely<Tables>,
  role: { readonly id: number; readonly tenant_id: number },
  { name, code }: z.output<typeof roleChangeSchema>,
): Promise<void> => {
  const others = await db
    .selectFrom('roles')
    .select(['name_key', 'code'])
    .where('tenant_id', '=', role.tenant_id)
    .where('id', '!=', role.id)
    .execute();
  if (others.some((other) => other.name_key === name?.toLowerCase()))
    throw conflict('name', 'another role of this tenant has this name');
  if (code !== undefined && others.some((other) => other.code === code))
    throw conflict('code', 'another role of this tenant has this code');
};

/** Changes a role: its name, its code and its row rule. */
export const changeRole = (
  place: ControlledTenant,
  roleId: number,
  change: z.output<typeof roleChangeSchema>,
): Promise<void> =>
  controlChange(place, async ({ db, tenantId }) => {
    const role = await findRole(db, tenantId, roleId);
    const { name = role.name, description = role.description, code = role.code, rule } = change;
    if (rule !== undefined && rule !== null && role.type !== 'RLS')
      throw invalidField('rule', 'is only for RLS roles');
    await refuseTaken(db, role, change);
    await db
      .updateTable('roles')
      .set({
        name,
        name_key: name.toLowerCase(),
        description,
        code,
        ...(rule !== undefined && { rule: rule === null ? null : JSON.stringify(rule) }),
      })
      .where('id', '=', role.id)
      .execute();
    if (name !== role.name) await renameInItems(db, tenantId, { before: role.name, after: name });
    return {
      actionType: 'RoleUpdated',
      resourceType: 'Role',
      resourceId: role.id,
      description: `The role "${name}" was changed.`,
      details: { fields: Object.keys(change) },
    };
  });

/** Sets the row rule of the RLS role with this code. */
export const setRule = (
  place: ControlledTenant,
  code: string,
  rule: z.output<typeof rowRuleSchema>,
): Promise<void> =>
  controlChange(place, async ({ db, tenantId }) => {
    const role = await db
      .updateTable('roles')
      .set({ rule: JSON.stringify(rule) })
      .where('tenant_id', '=', tenantId)
      .where('code', '=', code)
      .returning(['id', 'name'])
      .executeTakeFirstOrThrow(() => notFound('The role', 'code'));
    return {
      actionType: 'RoleUpdated',
      resourceType: 'Role',
      resourceId: role.id,
      description: `The rule of the role "${role.name}" was changed.`,
      details: { code, rule },
    };
  });

/** Removes a role, also from users and items. Its code in existing keys no longer opens rows. */
export const removeRole = (place: ControlledTenant, roleId: number): Promise<void> =>
  controlChange(place, async ({ db, tenantId }) => {
    const role = await findRole(db, tenantId, roleId);
    if (role.is_system === 1) throw conflict('roleId', 'is a role of the service and cannot be removed');
    await db.deleteFrom('user_roles').where('role_id', '=', role.id).execute();
    await renameInItems(db, tenantId, { before: role.name, after: undefined });
    await db.deleteFrom('roles').where('id', '=', role.id).execute();
    return {
      actionType: 'RoleUpdated',
      resourceType: 'Role',
      resourceId: role.id,
      description: `The role "${role.name}" was removed.`,
    };
  });
