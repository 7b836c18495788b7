import type { UserInput } from '@vitrine/contract/service';
import type { UserField, UserFieldValues } from '../desiredState.ts';
import { type DesiredUser, likelyRefusal, missingForCreate } from '../people.ts';
import { differingFields } from '../userFieldValues.ts';
import type { Warnings } from './createWarnings.ts';
import type { ExistingUser } from './existingUsers.ts';
import { type FieldChange, isRemoval, type PlanConflict, type UserAction } from './syncPlan.ts';
import type { UnknownNames } from './unknownNames.ts';

/** A resolved reference to a unit; `unknown` stops the plan, `ambiguous` is a conflict of its row. */
export type UnitReference = { readonly id: string } | 'unknown' | 'ambiguous';

/** Rules for reading a row: defaults, and the meaning of names. */
export interface UserPlanRules {
  readonly defaults: Partial<UserInput>;
  /** Whether a list in a row replaces the existing list, or is added to it. */
  readonly lists: 'replace' | 'add';
  /** Whether the name and type of an existing user are updated or kept. */
  readonly names: 'update' | 'keep';
  /** Whether an empty list in a row removes all roles or units. */
  readonly emptyClears: boolean;
  /** Returns the identifier of a unit, the path of a new one, or why neither. */
  readonly resolveUnit: (reference: string) => UnitReference;
  readonly isKnownRole: (name: string) => boolean;
  readonly isAdministratorRole: (name: string) => boolean;
}

/** The existing user that a row is compared with, and the collectors of findings. */
export interface RowContext {
  readonly key: string;
  readonly where: string;
  readonly there: ExistingUser | undefined;
  readonly rules: UserPlanRules;
  readonly warnings: Warnings;
  readonly unknown: UnknownNames;
}

/** Plans one desired user: an action, nothing, or a conflict. */
export const planUserRow = (
  given: DesiredUser,
  context: RowContext,
): UserAction | PlanConflict | undefined => {
  const { key, where, there, rules, warnings } = context;
  const row = rules.emptyClears ? given : withoutEmptyLists(given);
  const units = resolveUnits(row, context);
  if (units !== undefined && 'code' in units) return units;
  const full = there === undefined ? { ...rules.defaults, ...withoutUndefined(row) } : row;
  const refusal = likelyRefusal({ ...full, email: row.email }, there?.fields.type);
  if (refusal !== undefined) warnings.add('may_be_refused', `${where} may be refused: ${refusal}.`);
  for (const role of full.roles ?? []) if (!rules.isKnownRole(role)) context.unknown.add('role', role, where);

  if (there === undefined) {
    const lacking = missingForCreate({ ...full, email: row.email });
    if (lacking.length > 0)
      return {
        code: 'invalid_row',
        key,
        message: `${where} is for the new user ${row.email.trim()}, but lacks ${lacking.join(', ')}.`,
      };
    const roles = unique(full.roles ?? []);
    return {
      action: 'create',
      resource: 'user',
      key,
      input: {
        type: full.type ?? '',
        email: row.email.trim().normalize('NFC'),
        firstName: full.firstName ?? '',
        lastName: full.lastName ?? '',
        roles,
        organizationUnits: unique(units ?? full.organizationUnits ?? []),
      },
      ...administratorRoles([], roles, rules),
    };
  }
  const listOf = (list: readonly string[], current: readonly string[] | undefined) =>
    unique(rules.lists === 'add' ? [...(current ?? []), ...list] : list);
  const desired: UserFieldValues = {
    ...(rules.names === 'update' && pickNames(row)),
    ...(row.roles !== undefined && { roles: listOf(row.roles, there.fields.roles) }),
    ...(units !== undefined && { organizationUnits: listOf(units, there.fields.organizationUnits) }),
  };
  const changes: Partial<Record<UserField, FieldChange>> = {};
  for (const field of differingFields(desired, there.fields)) {
    const from = there.fields[field];
    const to = desired[field];
    if (from === undefined)
      warnings.add(
        'cannot_be_compared',
        `The portal's list of users does not show ${field}, so it cannot be compared and stays unchanged.`,
      );
    else if (to !== undefined) changes[field] = { from, to };
  }
  if (Object.keys(changes).length === 0) return undefined;
  const { email, userId, fields } = there;
  const action = { action: 'update', resource: 'user', key, email, userId, changes } as const;
  if (there.isProtected && isRemoval(action))
    return {
      code: 'protected_user',
      key,
      message: `${where} takes all roles or units from ${email}, who is protected.`,
    };
  const before = fields.roles ?? [];
  const after = changes.roles === undefined ? before : (desired.roles ?? before);
  return { ...action, ...administratorRoles(before, after, rules) };
};

/** The administrator roles that a user gains and loses by a change of roles. */
export const administratorRoles = (
  before: readonly string[],
  after: readonly string[],
  { isAdministratorRole }: Pick<UserPlanRules, 'isAdministratorRole'>,
): Pick<UserAction, 'administratorRolesGained' | 'administratorRolesLost'> => {
  const gained = after.filter((role) => isAdministratorRole(role) && !before.includes(role));
  const lost = before.filter((role) => isAdministratorRole(role) && !after.includes(role));
  return {
    ...(gained.length > 0 && { administratorRolesGained: gained }),
    ...(lost.length > 0 && { administratorRolesLost: lost }),
  };
};

const resolveUnits = (
  { email, organizationUnits: references }: DesiredUser,
  { key, where, rules, unknown }: RowContext,
): readonly string[] | PlanConflict | undefined => {
  if (references === undefined) return undefined;
  const units: string[] = [];
  for (const reference of references) {
    const unit = rules.resolveUnit(reference);
    if (unit === 'ambiguous')
      return {
        code: 'ambiguous_organization_unit',
        key,
        message: `${where} puts ${email} in ${reference}, which matches several units.`,
      };
    if (unit === 'unknown') unknown.add('organizational unit', reference, where);
    else units.push(unit.id);
  }
  return units;
};

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

const pickNames = ({ type, firstName, lastName }: DesiredUser): UserFieldValues => ({
  ...(type !== undefined && { type }),
  ...(firstName !== undefined && { firstName }),
  ...(lastName !== undefined && { lastName }),
});

const withoutEmptyLists = ({ roles, organizationUnits, ...row }: DesiredUser): DesiredUser => ({
  ...row,
  ...(roles?.length !== 0 && { roles }),
  ...(organizationUnits?.length !== 0 && { organizationUnits }),
});

const withoutUndefined = (row: DesiredUser): Partial<UserInput> => ({
  ...pickNames(row),
  ...(row.roles !== undefined && { roles: row.roles }),
});
