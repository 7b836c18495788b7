import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { recordedChange } from '../audit/recordedChange.ts';
import type { Tables } from '../database/tables/tables.ts';
import { conflict, invalidField, notFound } from '../http/portalFailure.ts';
import type { Services, Tenant } from '../services.ts';
import { controlActor } from './controlActor.ts';
import type { roleChangeSchema } from './controlSchemas.ts';

const findRole = async (db: Kysely<Tables>, tenant: Tenant, roleId: number) => {
  const role = await db
    .selectFrom('roles')
    .selectAll()
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', roleId)
    .executeTakeFirst();
  if (role === undefined) throw notFound('The role', 'roleId');
  return role;
};

/** Items name their roles; this renames one of them everywhere, or takes it out. */
const renameInItems = async (
  db: Kysely<Tables>,
  tenant: Tenant,
  { before, after }: { readonly before: string; readonly after: string | undefined },
): Promise<void> => {
  const items = await db
    .selectFrom('items')
    .select(['id', 'roles'])
    .where('tenant_id', '=', tenant.id)
    .execute();
  for (const item of items) {
    // Written as a JSON array of texts by the service and the seed.
    const names = JSON.parse(item.roles) as string[];
    if (!names.includes(before)) continue;
    const roles = names.flatMap((name) => (name === before ? (after === undefined ? [] : [after]) : [name]));
    await db
      .updateTable('items')
      .set({ roles: JSON.stringify(roles) })
      .where('tenant_id', '=', tenant.id)
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

/** What {@link changeRole} and {@link removeRole} work with. */
export interface RoleOfTenant {
  readonly services: Services;
  readonly tenant: Tenant;
  readonly roleId: number;
}

/** Changes a role: its name, its code, and the rows that it opens. */
export const changeRole = (
  { services, tenant, roleId }: RoleOfTenant,
  change: z.output<typeof roleChangeSchema>,
): Promise<void> =>
  recordedChange(services, tenant.id, async ({ db, record }) => {
    const role = await findRole(db, tenant, roleId);
    const { name, description, code, rule } = change;
    if (rule !== undefined && rule !== null && role.type !== 'RLS')
      throw invalidField('rule', 'is for RLS roles; roles of other types open no rows');
    await refuseTaken(db, role, change);
    await db
      .updateTable('roles')
      .set({
        name: name ?? role.name,
        name_key: (name ?? role.name).toLowerCase(),
        description: description ?? role.description,
        code: code ?? role.code,
        ...(rule !== undefined && { rule: rule === null ? null : JSON.stringify(rule) }),
      })
      .where('id', '=', role.id)
      .execute();
    if (name !== undefined && name !== role.name)
      await renameInItems(db, tenant, { before: role.name, after: name });
    await record({
      actionType: 'RoleUpdated',
      actor: controlActor,
      resourceType: 'Role',
      resourceId: role.id,
      description: `The role "${name ?? role.name}" was changed.`,
      details: { fields: Object.keys(change) },
    });
  });

/** Removes a role, from users and items too. Keys that name its code open no rows by it any more. */
export const removeRole = ({ services, tenant, roleId }: RoleOfTenant): Promise<void> =>
  recordedChange(services, tenant.id, async ({ db, record }) => {
    const role = await findRole(db, tenant, roleId);
    if (role.is_system === 1)
      throw conflict('roleId', 'is a role of the service itself, which cannot be removed');
    await db.deleteFrom('user_roles').where('role_id', '=', role.id).execute();
    await renameInItems(db, tenant, { before: role.name, after: undefined });
    await db.deleteFrom('roles').where('id', '=', role.id).execute();
    await record({
      actionType: 'RoleUpdated',
      actor: controlActor,
      resourceType: 'Role',
      resourceId: role.id,
      description: `The role "${role.name}" was removed.`,
    });
  });
