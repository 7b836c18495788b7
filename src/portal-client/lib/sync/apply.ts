import {
  emailKey,
  type OperationName,
  rootOrganizationUnitId,
  type UserInput,
} from '@vitrine/contract/service';
import {
  checkOptions,
  isPortalError,
  type OptionNames,
  PortalError,
  type PortalErrorKind,
} from '../errors.ts';
import { collect } from '../paging.ts';
import type { RowOf, User } from '../rows.ts';
import { itemKey, roleKey, unitPath, unitPaths } from './structure.ts';
import {
  type AllowedActions,
  changesAdministrators,
  differingFields,
  type FieldChange,
  fieldsOf,
  isAllowed,
  isRemoval,
  type PlanAction,
  planFormat,
  type StructureAction,
  type SyncPlan,
  type UserAction,
  type UserField,
  type UserFieldValues,
} from './syncPlan.ts';
import { checkTenant, findUser, type SyncPort } from './tenant.ts';

/** Options of `applyPlan`. */
export interface ApplyOptions extends AllowedActions {
  /** Maximum number of users that a plan may disable, delete, leave without roles or units, or take a common role from. Default 10. */
  readonly maxRemovals?: number | undefined;
  /** The same as a percentage of the existing users; a single one always passes. Default 5. */
  readonly maxRemovalPercent?: number | undefined;
  /** Maximum number of concurrent user changes. Default 8. */
  readonly concurrency?: number | undefined;
  /** Stops the run after in-flight actions; the result lists what was done. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each action. */
  readonly onProgress?: ((progress: ApplyProgress) => void) | undefined;
}

/** Progress of applying a plan. */
export interface ApplyProgress {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
}

/** An action that was not done, and why. */
export interface UndoneAction {
  readonly action: PlanAction['action'];
  readonly resource: PlanAction['resource'];
  /** An email address, the path of a unit, or a name. */
  readonly target: string;
  readonly message: string;
}

/** The result of applying a plan. After a run that did not do everything, plan again: the new plan has what is left. */
export interface ApplyResult {
  readonly planId: string;
  /** Whether the run did everything that it was allowed to. */
  readonly isComplete: boolean;
  /** Done by this run, by kind of action. */
  readonly done: Readonly<Record<PlanAction['action'], number>>;
  /** Already done, by an earlier run or by somebody else. */
  readonly already: number;
  /** Targets that changed since the plan was made. */
  readonly drifted: readonly UndoneAction[];
  /** Actions that failed. The run continued without them. */
  readonly failed: readonly UndoneAction[];
  /** Actions skipped because they were not allowed. The removal of an administrator counts as both. */
  readonly notAllowed: { readonly removals: number; readonly administrators: number };
  /** Actions in flight when the run was stopped: they may be done. */
  readonly unknown: number;
  /** Actions not reached. */
  readonly left: number;
  /** Why the run stopped early; undefined if it did not. */
  readonly stopped?: 'aborted' | 'unauthorized' | 'portal_down' | undefined;
}

/** The result of one action. */
type Outcome =
  | { readonly state: 'done' }
  | { readonly state: 'already' }
  | { readonly state: 'drifted'; readonly message: string }
  | {
      readonly state: 'failed';
      readonly kind: PortalErrorKind;
      readonly message: string;
      /** Whether the change may have been made, or a user to create may exist. */
      readonly isOpen?: boolean;
    };

const optionNames: OptionNames<ApplyOptions> = {
  allowRemovals: { kind: 'boolean' },
  maxRemovals: true,
  maxRemovalPercent: true,
  allowAdministrators: { kind: 'boolean' },
  concurrency: { kind: 'whole', min: 1, max: 1000 },
  signal: true,
  onProgress: { kind: 'function' },
};

/**
 * Applies a plan. Checks each target first and skips it if it has changed; a failed action does not stop the others.
 * Rejects before the first change if the plan is for another tenant, or removes too much.
 */
