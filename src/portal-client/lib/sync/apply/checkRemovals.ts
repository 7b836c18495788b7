import { PortalError } from '../../errors/portalError.ts';
import { type AllowedActions, isAllowed, isRemoval, type SyncPlan } from '../plan/syncPlan.ts';

/** Limits of the removals of a run. */
export interface RemovalLimits {
  /** Maximum number of users that a plan may disable, delete or take roles from, as `isRemoval` counts them. Default 10. */
  readonly maxRemovals?: number | undefined;
  /** The same as a percentage of the existing users. Default 5. */
  readonly maxRemovalPercent?: number | undefined;
}

/**
 * Rejects a plan that removes too many users, as a whole and before anything is sent: the rest of such a plan is likely
 * wrong, too.
 */
export const checkRemovals = (plan: SyncPlan, limits: RemovalLimits & AllowedActions): void => {
  const { maxRemovals = 10, maxRemovalPercent = 5 } = limits;
  const removals = plan.actions.filter((action) => isRemoval(action) && isAllowed(action, limits)).length;
  if (removals === 0) return;
  if (!(removals <= maxRemovals))
    throw capError(
      `it removes ${removals} users or their roles, more than {maxRemovals} allows (${maxRemovals})`,
    );
  const percent = (removals / Math.max(1, plan.counts.existingUsers)) * 100;
  if (!(percent <= maxRemovalPercent))
    throw capError(
      `it removes ${removals} of ${plan.counts.existingUsers} users or their roles, ${percent.toFixed(1)}%, more than {maxRemovalPercent} allows (${maxRemovalPercent}%)`,
    );
};

const capError = (problem: string): PortalError =>
  new PortalError(
    `The plan was not applied: ${problem}. Check its source, and raise the limit only if the source is right.`,
    {
      kind: 'config',
      code: 'removal_cap',
    },
  );
