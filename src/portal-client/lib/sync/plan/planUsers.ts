import { isEmailAddress, type UserInput } from '@vitrine/contract';
import { emailKey } from '../../resources/emailKey.ts';
import type { DesiredUser, Rows, UserField, UserFieldValues } from '../desired.ts';
import { differingFields } from '../userFieldValues.ts';
import { likelyRefusal, missingForCreate, problemOf } from './checkDesiredUser.ts';
import type { ExistingUser, ExistingUsers } from './existingUsers.ts';
import type { FieldChange, PlanConflict, UserAction } from './plan.ts';
import { isOne, planRemovals } from './planRemovals.ts';
import { createWarnings, type Warnings } from './planWarnings.ts';
import { createUnknownNames, type UnknownNames } from './unknownNames.ts';

/** What to do with users of the tenant that are not wanted. */
export type MissingPolicy = 'keep' | 'disable' | 'delete';

/** What planning users needs. */
export interface UserPlanInput {
  readonly wanted: Rows<DesiredUser>;
  readonly existing: ExistingUsers;
  readonly missing: MissingPolicy;
  readonly defaults: Partial<UserInput>;
  /** Whether a wanted list replaces the list there is, or is added to it. */
  readonly lists: 'replace' | 'add';
  /** The identifier of a unit, a path of one to be created, or why neither. */
  readonly resolveUnit: (reference: string) => UnitReference;
  readonly isKnownRole: (name: string) => boolean;
  readonly isAdministratorRole: (name: string) => boolean;
  readonly onRead?: ((count: number) => void) | undefined;
}

/** What a reference to a unit means; `unknown` stops the plan, `ambiguous` is a conflict of its row. */
export type UnitReference = { readonly id: string } | 'unknown' | 'ambiguous';

/** What planning users gives. */
export interface UserPlan {
  readonly actions: readonly UserAction[];
  readonly conflicts: readonly PlanConflict[];
  readonly warnings: Warnings;
  readonly unchanged: number;
  readonly desiredUsers: number;
  /** Rows read, with those that want nobody. */
  readonly rowsRead: number;
  readonly protected: number;
  /** What rows name and the tenant does not have. A plan with any is refused. */
  readonly unknown: UnknownNames;
}

/**
 * Compares wanted users with the users there are, row by row: the source may be of any length, and only what has to
 * change is kept. A row that cannot be used is a conflict, and its address then counts as wanted: nobody is removed
 * because of a broken row.
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

  for await (const row of input.wanted) {
    counts.rowsRead += 1;
    input.onRead?.(counts.rowsRead);
    const where = row.origin ?? `row ${counts.rowsRead}`;
    const problem = problemOf(row);
    const isAddressed = saysWhomItMeans(row, existing);
    const key = isAddressed ? emailKey(row.email) : where;
    if (problem !== undefined) {
      if (!isAddressed) counts.unaddressed += 1;
      spoken.set(key, where);
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
    const step = planRow(row, {
      key,
      where,
      there: isOne(there) ? there : undefined,
      input,
      warnings,
      unknown,
    });
    if (step === undefined) counts.unchanged += 1;
    else if ('code' in step) conflict(key, step.code, step.message);
    else actions.set(key, step);
  }

  const desiredUsers = spoken.size - unwanted.size - counts.unaddressed;
  // A row without an address, or with a misspelt one, may mean anybody: then no user counts as absent from the source.
  const removals =
    counts.unaddressed > 0 && input.missing !== 'keep'
      ? { actions: [], protected: 0 }
      : planRemovals(input, { spoken, unwanted, conflicted, warnings });
  if (counts.unaddressed > 0 && input.missing !== 'keep')
    warnings.add(
      'removals_held_back',
      `No user is removed: it is not known whom ${counts.unaddressed} ${counts.unaddressed === 1 ? 'row without a valid e-mail address means' : 'rows without a valid e-mail address mean'}. Correct the source and plan again.`,
    );
  for (const removal of removals.actions) actions.set(removal.key, removal);
  if (existing.withoutEmail > 0)
    warnings.add(
      'user_without_email',
      `${existing.withoutEmail} users of the tenant have no e-mail address and are left alone.`,
    );
  return {
    actions: [...actions.values()],
    conflicts,
    warnings,
    unchanged: counts.unchanged,
    desiredUsers,
    rowsRead: counts.rowsRead,
    protected: removals.protected,
    unknown,
  };
};

/** Whether a row has an address, or one that is malformed but belongs to a user of the tenant. */
const saysWhomItMeans = ({ email }: DesiredUser, { byKey }: ExistingUsers): boolean =>
  typeof email === 'string' && (isEmailAddress(email.trim()) || byKey.has(emailKey(email)));