export const applyPlan = async (
  port: SyncPort,
  plan: SyncPlan,
  options: ApplyOptions = {},
): Promise<ApplyResult> => {
  checkOptions('applyPlan', options, optionNames);
  const { signal, concurrency = 8 } = options;
  if (plan.format !== planFormat.format || plan.version !== planFormat.version)
    throw new PortalError('This is not a plan that can be applied. Create one with {planSync}.', {
      kind: 'config',
      code: 'bad_plan',
    });
  const allowed = plan.actions.filter((action) => isAllowed(action, options));
  checkLimits(allowed, plan, options);
  if (allowed.length > 0) await checkTenant(plan, port, signal);
  const calls: Calls = {
    write: (operation, body, userId = '') => port.call(operation, { ids: { userId }, body, signal }),
    find: (userId) => findUser(port, userId, signal),
  };
  const structure = await prepareStructure(allowed, port, calls, signal);
  const run = createRun(plan, allowed, options);
  /** Creations that failed although the user may exist. */
  const open: { readonly action: Creation; readonly outcome: Outcome }[] = [];

  const perform = async (action: PlanAction): Promise<void> => {
    const outcome = await attempt(() =>
      action.resource === 'user' ? applyToUser(action, calls, structure.unitIds) : structure.create(action),
    );
    run.watch(outcome);
    if (isCreation(action) && outcome.state === 'failed' && outcome.isOpen === true)
      open.push({ action, outcome });
    else run.note(action, outcome);
  };
  const performAll = async (actions: readonly PlanAction[], workers: number): Promise<void> => {
    // All workers take from one iterator.
    const queue = actions.values();
    const work = async () => {
      for (const action of queue) {
        if (run.shouldStop()) return;
        await perform(action);
      }
    };
    await Promise.all(Array.from({ length: workers }, work));
  };
  /** Looks for the users of open creations, once after all of them: an earlier reading could miss users of later ones. */
  const settleOpen = async (): Promise<void> => {
    const users = new Map<string, User>();
    const read = async () => {
      for await (const user of port.list('listUsers', { signal })) users.set(emailKey(user.email), user);
    };
    // A partial reading still shows some users.
    if (open.length > 0 && !run.shouldStop()) await read().catch(() => undefined);
    for (const { action, outcome } of open) {
      const there = users.get(action.key);
      if (signal?.aborted === true) run.note(action, abortedOutcome);
      else if (there === undefined) run.note(action, outcome);
      else
        run.note(
          action,
          await attempt(async () => compareCreated(inputOf(action, structure.unitIds), there, 'already')),
        );
    }
  };

  // Parents before children, one by one; then users; removals last.
  const {
    structural = [],
    kept = [],
    removed = [],
  } = Object.groupBy(allowed, (action) =>
    action.resource !== 'user' ? 'structural' : isRemoval(action) ? 'removed' : 'kept',
  );
  await performAll(structural, 1);
  await performAll(kept, concurrency);
  await settleOpen();
  await performAll(removed, concurrency);
  return run.result();
};

/** The calls of a run. */
interface Calls {
  readonly write: <TOperation extends OperationName>(
    operation: TOperation,
    body?: unknown,
    userId?: string,
  ) => Promise<RowOf<TOperation> | undefined>;
  readonly find: (userId: string) => Promise<User | undefined>;
}

/**
 * Rejects a plan that removes too many users, as a whole and before anything is sent: the rest of such a plan is likely
 * wrong, too.
 */
