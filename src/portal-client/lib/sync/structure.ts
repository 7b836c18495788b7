import { quoteText } from '@vitrine/contract';
import type { ItemInput, RoleInput } from '@vitrine/contract/service';
import { PortalError } from '../errors.ts';
import type { Item, Role } from '../rows.ts';
import {
  joinUnitPath,
  type OrganizationUnitNode,
  type OrganizationUnitTree,
  splitUnitPath,
} from '../units.ts';
import type { PlanConflict, PlanWarning, StructureAction } from './syncPlan.ts';

/** Rows from an array, a stream, a generator or a database cursor. */
export type Rows<TRow> = Iterable<TRow> | AsyncIterable<TRow>;

/** A desired organizational unit; missing parents are created too. */
export interface DesiredOrganizationUnit {
  /** Names from the top, `/Customers/Acme`; `~1` stands for a slash inside a name, `~0` for `~`. */
  readonly path: string;
  /** GUID of the linked security group. Only used when the unit is created. */
  readonly directoryGroupId?: string | null | undefined;
}

/** The plan of one kind of resource. */
export interface PartPlan {
  readonly actions: StructureAction[];
  readonly conflicts: PlanConflict[];
  readonly warnings: PlanWarning[];
  unchanged: number;
}

/** An empty plan of a part. */
export const newPart = (): PartPlan => ({ actions: [], conflicts: [], warnings: [], unchanged: 0 });

/** Plans roles to create, identified by code, or without one by name and type. */
export const planRoles = (desired: readonly RoleInput[], existing: readonly Role[]): PartPlan =>
  planByKey(desired, existing, {
    noun: 'role',
    keyOf: roleKey,
    create: (key, input) => ({ action: 'create', resource: 'role', key, input }),
    difference: (role, there) =>
      sameName(there.name, role.name) && there.type === role.type ? undefined : 'name or type',
  });

/** Plans items to import, identified by workspace and report of the BI platform. */
export const planItems = (desired: readonly ItemInput[], existing: readonly Item[]): PartPlan =>
  planByKey(desired, existing, {
    noun: 'item',
    keyOf: itemKey,
    create: (key, input) => ({ action: 'create', resource: 'item', key, input }),
    difference: (item, there) => (sameName(there.displayName, item.displayName) ? undefined : 'display name'),
  });

const planByKey = <TInput extends object, TRow extends object>(
  desired: readonly TInput[],
  existing: readonly TRow[],
  kind: {
    readonly noun: string;
    readonly keyOf: (row: TInput | TRow) => string;
    readonly create: (key: string, input: TInput) => StructureAction;
    /** Which fields differ from those in the source. */
    readonly difference: (input: TInput, there: TRow) => string | undefined;
  },
): PartPlan => {
  const part = newPart();
  const known = new Map(existing.map((row) => [kind.keyOf(row), row]));
  const seen = new Set<string>();
  for (const input of desired) {
    const key = kind.keyOf(input);
    const there = known.get(key);
    if (seen.has(key))
      part.conflicts.push({
        code: 'duplicate_row',
        key,
        message: `The ${kind.noun} ${key} is listed twice.`,
      });
    else if (there === undefined) part.actions.push(kind.create(key, input));
    else {
      part.unchanged += 1;
      const difference = kind.difference(input, there);
      if (difference !== undefined)
        part.warnings.push(cannotBeChanged(`The ${kind.noun} ${key} has another ${difference}`));
    }
    seen.add(key);
  }
  return part;
};

/** Plans units to create, and finds those of rows. */
export const createUnitPlan = (tree: OrganizationUnitTree) => {
  const part = newPart();
  const planned = new Set<string>();
  return {
    part,
    /** The path of a unit in the form in which paths are compared: NFC, trimmed names, without a slash at the end. */
    pathOf: (reference: string): string =>
      splitUnitPath(reference)
        .map((name) => name.trim())
        .filter((name) => name !== '')
        .reduce(joinUnitPath, ''),
    /** The identifier of a unit, its path if the plan creates it, or why neither. */
    find: (path: string): { readonly id: string } | 'unknown' | 'ambiguous' => {
      const found = tree.findPath(path);
      if (found.length > 1) return 'ambiguous';
      if (found[0] !== undefined) return { id: found[0].unit.id };
      return planned.has(path) ? { id: path } : 'unknown';
    },
    byId: (id: string): { readonly id: string } | 'unknown' =>
      tree.find(id) === undefined ? 'unknown' : { id },
    /** Plans a unit with its missing parents, every parent before its children. */
    add: (path: string, directoryGroupId?: string | null): void => {
      const names = splitUnitPath(path);
      if (names.length === 0)
        throw new PortalError(
          `The path of an organizational unit is empty: ${quoteText(path)}. Write it as /Customers/Acme.`,
          { kind: 'config', code: 'bad_unit_path' },
        );
      const paths = names.map((_, index) => names.slice(0, index + 1).reduce(joinUnitPath, ''));
      const key = paths.at(-1) ?? '';
      const [there] = tree.findPath(key);
      if (there !== undefined) {
        part.unchanged += 1;
        const group = there.unit.directoryGroupId ?? undefined;
        if (directoryGroupId && group?.toLowerCase() !== directoryGroupId.toLowerCase())
          part.warnings.push(cannotBeChanged(`The unit ${key} is linked to another security group`));
        return;
      }
      const ambiguous = paths.find((above) => tree.findPath(above).length > 1);
      if (ambiguous !== undefined) {
        const message = `The parent ${ambiguous} of the new unit ${key} matches several units.`;
        part.conflicts.push({ code: 'ambiguous_organization_unit', key, message });
        return;
      }
      for (const [index, unit] of paths.entries()) {
        if (tree.findPath(unit).length > 0 || planned.has(unit)) continue;
        planned.add(unit);
        part.actions.push({
          action: 'create',
          resource: 'organizationUnit',
          key: unit,
          name: names[index] ?? '',
          parentPath: paths[index - 1] ?? '',
          ...(unit === key && directoryGroupId && { directoryGroupId }),
        });
      }
    },
    /** The paths of all units, also of new ones. */
    paths: (): readonly string[] => [...planned, ...tree.roots.flatMap(pathsBelow)],
  };
};

/** Plans units to create. */
export type UnitPlan = ReturnType<typeof createUnitPlan>;

const pathsBelow = ({ path, children }: OrganizationUnitNode): readonly string[] => [
  path,
  ...children.flatMap(pathsBelow),
];

/** The identity of a role. */
export const roleKey = (role: {
  readonly name?: string;
  readonly type?: string;
  readonly code?: string | null;
}): string =>
  role.code ? `code ${role.code}` : `${role.type ?? ''} ${role.name ?? ''}`.trim().normalize('NFC');

/** The identity of an item. */
export const itemKey = (item: { readonly workspaceId?: string; readonly reportId?: string }): string =>
  `${item.workspaceId ?? ''}/${item.reportId ?? ''}`.toLowerCase();

const sameName = (one: string | undefined, other: string | undefined): boolean =>
  one?.trim().normalize('NFC') === other?.trim().normalize('NFC');

const cannotBeChanged = (what: string): PlanWarning => ({
  code: 'cannot_be_changed',
  message: `${what} than in the source. The interface cannot change it: change it in the portal.`,
});
