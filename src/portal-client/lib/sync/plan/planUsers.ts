import { quoteText } from '@vitrine/contract';
import { emailKey } from '@vitrine/contract/service';
import type { Rows } from '../desiredState.ts';
import { addressesIn, type DesiredUser, isPlainAddress, problemOf } from '../people.ts';
import { createWarnings, type Warnings } from './createWarnings.ts';
import type { ExistingUsers } from './existingUsers.ts';
import { isOne, planRemovals } from './planRemovals.ts';
import { planUserRow, type UserPlanRules } from './planUserRow.ts';
import type { PlanConflict, UserAction } from './syncPlan.ts';
import { createUnknownNames, type UnknownNames } from './unknownNames.ts';

/** What to do with users of the tenant that are not desired. */
export type MissingPolicy = 'keep' | 'disable' | 'delete';

/** Inputs of {@link planUsers}. */
export interface UserPlanInput extends UserPlanRules {
  readonly desired: Rows<DesiredUser>;
  readonly existing: ExistingUsers;
  readonly missing: MissingPolicy;
  readonly onRead?: ((count: number) => void) | undefined;
}

/** The plan for users. */
export interface UserPlan {
  readonly actions: readonly UserAction[];
  readonly conflicts: readonly PlanConflict[];
  readonly warnings: Warnings;
  readonly unchanged: number;
  readonly desiredUsers: number;
  /** Number of rows read, including inactive users. */
  readonly rowsRead: number;
  readonly protected: number;
  /** Names in rows that the tenant does not have. A plan with any is rejected. */
  readonly unknown: UnknownNames;
}

/**
 * Compares desired users with existing users, row by row: the source may have any length, and only changes are kept. An
 * invalid row is a conflict, and its address counts as desired: no user is removed because of a broken row.
 */
export const planUsers = async (input: UserPlanInput): Promise<UserPlan> => {
  const { existing } = input;
  const actions = new Map<string, UserAction>();
  const conflicts: PlanConflict[] = [];
  const warnings = createWarnings();
  const unknown = createUnknownNames();
  const spoken = new Map<string, string>();
  const unwanted = new Set<string>();
  const conflicted = new Set<string>();
  const lookalikes = new Map<string, string>();
  const counts = { rowsRead: 0, unchanged: 0, unaddressed: 0 };
  const conflict = (key: string, code: PlanConflict['code'], message: string) => {
    conflicted.add(key);
    conflicts.push({ code, key, message });
  };

  for await (const row of input.desired) {
    counts.rowsRead += 1;
    input.onRead?.(counts.rowsRead);
    const where = row.origin ?? `row ${counts.rowsRead}`;
    const problem = problemOf(row) ?? otherPerson(row, existing);
    const key = typeof row.email === 'string' && row.email.trim() !== '' ? emailKey(row.email) : where;
    if (problem !== undefined) {
      // A row that cannot be used speaks for everybody whose address is in it; without one, for anybody.
      const named = mentionsOf(row).filter((address) => existing.byKey.has(address));
      for (const address of named) conflicted.add(address);
      if (named.length === 0 && !isPlainAddress(row.email)) counts.unaddressed += 1;
      conflict(key, 'invalid_row', `${where} cannot be used: ${problem}.`);
      continue;
    }
    const earlier = spoken.get(key);
    if (earlier !== undefined) {
      actions.delete(key);
      conflict(
        key,
        'duplicate_row',
        `${earlier} and ${where} are both for ${row.email.trim()}; neither is used.`,
      );
      continue;
    }
    spoken.set(key, where);
    if (row.active === false) {
      unwanted.add(key);
      continue;
    }
    noteLookalike(key, lookalikes, warnings);
    const there = existing.byKey.get(key);
    if (Array.isArray(there)) {
      conflict(
        key,
        'duplicate_existing',
        `${row.email.trim()} belongs to ${there.length} users of the tenant.`,
      );
      continue;
    }
    const step = planUserRow(row, {
      key,
      where,
      there: isOne(there) ? there : undefined,
      rules: input,
      warnings,
      unknown,
    });
    if (step === undefined) counts.unchanged += 1;
    else if ('code' in step) conflict(key, step.code, step.message);
    else actions.set(key, step);
  }

  const desiredUsers = spoken.size - unwanted.size;
  // A row without a valid address may mean any user, so no user counts as missing from the source.
  const removals =
    counts.unaddressed > 0 && input.missing !== 'keep'
      ? { actions: [], protected: 0 }
      : planRemovals(input, { spoken, unwanted, conflicted, warnings });
  if (counts.unaddressed > 0 && input.missing !== 'keep')
    warnings.add(
      'removals_held_back',
      `No user is removed, because ${counts.unaddressed} ${counts.unaddressed === 1 ? 'row lacks' : 'rows lack'} a valid email address. Correct the source and plan again.`,
    );
  const planned = [...markRolesLostByMany([...actions.values()], existing.count), ...removals.actions];
  if (existing.withoutEmail > 0)
    warnings.add(
      'user_without_email',
      `${existing.withoutEmail} users of the tenant have no email address and stay unchanged.`,
    );
  return {
    actions: planned,
    conflicts,
    warnings,
    unchanged: counts.unchanged,
    desiredUsers,
    rowsRead: counts.rowsRead,
    protected: removals.protected,
    unknown,
  };
};

/** Marks the updates that take a role from more than ten users, or from at least three and most users of a small tenant. */
const markRolesLostByMany = (
  actions: readonly UserAction[],
  existingUsers: number,
): readonly UserAction[] => {
  const counts = new Map<string, number>();
  for (const role of actions.flatMap(rolesLost)) counts.set(role, (counts.get(role) ?? 0) + 1);
  const isMany = (count: number) => count > 10 || (count >= 3 && count > existingUsers / 2);
  return actions.map((action) => {
    const roles = rolesLost(action).filter((role) => isMany(counts.get(role) ?? 0));
    return roles.length === 0 ? action : { ...action, rolesLostByMany: roles };
  });
};

const rolesLost = (action: UserAction): readonly string[] => {
  if (action.action !== 'update') return [];
  const { from = [], to = [] } = action.changes.roles ?? {};
  return [from].flat().filter((role) => !to.includes(role));
};

/** The addresses for which a row that cannot be used may stand. */
const mentionsOf = ({ email, mentions = [] }: DesiredUser): readonly string[] =>
  typeof email === 'string' ? [emailKey(email), ...addressesIn(email), ...mentions] : mentions;

/** Whether the address of a row is that of somebody in the tenant with something before it. */
const otherPerson = ({ email }: DesiredUser, { byKey }: ExistingUsers): string | undefined =>
  !byKey.has(emailKey(email)) && addressesIn(email).some((address) => byKey.has(address))
    ? `its email address ${quoteText(email)} contains that of another user`
    : undefined;

/**
 * Warns about two addresses that differ only in compatible characters (full-width letters, ligatures): likely one
 * person.
 */
const noteLookalike = (key: string, seen: Map<string, string>, warnings: Warnings) => {
  // Only non-ASCII addresses can have a lookalike; do not store the others.
  const folded = key.normalize('NFKC').toLowerCase();
  if (folded === key) return;
  const other = seen.get(folded);
  if (other === undefined) seen.set(folded, key);
  warnings.add('looks_alike', `${key} looks like ${other ?? folded}: is it really another address?`);
};
