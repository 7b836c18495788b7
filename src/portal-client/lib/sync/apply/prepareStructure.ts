import { rootOrganizationUnitId } from '@vitrine/contract/service';
import { PortalError } from '../../errors/portalError.ts';
import { collect } from '../../paging/paging.ts';
import { joinUnitPath, organizationUnitTree, splitUnitPath } from '../../resources/organizationUnitTree.ts';
import { itemKey, roleKey } from '../plan/structurePlans.ts';
import type { StructureAction, SyncPlan } from '../plan/syncPlan.ts';
import type { SyncReader, SyncWriter } from '../syncPort.ts';
import type { Outcome } from './applyResult.ts';

/** Creates roles, units and items that are still missing. */
export interface StructureWork {
  readonly apply: (action: StructureAction) => Promise<Outcome>;
  /** Replaces paths by identifiers. Throws for a unit that was not created. */
  readonly unitIds: (references: readonly string[]) => readonly string[];
}

/**
 * Prepares the structural part of a run: reads the existing resources that the plan affects. A resumed run reads them
 * again, so it needs no journal here.
 */
export const prepareStructure = async (
  plan: SyncPlan,
  reader: SyncReader,
  { writer, signal }: { readonly writer: SyncWriter; readonly signal: AbortSignal | undefined },
): Promise<StructureWork> => {
  const has = (resource: string) => plan.actions.some((action) => action.resource === resource);
  const options = { signal };
  const roles = new Set(has('role') ? (await collect(reader.roles(options))).map(roleKey) : []);
  const items = new Set(has('item') ? (await collect(reader.items(options))).map(itemKey) : []);
  const needsUnits = has('organizationUnit') || plan.actions.some(mentionsPath);
  const units = new Map<string, string>();
  const readUnits = async () => {
    const collectPaths = (nodes: ReturnType<typeof organizationUnitTree>['roots']) => {
      for (const node of nodes) {
        units.set(node.path, node.unit.id);
        collectPaths(node.children);
      }
    };
    collectPaths(organizationUnitTree(await collect(reader.organizationUnits(options))).roots);
  };
  if (needsUnits) await readUnits();

  return {
    apply: async (action) => {
      switch (action.resource) {
        case 'role':
          if (roles.has(action.key)) return { state: 'already' };
          await writer.createRole(action.input);
          return { state: 'done' };
        case 'item':
          if (items.has(action.key)) return { state: 'already' };
          await writer.createItem(action.input);
          return { state: 'done' };
        case 'organizationUnit': {
          if (units.has(action.key)) return { state: 'already' };
          const parentId = action.parentPath === '' ? rootOrganizationUnitId : units.get(action.parentPath);
          if (parentId === undefined) throw missingUnit(action.parentPath);
          const { name, directoryGroupId } = action;
          const id = await writer.createUnit({
            name,
            parentId,
            ...(directoryGroupId && { directoryGroupId }),
          });
          if (id === undefined) await readUnits();
          else units.set(action.key, id);
          return { state: 'done' };
        }
      }
    },
    unitIds: (references) =>
      references.map((reference) => {
        if (!reference.startsWith('/')) return reference;
        const path = splitUnitPath(reference).reduce(joinUnitPath, '');
        const id = units.get(path);
        if (id === undefined) throw missingUnit(path);
        return id;
      }),
  };
};

const mentionsPath = (action: SyncPlan['actions'][number]): boolean => {
  if (action.resource !== 'user') return false;
  const references =
    action.action === 'create'
      ? action.input.organizationUnits
      : action.action === 'update'
        ? action.changes.organizationUnits?.to
        : undefined;
  return Array.isArray(references) && references.some((reference) => reference.startsWith('/'));
};

const missingUnit = (path: string): PortalError =>
  new PortalError(
    `The organizational unit ${path} was not created, so nothing can be added to it. Plan again.`,
    {
      kind: 'config',
      code: 'unit_missing',
    },
  );
