import type { PortalErrorKind } from '../../errors/portalError.ts';
import {
  isAdministratorChange,
  isAllowed,
  isRemoval,
  type PlanAction,
  type SyncPlan,
  targetOf,
} from '../plan/syncPlan.ts';
import type { ApplyOptions } from './applyOptions.ts';
import type { ApplyResult, Outcome, UndoneAction } from './applyResult.ts';

/** Failures in a row after which the portal counts as down. */
const maxFailuresInARow = 25;

/** Whether the portal may have made the change in spite of this failure. */
export const mayHaveChanged = (kind: PortalErrorKind): boolean =>
  kind === 'network' ||
  kind === 'timeout' ||
  kind === 'aborted' ||
  kind === 'server' ||
  kind === 'invalid_response';

/** Creates the state of a run: counts outcomes, reports progress, and stops when continuing is pointless. */
export const createApplyRun = (plan: SyncPlan, options: ApplyOptions) => {
  const { signal, onProgress } = options;
  const allowed = plan.actions.filter((action) => isAllowed(action, options));
  const countOf = (is: (action: PlanAction) => boolean) => plan.actions.filter(is).length;
  const done = { create: 0, update: 0, disable: 0, delete: 0 };
  const drifted: UndoneAction[] = [];
  const failed: UndoneAction[] = [];
  const total = allowed.length;
  let already = 0;
  let unknown = 0;
  let reached = 0;
  let failuresInARow = 0;
  let stopped: ApplyResult['stopped'];

  const note = (action: PlanAction, outcome: Outcome) => {
    const undone = (message: string): UndoneAction => ({
      action: action.action,
      resource: action.resource,
      target: targetOf(action),
      message,
    });
    if (outcome.state === 'failed' && outcome.kind === 'aborted') {
      unknown += 1;
      return;
    }
    reached += 1;
    switch (outcome.state) {
      case 'done':
        done[action.action] += 1;
        break;
      case 'already':
        already += 1;
        break;
      case 'drifted':
        drifted.push(undone(outcome.message));
        break;
      case 'failed':
        failed.push(undone(outcome.message));
    }
    try {
      onProgress?.({ done: reached, total, failed: failed.length + drifted.length });
    } catch {
      // An error of a listener must not end a run in the middle of its changes.
    }
  };
  /** Stops the run if continuing is pointless. */
  const watch = (outcome: Outcome) => {
    const kind = outcome.state === 'failed' ? outcome.kind : undefined;
    if (kind === 'aborted') return;
    failuresInARow = kind !== undefined && mayHaveChanged(kind) ? failuresInARow + 1 : 0;
    if (failuresInARow >= maxFailuresInARow) stopped ??= 'portal_down';
    if (kind === 'unauthorized') stopped ??= 'unauthorized';
  };
  return {
    /** The actions of the plan that the options allow. */
    allowed,
    note,
    watch,
    shouldStop: () => {
      if (signal?.aborted) stopped ??= 'aborted';
      return stopped !== undefined;
    },
    result: (): ApplyResult => ({
      planId: plan.id,
      done,
      already,
      drifted,
      failed,
      notAllowed: {
        removals: options.allowRemovals === true ? 0 : countOf(isRemoval),
        administrators: options.allowAdministrators === true ? 0 : countOf(isAdministratorChange),
      },
      unknown,
      left: total - reached - unknown,
      stopped: signal?.aborted ? (stopped ?? 'aborted') : stopped,
    }),
  };
};
