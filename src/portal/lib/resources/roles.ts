import { resources } from '@vitrine/contract/service';
import { fieldSchema } from '@vitrine/contract/service/schemas';
import { z } from 'zod';
import { change } from '../change.ts';
import { newRole, serviceRow } from '../database/rows.ts';
import type { Row } from '../database/schema.ts';
import {
  changeRow,
  countBy,
  findRow,
  insertRow,
  type Place,
  removeRow,
  rowsOf,
  updateRow,
} from '../database/tenantRows.ts';
import { conflict, invalidField } from '../http/portalFailure.ts';
import { nameKey } from '../nameKey.ts';
import { type Route, serviceRoute, tenantRoute, wholeList } from '../route.ts';
import { rowRuleSchema } from '../rowSecurity.ts';

/** What the console shows of roles beyond the service's own list: their rules, and how many users have them. */
export const roleExtras = async (place: Place) => {
  const countOf = await countBy(place, 'user_roles', 'roleId');
  return (await rowsOf(place, 'roles')).map(({ id, rule }) => ({
    id,
    rule,
    userCount: countOf.get(id) ?? 0,
  }));
};

/** The rows with these names, each once; 400 for the place of a name that is not known. */
export const rowsNamed = <TRow>(
  names: readonly string[],
  known: ReadonlyMap<string, TRow>,
  field: string,
  problem: string,
): TRow[] => {
  const rows = names.map((name, place) => {
    const row = known.get(name);
    if (row === undefined) throw invalidField(`${field}[${place}]`, problem);
    return row;
  });
  return [...new Set(rows)];
};

/** The roles with these names; 400 for a name that does not exist. */
export const findRoles = async (place: Place, names: readonly string[]): Promise<Row<'roles'>[]> => {
  const roles = names.length === 0 ? [] : await rowsOf(place, 'roles');
  const known = new Map(roles.map((role) => [role.nameKey, role]));
  return rowsNamed(names.map(nameKey), known, 'roles', 'is not the name of a role of this tenant');
};

/** Refuses the name and the code of another role. */
const refuseTaken = async (
  place: Place,
  role: { readonly id?: number; readonly name: string; readonly code: string | null },
): Promise<void> => {
  const others = (await rowsOf(place, 'roles')).filter(({ id }) => id !== role.id);
  if (others.some((other) => other.nameKey === nameKey(role.name)))
    throw conflict('name', 'another role of this tenant has this name');
  if (role.code !== null && others.some(({ code }) => code?.normalize() === role.code?.normalize()))
    throw conflict('code', 'another role of this tenant has this code');
};

/** Renames a role in all items, or removes it from them; returns their numbers. */
const renameInItems = async (place: Place, before: string, after?: string): Promise<number[]> => {
  const isNamed = (name: string) => nameKey(name) === nameKey(before);
  const items = (await rowsOf(place, 'items')).filter(({ roles }) => roles.some(isNamed));
  for (const { id, roles } of items)
    await updateRow(place, 'items', id, {
      roles: roles.flatMap((name) => (isNamed(name) ? (after ?? []) : [name])),
    });
  return items.map(({ id }) => id);
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
    wholeList(async (place) => (await rowsOf(place, 'roles')).map((row) => serviceRow('role', row))),
  ),
  serviceRoute('createRole', (call) =>
    change(call, 'RoleCreated', async (changing) => {
      const { name, type, code = null } = call.body;
      await refuseTaken(changing, { name, code });
      const row = await insertRow(changing.db, 'roles', newRole(changing, call.body));
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
        const role = await findRow(changing, 'roles', call.params['roleId'], 'roleId');
        const { name = role.name, description = role.description, code = role.code, rule } = call.body;
        if (rule !== undefined && rule !== null && role.type !== 'RLS')
          throw invalidField('rule', 'is only for RLS roles');
        await refuseTaken(changing, { id: role.id, name, code });
        if (name !== role.name) await renameInItems(changing, role.name, name);
        await updateRow(changing, 'roles', role.id, { nameKey: nameKey(name) });
        return changeRow(changing, 'roles', role, { name, description, code, rule });
      }),
  }),
  tenantRoute(
    'DELETE /roles/{roleId}',
    'Removes a role, also from users and items. Its code in existing keys no longer opens rows.',
    {
      refusals: [409],
      handle: (call) =>
        change(call, 'RoleRemoved', async (changing) => {
          const role = await findRow(changing, 'roles', call.params['roleId'], 'roleId');
          if (role.isSystem) throw conflict('roleId', 'is a role of the service and cannot be removed');
          const lost = changing.db.deleteFrom('user_roles').where('roleId', '=', role.id);
          const userIds = (await lost.returning('userId').execute()).map(({ userId }) => userId);
          const itemIds = await renameInItems(changing, role.name);
          return { ...(await removeRow(changing, 'roles', role)), details: { userIds, itemIds } };
        }),
    },
  ),
];
