import { emailKey, rootOrganizationUnitId } from '@vitrine/contract/service';
import type { z } from 'zod';

/** The parts of a tenant with references. */
interface References {
  readonly roles: readonly {
    readonly name: string;
    readonly type: string;
    readonly code?: string | undefined;
  }[];
  readonly organizationUnits: readonly { readonly id: string; readonly parentId: string }[];
  readonly users: readonly {
    readonly email: string;
    readonly roles: readonly string[];
    readonly organizationUnits: readonly string[];
  }[];
  readonly directory: {
    readonly people: readonly { readonly id: string }[];
    readonly groups: readonly { readonly members: readonly string[] }[];
  };
  readonly items: readonly { readonly id: number; readonly roles: readonly string[] }[];
  readonly tasks: readonly { readonly itemId?: number | undefined }[];
  readonly slideshows: readonly { readonly itemId: number }[];
}

type Path = readonly (string | number)[];

/** Finds undeclared names and duplicate numbers, with their positions in the file. */
export const checkReferences = (tenant: References, context: z.core.$RefinementCtx): void => {
  const refuse = (path: Path, message: string) => {
    context.addIssue({ code: 'custom', path: [...path], message });
  };
  const roleNames = new Set(tenant.roles.map((role) => role.name));
  const unitIds = new Set([rootOrganizationUnitId, ...tenant.organizationUnits.map((unit) => unit.id)]);
  const personIds = new Set(tenant.directory.people.map((person) => person.id));
  const itemIds = new Set(tenant.items.map((item) => item.id));
  const requireAll = (
    names: readonly string[],
    known: ReadonlySet<string>,
    { path, what }: { readonly path: Path; readonly what: string },
  ) => {
    for (const [place, name] of names.entries())
      if (!known.has(name))
        refuse([...path, place], `refers to the ${what} "${name}", which is not declared`);
  };

  for (const [place, role] of tenant.roles.entries())
    if (role.type === 'RLS' && role.code === undefined)
      refuse(['roles', place], 'is an RLS role and needs a code');
  const seenUnits = new Set([rootOrganizationUnitId]);
  for (const [place, unit] of tenant.organizationUnits.entries()) {
    if (!seenUnits.has(unit.parentId))
      refuse(
        ['organizationUnits', place, 'parentId'],
        unitIds.has(unit.parentId)
          ? `refers to the unit "${unit.parentId}", which must come before it`
          : `refers to the unit "${unit.parentId}", which is not declared`,
      );
    seenUnits.add(unit.id);
  }
  const seenEmails = new Set<string>();
  for (const [place, user] of tenant.users.entries()) {
    if (seenEmails.has(emailKey(user.email)))
      refuse(['users', place, 'email'], 'is also the address of another user');
    seenEmails.add(emailKey(user.email));
    requireAll(user.roles, roleNames, { path: ['users', place, 'roles'], what: 'role' });
    requireAll(user.organizationUnits, unitIds, {
      path: ['users', place, 'organizationUnits'],
      what: 'unit',
    });
  }
  for (const [place, group] of tenant.directory.groups.entries())
    requireAll(group.members, personIds, { path: ['directory', 'groups', place, 'members'], what: 'person' });
  const seenItems = new Set<number>();
  for (const [place, item] of tenant.items.entries()) {
    if (seenItems.has(item.id)) refuse(['items', place, 'id'], 'is also the ID of another item');
    seenItems.add(item.id);
    requireAll(item.roles, roleNames, { path: ['items', place, 'roles'], what: 'role' });
  }
  for (const list of ['tasks', 'slideshows'] as const)
    for (const [place, { itemId }] of tenant[list].entries())
      if (itemId !== undefined && !itemIds.has(itemId))
        refuse([list, place, 'itemId'], `refers to the item ${itemId}, which is not declared`);
};
