import type { PortalErrorKind } from '../../errors/portalError.ts';
import type { PlanAction } from '../plan/syncPlan.ts';

/** The result of one action. */
export type Outcome =
  | { readonly state: 'done' }
  /** Already done, by an earlier run or by somebody else. */
  | { readonly state: 'already' }
  /** The target has changed since the plan, so nothing was done. */
  | { readonly state: 'drifted'; readonly message: string }
  | {
      readonly state: 'failed';
      readonly kind: PortalErrorKind;
      readonly message: string;
      /** The resource may exist anyway: created by somebody else, or by us without a response. */
      readonly mayExist?: boolean;
    };

/** An action that was not done, and why. */
export interface UndoneAction {
  readonly action: PlanAction['action'];
  readonly resource: PlanAction['resource'];
  /** An email address, the path of a unit, or a name. */
  readonly target: string;
  readonly message: string;
}

/** The result of applying a plan. */
export interface ApplyResult {
  readonly planId: string;
  /** Done by this run, by kind of action. */
  readonly done: Readonly<Record<PlanAction['action'], number>>;
  /** Already done, or done by an earlier run. */
  readonly already: number;
  /** Targets that changed since the plan was made. Plan again. */
  readonly drifted: readonly UndoneAction[];
  /** Actions that failed. The run continued without them. */
  readonly failed: readonly UndoneAction[];
  /** Actions skipped because they were not allowed. The removal of an administrator counts as both. */
  readonly notAllowed: {
    readonly removals: number;
    readonly administrators: number;
  };
  /** Actions in flight when the run was stopped: they may be done. The next run with the same journal checks first. */
  readonly unknown: number;
  /** Actions not reached. */
  readonly left: number;
  /** Why the run stopped early; undefined if it did not. */
  readonly stopped?: 'aborted' | 'unauthorized' | 'portal_down' | undefined;
}

/** Progress of applying a plan. */
export interface ApplyProgress {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
}

/** Whether a run did everything that it was allowed to. */
export const isComplete = (result: ApplyResult): boolean =>
  result.failed.length === 0 &&
  result.drifted.length === 0 &&
  result.unknown === 0 &&
  result.left === 0 &&
  result.stopped === undefined;
