import { emailKey, type OptionRules } from '@vitrine/contract/service';
import { checkOptions, configError } from '../errors.ts';
import type { User } from '../rows.ts';
import {
  applyToUser,
  attempt,
  compareCreation,
  mayHaveChanged,
  type Outcome,
  prepareStructure,
} from './applyActions.ts';
import { type AllowedActions, changesAdministrators, isAllowed, isRemoval } from './dangers.ts';
import { isCreation, type PlanAction, planFormat, type SyncPlan, targetOf } from './syncPlan.ts';
import { checkTenant, type SyncPort } from './tenant.ts';

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
export type ApplyProgress = {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
};

/** An action that was not done, and why. */
export type UndoneAction = {
  readonly action: PlanAction['action'];
  readonly resource: PlanAction['resource'];
  /** An email address, the path of a unit, or a name. */
  readonly target: string;
  readonly message: string;
};

/** The result of applying a plan. After a run that did not do everything, plan again: the new plan has what is left. */
export interface ApplyResult {
  /** Whether the run did everything that it was allowed to. `notAllowed` counts what the options excluded. */
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

const optionNames: OptionRules<keyof ApplyOptions> = {
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
  const { signal, concurrency = 8, onProgress } = options;
  if (plan.format !== planFormat.format || plan.version !== planFormat.version)
    throw configError('bad_plan', 'This is not a plan that can be applied. Create one with {planSync}.');
  const allowed = plan.actions.filter((action) => isAllowed(action, options));
  if (allowed.length > 0) await checkTenant(plan, port, signal);
  checkLimits(allowed, plan, options);
  const structure = await prepareStructure(allowed, port, signal);
  const outcomes = new Map<PlanAction, Outcome>();
  let [failures, failuresInARow] = [0, 0];
  let stopped: ApplyResult['stopped'];

  const shouldStop = (): boolean => {
    if (signal?.aborted) stopped ??= 'aborted';
    return stopped !== undefined;
  };
  const perform = async (action: PlanAction): Promise<void> => {
    const outcome = await attempt(() =>
      action.resource === 'user'
        ? applyToUser(action, port, signal, structure.unitIds)
        : structure.create(action),
    );
    outcomes.set(action, outcome);
    const { state, kind } = outcome;
    if (state === 'unknown') return;
    failuresInARow = mayHaveChanged(kind) ? failuresInARow + 1 : 0;
    if (failuresInARow >= maxFailuresInARow) stopped ??= 'portal_down';
    if (kind === 'unauthorized') stopped ??= 'unauthorized';
    if (state === 'failed' || state === 'drifted') failures += 1;
    try {
      onProgress?.({ done: outcomes.size, total: allowed.length, failed: failures });
    } catch {
      // An error of a listener must not end a run in the middle of its changes.
    }
  };
  const performAll = async (actions: readonly PlanAction[], workers: number): Promise<void> => {
    // All workers take from one iterator.
    const queue = actions.values();
    const work = async () => {
      for (const action of queue) {
        if (shouldStop()) return;
        await perform(action);
      }
    };
    await Promise.all(Array.from({ length: workers }, work));
  };
  /** Looks for users whose creation failed, once after all of them: an earlier reading could miss users of later ones. */
  const findCreated = async (): Promise<void> => {
    const open = [...outcomes].flatMap(([action, outcome]) =>
      isCreation(action) && mayExist(outcome) ? [action] : [],
    );
    const users = new Map<string, User>();
    const read = async () => {
      for await (const user of port.list('listUsers')({ signal })) users.set(emailKey(user.email), user);
    };
    // A partial reading still shows some users.
    if (open.length > 0 && !shouldStop()) await read().catch(() => undefined);
    for (const action of open) {
      const there = users.get(action.key);
      if (signal?.aborted) outcomes.set(action, { state: 'unknown' });
      else if (there !== undefined)
        outcomes.set(action, await attempt(async () => compareCreation(action, structure.unitIds, there)));
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
  await findCreated();
  await performAll(removed, concurrency);

  shouldStop();
  const ended = Map.groupBy(outcomes, ([, { state }]) => state);
  const undone = (state: 'drifted' | 'failed'): readonly UndoneAction[] =>
    (ended.get(state) ?? []).map(([action, { message = '' }]) => ({
      action: action.action,
      resource: action.resource,
      target: targetOf(action),
      message,
    }));
  const done = { create: 0, update: 0, disable: 0, delete: 0 };
  for (const [{ action }] of ended.get('done') ?? []) done[action] += 1;
  const [drifted, failed] = [undone('drifted'), undone('failed')];
  const left = allowed.length - outcomes.size;
  const unknown = ended.get('unknown')?.length ?? 0;
  const notAllowed = (is: (action: PlanAction) => boolean, isOn = false) =>
    isOn ? 0 : plan.actions.filter(is).length;
  return {
    isComplete: stopped === undefined && drifted.length + failed.length + unknown + left === 0,
    done,
    already: ended.get('already')?.length ?? 0,
    drifted,
    failed,
    notAllowed: {
      removals: notAllowed(isRemoval, options.allowRemovals),
      administrators: notAllowed(changesAdministrators, options.allowAdministrators),
    },
    unknown,
    left,
    stopped,
  };
};

/**
 * Rejects a plan that removes too many users, as a whole and before anything is sent: the rest of such a plan is likely
 * wrong, too. A limit that is not a number allows nothing.
 */
const checkLimits = (allowed: readonly PlanAction[], { counts }: SyncPlan, options: ApplyOptions): void => {
  const { maxRemovals = 10, maxRemovalPercent = 5 } = options;
  const removals = allowed.filter(isRemoval).length;
  const percent = (removals / Math.max(1, counts.existingUsers)) * 100;
  if (removals === 0 || (removals <= maxRemovals && (removals === 1 || percent <= maxRemovalPercent))) return;
  throw configError(
    'removal_cap',
    `The plan was not applied: it removes ${removals} of ${counts.existingUsers} users or their roles, ${percent.toFixed(1)}%: more than {maxRemovals} (${maxRemovals}) or {maxRemovalPercent} (${maxRemovalPercent}%) allows. Check its source, and raise the limit only if the source is right.`,
  );
};

/** Whether a user exists whose creation failed: another run was faster, or the answer was lost. */
const mayExist = ({ kind }: Outcome): boolean => kind === 'conflict' || mayHaveChanged(kind);

/** Failures in a row after which the portal counts as down. */
const maxFailuresInARow = 25;
