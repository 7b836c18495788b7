import type { PortalErrorKind } from '../../errors/portalError.ts';
import type { PlanAction } from '../plan/plan.ts';

/** What became of one action. */
export type Outcome =
  | { readonly state: 'done' }
  /** It was so already: done by an earlier run, or by somebody else. */
  | { readonly state: 'already' }
  /** The target is no longer as planned, so nothing was done. */
  | { readonly state: 'drifted'; readonly message: string }
  | {
      readonly state: 'failed';
      readonly kind: PortalErrorKind;
      readonly message: string;
      /** What should be created may be there all the same: somebody else's work, or ours without an answer. */
      readonly mayExist?: boolean;
    };

/** An action that was not done, and why. */
export interface UndoneAction {
  readonly action: PlanAction['action'];
  readonly resource: PlanAction['resource'];
  /** An address, the path of a unit or a name, as people write it. */
  readonly target: string;
  readonly message: string;
}

/** What applying a plan has done. */
export interface ApplyReport {
  readonly planId: string;
  /** Done by this run, by kind of action. */
  readonly done: Readonly<Record<PlanAction['action'], number>>;
  /** So already, or done by an earlier run. */
  readonly already: number;
  /** Targets that changed since the plan was made. Plan again. */
  readonly drifted: readonly UndoneAction[];
  /** Actions that failed. The run went on without them. */
  readonly failed: readonly UndoneAction[];
  /** Actions skipped because they were not allowed. */
  readonly notAllowed: {
    readonly removals: number;
    readonly administratorRoleLosses: number;
  };
  /** Actions under way when the run was stopped: they may be done. The next run with the same journal looks first. */
  readonly unknown: number;
  /** Actions not reached. */
  readonly left: number;
  /** Why the run ended before its end; nothing when it did not. */
  readonly stopped?: 'aborted' | 'unauthorized' | 'portal_down' | undefined;
}

/** How far applying has come. */
export interface ApplyProgress {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
}

/** Whether a run did all it was allowed to. */
export const isComplete = (report: ApplyReport): boolean =>
  report.failed.length === 0 &&
  report.drifted.length === 0 &&
  report.unknown === 0 &&
  report.left === 0 &&
  report.stopped === undefined;
