import { emailKey } from '@vitrine/contract/service';
import { checkOptions, configError, type OptionNames } from '../errors.ts';
import type { User } from '../rows.ts';
import {
  applyToUser,
  attempt,
  type Creation,
  compareCreation,
  failed,
  isCreation,
  mayHaveChanged,
  type Outcome,
  prepareStructure,
} from './applyActions.ts';
import {
  type AllowedActions,
  changesAdministrators,
  isAllowed,
  isRemoval,
  type PlanAction,
  planFormat,
  type SyncPlan,
  targetOf,
} from './syncPlan.ts';
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
    throw configError('bad_plan', 'This is not a plan that can be applied. Create one with {planSync}.');
  const allowed = plan.actions.filter((action) => isAllowed(action, options));
  checkLimits(allowed, plan, options);
  if (allowed.length > 0) await checkTenant(plan, port, signal);
  const structure = await prepareStructure(allowed, port, signal);
  const run = createRun(plan, allowed, options);
  /** Creations that failed although the user may exist. */
  const open: { readonly action: Creation; readonly outcome: Outcome }[] = [];

  const perform = async (action: PlanAction): Promise<void> => {
    const outcome = await attempt(() =>
      action.resource === 'user'
        ? applyToUser(action, port, signal, structure.unitIds)
        : structure.create(action),
    );
    run.watch(outcome);
    if (isCreation(action) && mayExist(outcome)) open.push({ action, outcome });
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
      if (signal?.aborted) run.note(action, failed('aborted', 'the run was stopped'));
      else if (there === undefined) run.note(action, outcome);
      else run.note(action, await attempt(async () => compareCreation(action, structure.unitIds, there)));
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
const mayExist = (outcome: Outcome): boolean =>
  outcome.state === 'failed' && (outcome.kind === 'conflict' || mayHaveChanged(outcome.kind));

/** Failures in a row after which the portal counts as down. */
const maxFailuresInARow = 25;

/** The state of a run: counts outcomes, reports progress, and stops when continuing is pointless. */
const createRun = (plan: SyncPlan, allowed: readonly PlanAction[], options: ApplyOptions) => {
  const { signal, onProgress, allowRemovals = false, allowAdministrators = false } = options;
  const done = { create: 0, update: 0, disable: 0, delete: 0 };
  const undone = { drifted: [] as UndoneAction[], failed: [] as UndoneAction[] };
  let [already, unknown, reached, failuresInARow] = [0, 0, 0, 0];
  let stopped: ApplyResult['stopped'];

  const shouldStop = (): boolean => {
    if (signal?.aborted) stopped ??= 'aborted';
    return stopped !== undefined;
  };
  return {
    shouldStop,
    note: (action: PlanAction, outcome: Outcome): void => {
      if (outcome.state === 'failed' && outcome.kind === 'aborted') {
        unknown += 1;
        return;
      }
      reached += 1;
      if (outcome.state === 'done') done[action.action] += 1;
      else if (outcome.state === 'already') already += 1;
      else
        undone[outcome.state].push({
          action: action.action,
          resource: action.resource,
          target: targetOf(action),
          message: outcome.message,
        });
      try {
        const failures = undone.failed.length + undone.drifted.length;
        onProgress?.({ done: reached, total: allowed.length, failed: failures });
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
    result: (): ApplyResult => {
      const left = allowed.length - reached - unknown;
      const countOf = (is: (action: PlanAction) => boolean) => plan.actions.filter(is).length;
      const isStopped = shouldStop();
      return {
        isComplete: !isStopped && undone.failed.length + undone.drifted.length + unknown + left === 0,
        done,
        already,
        ...undone,
        notAllowed: {
          removals: allowRemovals ? 0 : countOf(isRemoval),
          administrators: allowAdministrators ? 0 : countOf(changesAdministrators),
        },
        unknown,
        left,
        stopped,
      };
    },
  };
};