const checkLimits = (allowed: readonly PlanAction[], { counts }: SyncPlan, options: ApplyOptions): void => {
  const { maxRemovals = 10, maxRemovalPercent = 5 } = options;
  const removals = allowed.filter(isRemoval).length;
  if (removals === 0) return;
  // A limit that is not a number allows nothing.
  if (!(removals <= maxRemovals))
    throw overLimit(
      `it removes ${removals} users or their roles, more than {maxRemovals} allows (${maxRemovals})`,
    );
  const percent = (removals / Math.max(1, counts.existingUsers)) * 100;
  if (removals > 1 && !(percent <= maxRemovalPercent))
    throw overLimit(
      `it removes ${removals} of ${counts.existingUsers} users or their roles, ${percent.toFixed(1)}%, more than {maxRemovalPercent} allows (${maxRemovalPercent}%)`,
    );
};

const overLimit = (problem: string): PortalError =>
  new PortalError(
    `The plan was not applied: ${problem}. Check its source, and raise the limit only if the source is right.`,
    { kind: 'config', code: 'removal_cap' },
  );

/** Failures in a row after which the portal counts as down. */
const maxFailuresInARow = 25;

/** The state of a run: counts outcomes, reports progress, and stops when continuing is pointless. */
const createRun = (plan: SyncPlan, allowed: readonly PlanAction[], options: ApplyOptions) => {
  const { signal, onProgress } = options;
  const done = { create: 0, update: 0, disable: 0, delete: 0 };
  const drifted: UndoneAction[] = [];
  const failed: UndoneAction[] = [];
  let [already, unknown, reached, failuresInARow] = [0, 0, 0, 0];
  let stopped: ApplyResult['stopped'];

  return {
    note: (action: PlanAction, outcome: Outcome): void => {
      if (outcome.state === 'failed' && outcome.kind === 'aborted') {
        unknown += 1;
        return;
      }
      reached += 1;
      if (outcome.state === 'done') done[action.action] += 1;
      else if (outcome.state === 'already') already += 1;
      else {
        const undone = {
          action: action.action,
          resource: action.resource,
          target: targetOf(action),
          message: outcome.message,
        };
        (outcome.state === 'drifted' ? drifted : failed).push(undone);
      }
      try {
        onProgress?.({ done: reached, total: allowed.length, failed: failed.length + drifted.length });
      } catch {
        // An error of a listener must not end a run in the middle of its changes.
      }
    },
    /** Stops the run if continuing is pointless. */
    watch: (outcome: Outcome): void => {
      const kind = outcome.state === 'failed' ? outcome.kind : undefined;
      if (kind === 'aborted') return;
      failuresInARow = kind !== undefined && mayHaveChanged(kind) ? failuresInARow + 1 : 0;
      if (failuresInARow >= maxFailuresInARow) stopped ??= 'portal_down';
      if (kind === 'unauthorized') stopped ??= 'unauthorized';
    },
    shouldStop: (): boolean => {
      if (signal?.aborted === true) stopped ??= 'aborted';
      return stopped !== undefined;
    },
    result: (): ApplyResult => {
      if (signal?.aborted === true) stopped ??= 'aborted';
      const left = allowed.length - reached - unknown;
      const countOf = (is: (action: PlanAction) => boolean) => plan.actions.filter(is).length;
      return {
        planId: plan.id,
        isComplete:
          [failed.length, drifted.length, unknown, left].every((count) => count === 0) &&
          stopped === undefined,
        done,
        already,
        drifted,
        failed,
        notAllowed: {
          removals: options.allowRemovals === true ? 0 : countOf(isRemoval),
          administrators: options.allowAdministrators === true ? 0 : countOf(changesAdministrators),
        },
        unknown,
        left,
        stopped,
      };
    },
  };
};

/** Whether the portal may have made the change in spite of this failure. */
const mayHaveChanged = (kind: PortalErrorKind): boolean =>
  kind === 'network' || kind === 'timeout' || kind === 'server' || kind === 'invalid_response';

const abortedOutcome: Outcome = { state: 'failed', kind: 'aborted', message: 'the run was stopped' };

/** The target of an action for messages: an address, the path of a unit, or a name. */
const targetOf = (action: PlanAction): string => {
  if (action.resource !== 'user') return action.key;
  return action.action === 'create' ? action.input.email : action.email;
};

