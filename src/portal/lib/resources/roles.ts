import { resources } from '@vitrine/contract/service';
import { fieldSchema } from '@vitrine/contract/service/schemas';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { type Change, change } from '../change.ts';
import { newRole, serviceRow } from '../database/rows.ts';
import { rowsOf } from '../database/rowsOf.ts';
import type { Tables } from '../database/schema.ts';
import { conflict, invalidField, notFound } from '../http/portalFailure.ts';
import { rowId } from '../http/rowId.ts';
import { nameKey } from '../nameKey.ts';
import { type Route, serviceRoute, tenantRoute, wholeList } from '../route.ts';
import { rowRuleSchema } from '../rowSecurity.ts';

/** What the console shows of roles beyond the service's own list: their rules, and how many users have them. */
export const roleExtras = async (db: Kysely<Tables>, tenantId: number) => {
  const counts = await db
    .selectFrom('user_roles')
    .select(['roleId', ({ fn }) => fn.countAll<number>().as('count')])
    .where('tenantId', '=', tenantId)
    .groupBy('roleId')
    .execute();
  const countOf = new Map(counts.map(({ roleId, count }) => [roleId, count]));
  return (await rowsOf(db, 'roles', { tenantId })).map(({ id, rule }) => ({
    id,
    rule,
    userCount: countOf.get(id) ?? 0,
  }));
};

/** Numbers of the roles with these names; 400 for a name that does not exist. */
export const findRoleIds = async (
  { db, tenantId }: Pick<Change, 'db' | 'tenantId'>,
  names: readonly string[],
): Promise<number[]> => {
  if (names.length === 0) return [];
  const roles = await rowsOf(db, 'roles', { tenantId });
  const ids = new Map(roles.map((role) => [role.nameKey, role.id]));
  const found = names.map((name, place) => {
    const id = ids.get(nameKey(name));
    if (id === undefined) throw invalidField(`roles[${place}]`, 'is not the name of a role of this tenant');
    return id;
  });
  return [...new Set(found)];
};

/** Refuses the name and the code of another role. */
const refuseTaken = async (
  { db, tenantId }: Change,
  role: { readonly id?: number; readonly name: string; readonly code: string | null },
): Promise<void> => {
  const others = (await rowsOf(db, 'roles', { tenantId })).filter(({ id }) => id !== role.id);
  if (others.some((other) => other.nameKey === nameKey(role.name)))
    throw conflict('name', 'another role of this tenant has this name');
  if (role.code !== null && others.some(({ code }) => code === role.code))
    throw conflict('code', 'another role of this tenant has this code');
};

const findRole = async ({ db, tenantId }: Change, given: string | undefined) =>
  db
    .selectFrom('roles')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', rowId(given, 'The role', 'roleId'))
    .executeTakeFirstOrThrow(() => notFound('The role', 'roleId'));

/** Renames a role in all items, or removes it from them. */
const renameInItems = async ({ db, tenantId }: Change, before: string, after?: string): Promise<void> => {
  for (const item of await rowsOf(db, 'items', { tenantId })) {
    const roles = item.roles.flatMap((name) => (nameKey(name) === nameKey(before) ? (after ?? []) : [name]));
    if (roles.join('\0') === item.roles.join('\0')) continue;
    await db
      .updateTable('items')
      .set({ roles })
      .where('tenantId', '=', tenantId)
      .where('id', '=', item.id)
      .execute();
  }
};

/** Body of a change to a role. A rule of null opens no rows. */
const roleChangeSchema = z.strictObject({
  name: fieldSchema(resources.role.fields.name).optional(),
  description: fieldSchema(resources.role.fields.description).optional(),
  code: fieldSchema(resources.role.fields.code).optional(),
  rule: rowRuleSchema.nullish(),
});

/** Roles (docs/interface.md#4.2), and their rules for rows. */
export const roleRoutes: readonly Route[] = [
  serviceRoute(
    'listRoles',
    wholeList(async ({ services, tenant }) =>
      (await rowsOf(services.db, 'roles', { tenantId: tenant.id })).map((row) => serviceRow('role', row)),
    ),
  ),
  serviceRoute('createRole', (call) =>
    change(call, 'RoleCreated', async (changing) => {
      const { name, type, code = null } = call.body;
      await refuseTaken(changing, { name, code });
      const row = await changing.db
        .insertInto('roles')
        .values(newRole(changing, call.body))
        .returningAll()
        .executeTakeFirstOrThrow();
      return {
        id: row.id,
        description: `The role "${name}" was created.`,
        details: { type, code },
        result: serviceRow('role', row),
      };
    }),
  ),
  tenantRoute('PATCH /roles/{roleId}', 'Changes a role and the rows that it shows.', {
    body: ['RoleChange', roleChangeSchema],
    refusals: [409],
    handle: (call) =>
      change(call, 'RoleUpdated', async (changing) => {
        const role = await findRole(changing, call.params['roleId']);
        const { name = role.name, description = role.description, code = role.code, rule } = call.body;
        if (rule !== undefined && rule !== null && role.type !== 'RLS')
          throw invalidField('rule', 'is only for RLS roles');
        await refuseTaken(changing, { id: role.id, name, code });
        await changing.db
          .updateTable('roles')
          .set({
            name,
            nameKey: nameKey(name),
            description,
            code,
            ...(rule !== undefined && { rule }),
          })
          .where('id', '=', role.id)
          .execute();
        if (name !== role.name) await renameInItems(changing, role.name, name);
        return {
          id: role.id,
          description: `The role "${name}" was changed.`,
          details: { fields: Object.keys(call.body) },
        };
      }),
  }),
  tenantRoute(
    'DELETE /roles/{roleId}',
    'Removes a role, also from users and items. Its code in existing keys no longer opens rows.',
    {
      refusals: [409],
      handle: (call) =>
        change(call, 'RoleRemoved', async (changing) => {
          const role = await findRole(changing, call.params['roleId']);
          if (role.isSystem) throw conflict('roleId', 'is a role of the service and cannot be removed');
          await changing.db.deleteFrom('user_roles').where('roleId', '=', role.id).execute();
          await renameInItems(changing, role.name);
          await changing.db.deleteFrom('roles').where('id', '=', role.id).execute();
          return { id: role.id, description: `The role "${role.name}" was removed.` };
        }),
    },
  ),
];
