import { PortalError } from '../../errors/portalError.ts';
import { isRemoval, type SyncPlan } from '../plan/plan.ts';

/** What a run may remove. */
export interface RemovalLimits {
  /** Without this no user is disabled or deleted. Default false. */
  readonly allowRemovals?: boolean | undefined;
  /** Most users a plan may disable or delete. Default 10. */
  readonly maxRemovals?: number | undefined;
  /** The same as a share of the users there were, in percent. Default 5. */
  readonly maxRemovalPercent?: number | undefined;
}

/**
 * Refuses a plan that removes more than is allowed, as a whole and before anything is sent: a plan that wants to
 * remove too many is likely wrong in the rest, too.
 */
export const checkRemovals = (plan: SyncPlan, limits: RemovalLimits): void => {
  if (limits.allowRemovals !== true) return;
  const { maxRemovals = 10, maxRemovalPercent = 5 } = limits;
  const removals = plan.actions.filter(isRemoval).length;
  if (removals === 0) return;
  if (!(removals <= maxRemovals))
    throw capError(`it removes ${removals} users, more than maxRemovals allows (${maxRemovals})`);
  const percent = (removals / Math.max(1, plan.counts.existingUsers)) * 100;
  if (!(percent <= maxRemovalPercent))
    throw capError(
      `it removes ${removals} of ${plan.counts.existingUsers} users, ${percent.toFixed(1)} %, more than maxRemovalPercent allows (${maxRemovalPercent} %)`,
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
