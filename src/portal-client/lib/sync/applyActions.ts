import { emailKey, rootOrganizationUnitId } from '@vitrine/contract/service';
import { configError, isPortalError, type PortalErrorKind } from '../errors.ts';
import type { ListOperation, User } from '../rows.ts';
import { itemKey, roleKey, unitPath, unitPaths } from './structure.ts';
import {
  differingFields,
  fieldsOf,
  type PlanAction,
  pickFields,
  type StructureAction,
  type UserAction,
  type UserCreation,
  type UserFieldValues,
} from './syncPlan.ts';
import { findUser, type SyncPort } from './tenant.ts';

/** The result of one action. */
export interface Outcome {
  /** `unknown`: the run was stopped meanwhile. */
  readonly state: 'done' | 'already' | 'unknown' | 'drifted' | 'failed';
  /** Why the action was not done. */
  readonly message?: string;
  /** Of a failure. */
  readonly kind?: PortalErrorKind;
}

/** Whether the portal may have made the change in spite of this failure. */
export const mayHaveChanged = (kind: PortalErrorKind | undefined): boolean =>
  kind === 'network' || kind === 'timeout' || kind === 'server' || kind === 'invalid_response';

/** The failure of an action has the rejected fields in its message, because a result has no other place for them. */
export const attempt = async (work: () => Promise<Outcome>): Promise<Outcome> => {
  try {
    return await work();
  } catch (error) {
    if (!isPortalError(error))
      return { state: 'failed', kind: 'invalid_response', message: 'an unexpected failure' };
    if (error.kind === 'aborted') return { state: 'unknown' };
    const { what } = error.explain('option');
    const fields = error.validationErrors
      .filter((one) => !what.includes(one.message.replace(/\.$/, '')))
      .map(({ field, message }) => (field === '' ? message : `${field}: ${message}`));
    const rest = fields.length === 0 ? '' : ` ${fields.join('; ').replace(/\.$/, '')}.`;
    return { state: 'failed', kind: error.kind, message: `${what}${rest}` };
  }
};

/** Replaces paths of new units by identifiers. Throws for a unit that was not created. */
type UnitIds = (references: readonly string[]) => readonly string[];

/** Performs an action on a user, after checking that the user has not changed since the plan. */
export const applyToUser = async (
  action: UserAction,
  port: SyncPort,
  signal: AbortSignal | undefined,
  unitIds: UnitIds,
): Promise<Outcome> => {
  if (action.action === 'create') {
    await port.insist('createUser', {
      body: { email: action.email, ...withUnitIds(action, unitIds) },
      signal,
    });
    return { state: 'done' };
  }
  const { userId, from } = action;
  const isDeletion = action.action === 'delete';
  const user = await findUser(port, userId, signal);
  if (user === undefined) return isDeletion ? { state: 'already' } : drifted('the user no longer exists');
  if (emailKey(user.email) !== action.key) return drifted('the user now has another email address');
  const current = fieldsOf(user);
  const to = withUnitIds(action, unitIds);
  const patchFields = differingFields(to, current);
  const changed = differingFields(from, current).filter((field) => isDeletion || patchFields.includes(field));
  if (changed.length > 0) return drifted(`its ${changed.join(', ')} changed since the plan was made`);
  if (isDeletion)
    try {
      await port.insist('deleteUser', { ids: { userId }, signal });
      return { state: 'done' };
    } catch (error) {
      // Another run was faster.
      if (isPortalError(error) && error.kind === 'not_found') return { state: 'already' };
      throw error;
    }
  if (patchFields.length === 0) return { state: 'already' };
  await port.insist('updateUser', { ids: { userId }, body: pickFields(to, patchFields), signal });
  return { state: 'done' };
};

/** The fields of a user after an action, with the identifiers of units. */
const withUnitIds = <TFields extends UserFieldValues>(
  { to }: { readonly to: TFields },
  unitIds: UnitIds,
): TFields =>
  to.organizationUnits === undefined ? to : { ...to, organizationUnits: unitIds(to.organizationUnits) };

/** Compares a user who exists with the one to create. */
export const compareCreation = (action: UserCreation, unitIds: UnitIds, user: User): Outcome => {
  const shown = fieldsOf(user);
  const differing = differingFields(withUnitIds(action, unitIds), shown).filter(
    // A service may omit fields.
    (field) => shown[field] !== undefined,
  );
  return differing.length === 0
    ? { state: 'already' }
    : drifted(`a user with this address exists with a different ${differing.join(', ')}`);
};

const drifted = (message: string): Outcome => ({ state: 'drifted', message });

/** Prepares the creation of roles, units and items: reads those that exist now, of the kinds that the plan affects. */
export const prepareStructure = async (
  actions: readonly PlanAction[],
  port: SyncPort,
  signal: AbortSignal | undefined,
) => {
  const has = (resource: PlanAction['resource']) => actions.some((action) => action.resource === resource);
  const list = <TOperation extends ListOperation>(operation: TOperation) =>
    Array.fromAsync(port.list(operation)({ signal }));
  const roles = new Set(has('role') ? (await list('listRoles')).map(roleKey) : []);
  const items = new Set(has('item') ? (await list('listItems')).map(itemKey) : []);
  const units = new Map<string, string>();
  const readUnits = async () => {
    for (const [id, path] of unitPaths(await list('listOrganizationUnits'))) units.set(path, id);
  };
  // Users may be added to units by path.
  if (has('organizationUnit') || has('user')) await readUnits();
  const idOf = (path: string): string => {
    const id = path === '' ? rootOrganizationUnitId : units.get(path);
    if (id !== undefined) return id;
    throw configError(
      'unit_missing',
      `The organizational unit ${path} was not created, so nothing can be added to it. Plan again.`,
    );
  };

  const create = async (action: StructureAction): Promise<Outcome> => {
    if ({ role: roles, item: items, organizationUnit: units }[action.resource].has(action.key))
      return { state: 'already' };
    if (action.resource === 'role') await port.insist('createRole', { body: action.to, signal });
    else if (action.resource === 'item') await port.insist('importItem', { body: action.to, signal });
    else {
      const { parentPath, ...unit } = action.to;
      const body = { ...unit, parentId: idOf(parentPath) };
      const created = await port.insist('createOrganizationUnit', { body, signal });
      if (created === undefined) await readUnits();
      else units.set(action.key, created.id);
    }
    return { state: 'done' };
  };
  const unitIds: UnitIds = (references) =>
    references.map((reference) => (reference.startsWith('/') ? idOf(unitPath(reference)) : reference));
  return { create, unitIds };
};
