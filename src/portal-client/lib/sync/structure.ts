import { quoteText } from '@vitrine/contract';
import { rootOrganizationUnitId, userTypes } from '@vitrine/contract/service';
import type { OrganizationUnit } from '../rows.ts';
import type { KnownRole } from './dangers.ts';
import { fieldsOf, type PlanConflict, type StructureAction, type UserFieldValues } from './syncPlan.ts';
import { folded, nfc } from './text.ts';

/** Rows from an array, a stream, a generator or a database cursor. */
export type Rows<TRow> = Iterable<TRow> | AsyncIterable<TRow>;

/** A desired organizational unit; missing parents are created too. */
export interface DesiredOrganizationUnit {
  /** Names from the top, `/Customers/Acme`; `~1` stands for a slash inside a name, `~0` for `~`. */
  readonly path: string;
  /** GUID of the linked security group. Only used when the unit is created. */
  readonly directoryGroupId?: string | null | undefined;
}

/** A plan that is being made. */
export interface Draft {
  readonly structure: StructureAction[];
  readonly conflicts: PlanConflict[];
  readonly warnings: Set<string>;
  unchanged: number;
}

/** The identity of a role: the portal refuses a second one of its name. */
export const roleKey = ({ name }: { readonly name?: string }): string => folded(name ?? '');

/** The identity of an item: workspace and report of the BI platform. */
export const itemKey = (item: { readonly workspaceId?: string; readonly reportId?: string }): string =>
  `${item.workspaceId ?? ''}/${item.reportId ?? ''}`.toLowerCase();

/** Plans the actions on what the tenant lacks. */
export const planMissing = (
  draft: Draft,
  actions: readonly StructureAction[],
  existing: readonly string[],
): void => {
  const known = new Set(existing);
  for (const action of actions) {
    if (known.has(action.key)) draft.unchanged += 1;
    else draft.structure.push(action);
    known.add(action.key);
  }
};

/** Most levels of a hierarchy, so that a cycle of parents has an end. */
const maxLevels = 200;