const attempt = async (work: () => Promise<Outcome>): Promise<Outcome> => {
  try {
    return await work();
  } catch (error) {
    if (isPortalError(error)) return failureOf(error);
    return { state: 'failed', kind: 'invalid_response', message: 'an unexpected failure' };
  }
};

/** The failure of an action, for a result: its message has the rejected fields, because a result has no other place for them. */
const failureOf = (error: PortalError): Outcome => {
  const { what } = error.explain('option');
  const fields = error.validationErrors
    .filter((one) => !what.includes(one.message.replace(/\.$/, '')))
    .map(({ field, message }) => (field === '' ? message : `${field}: ${message}`));
  const rest = fields.length === 0 ? '' : ` ${fields.join('; ').replace(/\.$/, '')}.`;
  const isOpen = error.kind === 'conflict' || mayHaveChanged(error.kind);
  return { state: 'failed', kind: error.kind, message: `${what}${rest}`, isOpen };
};

/** Replaces paths of new units by identifiers. Throws for a unit that was not created. */
type UnitIds = (references: readonly string[]) => readonly string[];

type Creation = Extract<UserAction, { action: 'create' }>;

const isCreation = (action: PlanAction): action is Creation =>
  action.resource === 'user' && action.action === 'create';

/** Performs an action on a user, after checking that the user has not changed since the plan. */
const applyToUser = async (
  action: UserAction,
  { write, find }: Calls,
  unitIds: UnitIds,
): Promise<Outcome> => {
  if (action.action === 'create') {
    const input = inputOf(action, unitIds);
    const created = await write('createUser', input);
    return created === undefined ? { state: 'done' } : compareCreated(input, created, 'done');
  }
  const user = await find(action.userId);
  if (user === undefined)
    return action.action === 'delete'
      ? { state: 'already' }
      : { state: 'drifted', message: 'the user no longer exists' };
  if (emailKey(user.email) !== action.key)
    return { state: 'drifted', message: 'the user now has another email address' };
  const current = fieldsOf(user);
  if (action.action === 'delete') {
    const changed = differingFields(action.before, current);
    if (changed.length > 0) return driftedFields(changed);
    try {
      await write('deleteUser', undefined, action.userId);
    } catch (error) {
      // Another run was faster.
      if (isPortalError(error) && error.kind === 'not_found') return { state: 'already' };
      throw error;
    }
    return { state: 'done' };
  }
  const changes = action.action === 'update' ? action.changes : emptied(action.before);
  const [from, to] = sidesOf(changes, unitIds);
  const patchFields = differingFields(to, current);
  const changed = differingFields(from, current).filter((field) => patchFields.includes(field));
  if (changed.length > 0) return driftedFields(changed);
  if (patchFields.length === 0) return { state: 'already' };
  const patch = fieldsOf(Object.fromEntries(patchFields.map((field) => [field, to[field]])));
  const updated = (await write('updateUser', patch, action.userId)) ?? (await find(action.userId));
  const wrong = updated === undefined ? [] : shownDifferences(patch, updated);
  return wrong.length === 0 ? { state: 'done' } : notAsSent(wrong);
};

type Changes = Readonly<Partial<Record<UserField, FieldChange>>>;

/** Disabling removes all roles and units. */
const emptied = ({ roles, organizationUnits }: UserFieldValues): Changes => ({
  roles: { from: roles, to: [] },
  organizationUnits: { from: organizationUnits, to: [] },
});

/** The values of the changed fields before and after. A plan may have been edited by hand: the service checks the values. */
const sidesOf = (changes: Changes, unitIds: UnitIds): readonly [UserFieldValues, UserFieldValues] => {
  const given = Object.entries(changes);
  const from: Record<string, unknown> = Object.fromEntries(
    given.map(([field, change]) => [field, change.from]),
  );
  const to: Record<string, unknown> = Object.fromEntries(given.map(([field, change]) => [field, change.to]));
  const units = changes.organizationUnits?.to;
  if (typeof units === 'object') to['organizationUnits'] = unitIds(units);
  return [fieldsOf(from), fieldsOf(to)];
};

