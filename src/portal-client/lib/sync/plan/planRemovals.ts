import type { Warnings } from './createWarnings.ts';
import type { ExistingUser, ExistingUsers } from './existingUsers.ts';
import { administratorRoles } from './planUserRow.ts';
import type { UserAction } from './syncPlan.ts';

/** Findings from reading the desired users. */
export interface RemovalContext {
  readonly spoken: ReadonlyMap<string, string>;
  readonly unwanted: ReadonlySet<string>;
  readonly conflicted: ReadonlySet<string>;
  readonly warnings: Warnings;
}

/** Plans the removal of users that are not desired. Users in a conflict and protected users stay unchanged. */
export const planRemovals = (
  input: {
    readonly existing: ExistingUsers;
    readonly missing: 'keep' | 'disable' | 'delete';
    readonly isAdministratorRole: (name: string) => boolean;
  },
  context: RemovalContext,
): { readonly actions: readonly UserAction[]; readonly protected: number } => {
  const actions: UserAction[] = [];
  let kept = 0;
  let protectedCount = 0;
  for (const [key, there] of input.existing.byKey) {
    if (context.conflicted.has(key)) continue;
    if (context.spoken.has(key) && !context.unwanted.has(key)) continue;
    if (!isOne(there)) {
      kept += there.length;
      continue;
    }
    const { email, userId, fields: before } = there;
    const target = {
      resource: 'user',
      key,
      email,
      userId,
      before,
      ...(before.roles === undefined
        ? { administratorRolesLost: ['unknown'] }
        : administratorRoles(before.roles, [], input)),
    } as const;
    if (there.isProtected) protectedCount += 1;
    else if (input.missing === 'keep') kept += 1;
    else if (input.missing === 'delete') {
      actions.push({ action: 'delete', ...target });
      if (before.roles === undefined)
        context.warnings.add(
          'cannot_be_compared',
          "The portal's list of users does not show roles, so each user to delete counts as an administrator.",
        );
    } else if (there.fields.roles === undefined || there.fields.organizationUnits === undefined)
      context.warnings.add(
        'cannot_be_compared',
        "The portal's list of users does not show roles and units, so users cannot be disabled by removing them.",
      );
    else if (there.fields.roles.length > 0 || there.fields.organizationUnits.length > 0)
      actions.push({ action: 'disable', ...target });
  }
  if (kept > 0)
    context.warnings.add(
      'not_in_source',
      kept === 1
        ? '1 user of the tenant is not in the source, or inactive there, and stays unchanged.'
        : `${kept} users of the tenant are not in the source, or inactive there, and stay unchanged.`,
    );
  return { actions, protected: protectedCount };
};

/** Whether an address belongs to a single user. */
export const isOne = (there: ExistingUser | readonly ExistingUser[] | undefined): there is ExistingUser =>
  there !== undefined && 'userId' in there;
