import type { ItemInput, RoleInput } from '@vitrine/contract/service';
import { PortalError } from '../../errors/portalError.ts';
import type { Item } from '../../resources/item.ts';
import {
  joinUnitPath,
  type OrganizationUnitTree,
  splitUnitPath,
} from '../../resources/organizationUnitTree.ts';
import type { Role } from '../../resources/role.ts';
import type { DesiredOrganizationUnit, Rows } from '../desiredState.ts';
import type { PlanConflict, PlanWarning, StructureAction } from './syncPlan.ts';

/** The plan of one part. */
export interface PartPlan {
  readonly actions: readonly StructureAction[];
  readonly conflicts: readonly PlanConflict[];
  readonly warnings: readonly PlanWarning[];
  readonly unchanged: number;
}

/** Plans roles to create, identified by code, or without one by name and type. */
export const planRoles = async (desired: Rows<RoleInput>, existing: readonly Role[]): Promise<PartPlan> => {
  const part = newPart();
  const known = new Map(existing.map((role) => [roleKey(role), role]));
  const seen = new Set<string>();
  for await (const role of desired) {
    const key = roleKey(role);
    if (seen.has(key)) {
      part.conflicts.push({ code: 'duplicate_row', key, message: `The role ${key} is listed twice.` });
      continue;
    }
    seen.add(key);
    const there = known.get(key);
    if (there === undefined) part.actions.push({ action: 'create', resource: 'role', key, input: role });
    else {
      part.unchanged += 1;
      if (there.name !== role.name || there.type !== role.type)
        part.warnings.push(cannotBeChanged(`The role ${key} has another name or type`));
    }
  }
  return part;
};

/** Plans units to create, every parent before its children. */
export const planOrganizationUnits = async (
  desired: Rows<DesiredOrganizationUnit>,
  tree: OrganizationUnitTree,
): Promise<PartPlan> => {
  const part = newPart();
  const planned = new Set<string>();
  const plan = (path: string, directoryGroupId: string | null | undefined) => {
    const names = splitUnitPath(path);
    if (names.length === 0)
      throw new PortalError(
        `The path of an organizational unit is empty: ${JSON.stringify(path)}. Write it as /Customers/Acme.`,
        { kind: 'config', code: 'bad_unit_path' },
      );
    const paths = names.map((_, index) => names.slice(0, index + 1).reduce(joinUnitPath, ''));
    const key = paths.at(-1) ?? '';
    const ambiguous = paths.find((above) => above !== key && tree.findPath(above).length > 1);
    if (ambiguous !== undefined && tree.findPath(key).length === 0) {
      const message = `The parent ${ambiguous} of the new unit ${key} matches several units.`;
      part.conflicts.push({ code: 'ambiguous_organization_unit', key, message });
      return;
    }
    names.reduce((parentPath, name, index) => {
      const key = joinUnitPath(parentPath, name);
      const isLast = index === names.length - 1;
      const there = tree.findPath(key);
      if (there.length > 0) {
        if (isLast) part.unchanged += 1;
        const group = there[0]?.unit.directoryGroupId ?? undefined;
        if (isLast && directoryGroupId && group?.toLowerCase() !== directoryGroupId.toLowerCase())
          part.warnings.push(cannotBeChanged(`The unit ${key} is linked to another security group`));
      } else if (!planned.has(key)) {
        planned.add(key);
        part.actions.push({
          action: 'create',
          resource: 'organizationUnit',
          key,
          name,
          parentPath,
          ...(isLast && directoryGroupId && { directoryGroupId }),
        });
      }
      return key;
    }, '');
  };
  for await (const { path, directoryGroupId } of desired) plan(path, directoryGroupId);
  return part;
};

/** Plans items to import, identified by workspace and report of the BI platform. */
export const planItems = async (desired: Rows<ItemInput>, existing: readonly Item[]): Promise<PartPlan> => {
  const part = newPart();
  const known = new Map(existing.map((item) => [itemKey(item), item]));
  const seen = new Set<string>();
  for await (const item of desired) {
    const key = itemKey(item);
    if (seen.has(key)) {
      part.conflicts.push({ code: 'duplicate_row', key, message: `The item ${key} is listed twice.` });
      continue;
    }
    seen.add(key);
    const there = known.get(key);
    if (there === undefined) part.actions.push({ action: 'create', resource: 'item', key, input: item });
    else {
      part.unchanged += 1;
      if (there.displayName !== item.displayName)
        part.warnings.push(cannotBeChanged(`The item ${key} has another display name`));
    }
  }
  return part;
};

/** The identity of a role. */
export const roleKey = (role: {
  readonly name?: string;
  readonly type?: string;
  readonly code?: string | null;
}): string => (role.code ? `code ${role.code}` : `${role.type ?? ''} ${role.name ?? ''}`.trim());

/** The identity of an item. */
export const itemKey = (item: { readonly workspaceId?: string; readonly reportId?: string }): string =>
  `${item.workspaceId ?? ''}/${item.reportId ?? ''}`.toLowerCase();

const cannotBeChanged = (what: string): PlanWarning => ({
  code: 'cannot_be_changed',
  message: `${what} than in the source. The interface cannot change it: change it in the portal.`,
});

const newPart = () => ({
  // Mutable here; returned as read-only lists.
  actions: [] as StructureAction[],
  conflicts: [] as PlanConflict[],
  warnings: [] as PlanWarning[],
  unchanged: 0,
});
