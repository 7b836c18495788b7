import { rootOrganizationUnitId } from '@vitrine/contract/service';
import type { OrganizationUnit } from './rows.ts';

/** A unit in the hierarchy. */
export interface OrganizationUnitNode {
  readonly unit: OrganizationUnit;
  /** 0 at the top. */
  readonly depth: number;
  /** Names from the top to this unit, each after a slash; `~` and `/` inside a name are written `~0` and `~1`. */
  readonly path: string;
  readonly children: readonly OrganizationUnitNode[];
}

/** All units as a hierarchy. */
export interface OrganizationUnitTree {
  /** Units at the top, by name. */
  readonly roots: readonly OrganizationUnitNode[];
  /** Units whose parent is not in the list, or whose parents form a cycle. */
  readonly detached: readonly OrganizationUnit[];
  /** Finds a unit by identifier. */
  readonly find: (id: string) => OrganizationUnitNode | undefined;
  /** Finds the units of a path; more than one if siblings share a name. */
  readonly findPath: (path: string) => readonly OrganizationUnitNode[];
}

/** Builds the hierarchy of a list of units. */
export const organizationUnitTree = (units: readonly OrganizationUnit[]): OrganizationUnitTree => {
  const childrenOf = Map.groupBy(units, (unit) => parentOf(unit));
  const byId = new Map<string, OrganizationUnitNode>();
  const byPath = new Map<string, OrganizationUnitNode[]>();

  const build = (parentId: string | undefined, parentPath: string, depth: number): OrganizationUnitNode[] =>
    (childrenOf.get(parentId) ?? [])
      .toSorted((one, other) => nameOf(one).localeCompare(nameOf(other), 'en'))
      .flatMap((unit) => {
        if (byId.has(unit.id) || depth > maxDepth) return [];
        const path = joinUnitPath(parentPath, nameOf(unit));
        const children: OrganizationUnitNode[] = [];
        const node: OrganizationUnitNode = { unit, depth, path, children };
        byId.set(unit.id, node);
        byPath.set(path, [...(byPath.get(path) ?? []), node]);
        children.push(...build(unit.id, path, depth + 1));
        return [node];
      });

  const roots = build(undefined, '', 0);
  return {
    roots,
    detached: units.filter((unit) => !byId.has(unit.id)),
    find: (id) => byId.get(id),
    findPath: (path) => byPath.get(path) ?? [],
  };
};

/** Maximum depth, so that a hostile list cannot exhaust the stack. */
const maxDepth = 1000;

const nameOf = ({ name, id }: OrganizationUnit): string => (name === '' ? id : name);

const parentOf = ({ parentId }: OrganizationUnit): string | undefined =>
  parentId === rootOrganizationUnitId ? undefined : parentId || undefined;

/** Appends a name to a path. */
export const joinUnitPath = (parentPath: string, name: string): string =>
  `${parentPath}/${name.normalize('NFC').replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The names of a path such as `/Customers/Acme`. */
export const splitUnitPath = (path: string): readonly string[] =>
  path
    .split('/')
    .filter((name) => name !== '')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