const inputOf = ({ input }: Creation, unitIds: UnitIds): UserInput => ({
  ...input,
  organizationUnits: unitIds(input.organizationUnits ?? []),
});

const compareCreated = (input: UserInput, user: User, state: 'done' | 'already'): Outcome => {
  const differing = shownDifferences(fieldsOf(input), user);
  if (differing.length === 0) return { state };
  return state === 'done'
    ? notAsSent(differing)
    : {
        state: 'drifted',
        message: `a user with this address exists with a different ${differing.join(', ')}`,
      };
};

/** Fields that the service returns with other values than sent. */
const shownDifferences = (sent: UserFieldValues, user: User): readonly UserField[] => {
  const shown = fieldsOf(user);
  return differingFields(sent, shown).filter((field) => shown[field] !== undefined);
};

const driftedFields = (fields: readonly UserField[]): Outcome => ({
  state: 'drifted',
  message: `its ${fields.join(', ')} changed since the plan was made`,
});

const notAsSent = (fields: readonly UserField[]): Outcome => ({
  state: 'failed',
  kind: 'invalid_response',
  message: `the portal accepted it, but returned other values for ${fields.join(', ')}`,
});

/** Prepares the creation of roles, units and items: reads those that exist now, of the kinds that the plan affects. */
const prepareStructure = async (
  actions: readonly PlanAction[],
  port: SyncPort,
  { write }: Calls,
  signal: AbortSignal | undefined,
) => {
  const has = (resource: PlanAction['resource']) => actions.some((action) => action.resource === resource);
  const roles = new Set(has('role') ? (await collect(port.list('listRoles', { signal }))).map(roleKey) : []);
  const items = new Set(has('item') ? (await collect(port.list('listItems', { signal }))).map(itemKey) : []);
  const units = new Map<string, string>();
  const readUnits = async () => {
    const paths = unitPaths(await collect(port.list('listOrganizationUnits', { signal })));
    for (const [id, path] of paths) units.set(path, id);
  };
  if (has('organizationUnit') || actions.some(namesPath)) await readUnits();
  const idOf = (path: string): string => {
    const id = path === '' ? rootOrganizationUnitId : units.get(path);
    if (id !== undefined) return id;
    throw new PortalError(
      `The organizational unit ${path} was not created, so nothing can be added to it. Plan again.`,
      { kind: 'config', code: 'unit_missing' },
    );
  };

  const create = async (action: StructureAction): Promise<Outcome> => {
    if ({ role: roles, item: items, organizationUnit: units }[action.resource].has(action.key))
      return { state: 'already' };
    if (action.resource === 'role') await write('createRole', action.input);
    else if (action.resource === 'item') await write('importItem', action.input);
    else {
      const { name, parentPath, directoryGroupId } = action;
      const unit = { name, parentId: idOf(parentPath), ...(directoryGroupId && { directoryGroupId }) };
      const created = await write('createOrganizationUnit', unit);
      if (created === undefined) await readUnits();
      else units.set(action.key, created.id);
    }
    return { state: 'done' };
  };
  const unitIds: UnitIds = (references) =>
    references.map((reference) => (reference.startsWith('/') ? idOf(unitPath(reference)) : reference));
  return { create, unitIds };
};

/** Whether an action refers to a unit by its path. */
const namesPath = (action: PlanAction): boolean => {
  if (action.resource !== 'user') return false;
  if (action.action !== 'create' && action.action !== 'update') return false;
  const units =
    action.action === 'create' ? action.input.organizationUnits : action.changes.organizationUnits?.to;
  return Array.isArray(units) && units.some((reference) => reference.startsWith('/'));
};
