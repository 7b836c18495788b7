import type { RoleInput } from '@vitrine/contract/service';
import type { Danger, PlanAction, UserAction } from './syncPlan.ts';
import { nfc } from './text.ts';

/** Which dangerous actions a run may take. Both are false by default. */
export type AllowedActions = {
  /** Whether users may be deleted, disabled, left without roles or units, or lose a role with many others. Default false. */
  readonly allowRemovals?: boolean | undefined;
  /** Whether users may gain or lose a role of type `System`; otherwise such users are skipped. Default false. */
  readonly allowAdministrators?: boolean | undefined;
};

/** A role of the tenant, or one that the plan creates. */
export type KnownRole = Readonly<Partial<Pick<RoleInput, 'name' | 'type'>>>;

/** Roles that an action takes from a user, and gives. */
const roleChanges = ({ from, to }: UserAction) => {
  const old = (from.roles ?? []).map(nfc);
  const now = (to.roles ?? []).map(nfc);
  return {
    lost: old.filter((role) => !now.includes(role)),
    gained: now.filter((role) => !old.includes(role)),
  };
};

/** Whether a change leaves a user without any role or unit. */
export const isEmptying = ({ from, to }: Pick<UserAction, 'from' | 'to'>): boolean =>
  (['roles', 'organizationUnits'] as const).some(
    (field) => to[field]?.length === 0 && (from[field] ?? []).length > 0,
  );

/** Adds what makes each action dangerous. A role is lost by many if more than ten lose it, or at least three and most users. */
export const withDangers = (
  actions: readonly UserAction[],
  existingUsers: number,
  roles: readonly KnownRole[],
): readonly PlanAction[] => {
  const administrators = new Set(
    roles.filter(({ type }) => type === 'System').map(({ name = '' }) => nfc(name)),
  );
  const isAdministrator = (role: string) => administrators.has(role);
  const losses = new Map<string, number>();
  for (const action of actions)
    if (action.action === 'update')
      for (const role of roleChanges(action).lost) losses.set(role, (losses.get(role) ?? 0) + 1);
  const isLostByMany = (role: string, count = losses.get(role) ?? 0) =>
    count > 10 || (count >= 3 && count > existingUsers / 2);
  return actions.map((action) => {
    const { lost, gained } = roleChanges(action);
    const dangers: Danger[] = [];
    if (action.action === 'delete') dangers.push('deleted');
    if (action.action === 'disable') dangers.push('disabled');
    if (action.action === 'update') {
      if (isEmptying(action)) dangers.push('left_without_access');
      if (lost.some((role) => isLostByMany(role))) dangers.push('role_lost_by_many');
    }
    if (gained.some(isAdministrator)) dangers.push('administrator_gained');
    if (lost.some(isAdministrator)) dangers.push('administrator_lost');
    return dangers.length === 0 ? action : { ...action, dangers };
  });
};

/** Whether an action needs `allowRemovals`, and counts for its limits. */
export const isRemoval = ({ dangers = [] }: PlanAction): boolean =>
  dangers.some((danger) => !danger.startsWith('administrator'));

/** Whether an action needs `allowAdministrators`. */
export const changesAdministrators = ({ dangers = [] }: PlanAction): boolean =>
  dangers.some((danger) => danger.startsWith('administrator'));

/** Whether the options of `applyPlan` allow an action. */
export const isAllowed = (action: PlanAction, options: AllowedActions): boolean =>
  (options.allowRemovals === true || !isRemoval(action)) &&
  (options.allowAdministrators === true || !changesAdministrators(action));