interface RowContext {
  readonly key: string;
  readonly where: string;
  readonly there: ExistingUser | undefined;
  readonly input: UserPlanInput;
  readonly warnings: Warnings;
  readonly unknown: UnknownNames;
}

const planRow = (row: DesiredUser, context: RowContext): UserAction | PlanConflict | undefined => {
  const { key, where, there, input, warnings } = context;
  const units = resolveUnits(row, context);
  if (units !== undefined && 'code' in units) return units;
  const full = there === undefined ? { ...input.defaults, ...withoutUndefined(row) } : row;
  const refusal = likelyRefusal({ ...full, email: row.email }, there?.fields.type);
  if (refusal !== undefined) warnings.add('may_be_refused', `${where} may be refused: ${refusal}.`);
  for (const role of full.roles ?? []) if (!input.isKnownRole(role)) context.unknown.add('role', role, where);

  if (there === undefined) {
    const lacking = missingForCreate({ ...full, email: row.email });
    if (lacking.length > 0)
      return {
        code: 'invalid_row',
        key,
        message: `${where} is for the new user ${row.email.trim()}, but lacks ${lacking.join(', ')}.`,
      };
    return {
      action: 'create',
      resource: 'user',
      key,
      input: {
        type: full.type ?? '',
        email: row.email.trim().normalize('NFC'),
        firstName: full.firstName ?? '',
        lastName: full.lastName ?? '',
        roles: unique(full.roles ?? []),
        organizationUnits: unique(units ?? full.organizationUnits ?? []),
      },
    };
  }
  const listOf = (list: readonly string[], current: readonly string[] | undefined) =>
    unique(input.lists === 'add' ? [...(current ?? []), ...list] : list);
  const wanted: UserFieldValues = {
    ...pickNames(row),
    ...(row.roles !== undefined && { roles: listOf(row.roles, there.fields.roles) }),
    ...(units !== undefined && { organizationUnits: listOf(units, there.fields.organizationUnits) }),
  };
  const changes: Partial<Record<UserField, FieldChange>> = {};
  for (const field of differingFields(wanted, there.fields)) {
    const from = there.fields[field];
    const to = wanted[field];
    if (from === undefined)
      warnings.add(
        'cannot_be_compared',
        `The portal's list of users does not show ${field}, so it cannot be compared and is left alone.`,
      );
    else if (to !== undefined) changes[field] = { from, to };
  }
  if (Object.keys(changes).length === 0) return undefined;
  const lost = (there.fields.roles ?? []).filter(
    (role) => input.isAdministratorRole(role) && changes.roles?.to.includes(role) === false,
  );
  return {
    action: 'update',
    resource: 'user',
    key,
    email: there.email,
    userId: there.userId,
    changes,
    ...(lost.length > 0 && { administratorRolesLost: lost }),
  };
};

const resolveUnits = (
  { email, organizationUnits: references }: DesiredUser,
  { key, where, input, unknown }: RowContext,
): readonly string[] | PlanConflict | undefined => {
  if (references === undefined) return undefined;
  const units: string[] = [];
  for (const reference of references) {
    const unit = input.resolveUnit(reference);
    if (unit === 'ambiguous')
      return {
        code: 'ambiguous_organization_unit',
        key,
        message: `${where} puts ${email} in ${reference}, which names several units.`,
      };
    if (unit === 'unknown') unknown.add('organizational unit', reference, where);
    else units.push(unit.id);
  }
  return units;
};

/** Two addresses that only differ by compatible characters (full-width letters, ligatures) are likely one person. */
const noteLookalike = (key: string, seen: Map<string, string>, warnings: Warnings) => {
  // Only addresses beyond ASCII can have one; the others need no memory.
  const folded = key.normalize('NFKC').toLowerCase();
  if (folded === key) return;
  const other = seen.get(folded);
  if (other === undefined) seen.set(folded, key);
  warnings.add('looks_alike', `${key} looks like ${other ?? folded}: is it meant to be another address?`);
};

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

const pickNames = ({ type, firstName, lastName }: DesiredUser): UserFieldValues => ({
  ...(type !== undefined && { type }),
  ...(firstName !== undefined && { firstName }),
  ...(lastName !== undefined && { lastName }),
});

const withoutUndefined = (row: DesiredUser): Partial<UserInput> => ({
  ...pickNames(row),
  ...(row.roles !== undefined && { roles: row.roles }),
});