/** Appends a name to a path. */
const joinUnitPath = (parentPath: string, name: string): string =>
  `${parentPath}/${name.normalize('NFC').replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The names of a path such as `/Customers/Acme`. */
const unitNames = (path: string): readonly string[] =>
  path
    .split('/')
    .map((name) => name.trim().replaceAll('~1', '/').replaceAll('~0', '~'))
    .filter((name) => name !== '');

/** The path of a unit in the form in which paths are compared: NFC, trimmed names, no slash at the end. */
export const unitPath = (reference: string): string => unitNames(reference).reduce(joinUnitPath, '');

/** The paths of units by identifier. A unit without a way to the top has none. */
export const unitPaths = (units: readonly OrganizationUnit[]): ReadonlyMap<string, string> => {
  const byId = new Map(units.map((unit) => [unit.id, unit]));
  const pathOf = ({ id, name, parentId }: OrganizationUnit, levels: number): string | undefined => {
    const isTop = parentId === rootOrganizationUnitId || !parentId;
    const parent = isTop || levels === 0 ? undefined : byId.get(parentId);
    const above = isTop ? '' : parent && pathOf(parent, levels - 1);
    return above === undefined ? undefined : joinUnitPath(above, name || id);
  };
  return new Map(
    units.flatMap((unit) => {
      const path = pathOf(unit, maxLevels);
      return path === undefined ? [] : [[unit.id, path]];
    }),
  );
};

/** The units of a plan. */
export type UnitPlan = ReturnType<typeof createUnitPlan>;

/** Plans units to create, and finds those of rows. */
export const createUnitPlan = (draft: Draft, units: readonly OrganizationUnit[]) => {
  const paths = unitPaths(units);
  const unitIds = new Set(units.map(({ id }) => id));
  /** The identifiers of units by path; of those that the plan creates, their paths. */
  const byPath = new Map([...paths].map(([id, path]) => [path, id]));
  /** The paths by their form without case. */
  const known = new Map([...byPath.keys()].map((path) => [folded(path), path]));

  /** The identifier of a unit, or its path if the plan creates it, with its missing parents before it; or why neither. */
  const find = (
    reference: string,
    mayCreate: boolean,
    directoryGroupId?: string | null,
  ): { readonly id: string } | string => {
    const id = byPath.get(reference) ?? (unitIds.has(reference) ? reference : undefined);
    if (id !== undefined) return { id };
    const names = unitNames(reference);
    const levels = names.map((_, index) => names.slice(0, index + 1).reduce(joinUnitPath, ''));
    // The portal refuses names that differ only in case (409).
    const alike = levels.find((level) => !byPath.has(level) && known.has(folded(level)));
    if (!mayCreate || !reference.startsWith('/') || alike !== undefined)
      return unknownName('organizational unit', alike ?? reference, known.values());
    for (const [index, level] of levels.entries()) {
      if (byPath.has(level)) continue;
      byPath.set(level, level);
      known.set(folded(level), level);
      draft.structure.push({
        action: 'create',
        resource: 'organizationUnit',
        key: level,
        to: {
          name: names[index] ?? '',
          parentPath: levels[index - 1] ?? '',
          ...(level === reference && directoryGroupId && { directoryGroupId }),
        },
      });
    }
    return { id: reference };
  };

  return {
    paths,
    find,
    /** Plans a unit that the source lists. */
    add: ({ path, directoryGroupId }: DesiredOrganizationUnit): void => {
      const key = unitPath(path);
      // The root is no unit.
      if (key === '') return;
      if (byPath.has(key)) draft.unchanged += 1;
      const unit = find(key, true, directoryGroupId);
      if (typeof unit === 'string')
        draft.conflicts.push({ code: 'unknown_name', key, message: `${key} cannot be used: ${unit}.` });
    },
  };
};

/** Why a name cannot be used, with a known one that looks alike. */
const unknownName = (noun: string, name: string, known: Iterable<string>): string => {
  const alike = [...known].find((other) => folded(other) === folded(name));
  const suggestion = alike === undefined ? '' : ` (did you mean ${quoteText(alike)}?)`;
  return `the tenant has no ${noun} ${quoteText(name)}${suggestion}`;
};

/** The names of types, roles and units that users may have. */
export const createTenantNames = (
  roles: readonly KnownRole[],
  units: UnitPlan,
  createMissing: boolean | undefined,
) => {
  const roleNames = new Map(roles.map(({ name = '' }) => [nfc(name), name]));
  /** The contract's, and those that the tenant uses. */
  const types = new Map<string, string>(userTypes.map((type) => [folded(type), type]));

  return {
    addType: (type: string): void => void types.set(folded(type), type),
    /** Names types, roles and units as the tenant does, and adds to `problems` what cannot be used. */
    resolve: (
      { type, roles, organizationUnits, ...fields }: UserFieldValues,
      problems: string[],
    ): UserFieldValues => {
      const knownType = type === undefined ? undefined : types.get(folded(type));
      if (type !== undefined && knownType === undefined)
        problems.push(`its type ${quoteText(type)} is not one of ${[...types.values()].join(', ')}`);
      return fieldsOf({
        ...fields,
        type: knownType,
        roles: roles?.map((name) => {
          const known = roleNames.get(nfc(name));
          if (known === undefined) problems.push(unknownName('role', name, roleNames.values()));
          return known ?? name;
        }),
        organizationUnits: organizationUnits?.flatMap((given) => {
          const reference = given.trim().startsWith('/') ? unitPath(given) : given.trim();
          // The root is no unit.
          if (reference === '') return [];
          const unit = units.find(reference, createMissing === true);
          if (typeof unit !== 'string') return [unit.id];
          problems.push(unit);
          return [];
        }),
      });
    },
  };
};
