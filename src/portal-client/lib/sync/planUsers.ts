import { quoteText } from '@vitrine/contract';
import { emailKey, type RoleInput, userTypes } from '@vitrine/contract/service';
import { configError, type PortalError } from '../errors.ts';
import { isRecord } from '../json.ts';
import type { User } from '../rows.ts';
import { isEmptying, withDangers } from './dangers.ts';
import type { DesiredUser } from './people.ts';
import type { PlanOptions } from './planOptions.ts';
import { isPlainAddress, problemOf } from './rowProblems.ts';
import { type Draft, type UnitPlan, unitPath, unknownName } from './structure.ts';
import {
  differingFields,
  type FieldChange,
  type Fingerprint,
  fieldsOf,
  type PlanConflict,
  type UserAction,
  type UserField,
  type UserFieldValues,
} from './syncPlan.ts';
import { counted, folded, nfc } from './text.ts';

/** The part of an existing user that planning needs. */
interface ExistingUser {
  readonly userId: string;
  readonly email: string;
  readonly createdAt: string | undefined;
  readonly fields: UserFieldValues;
  readonly isProtected: boolean;
  /** Where the row of the source for this user stands. */
  row: string | undefined;
  isInactive: boolean;
}

/**
 * Compares users row by row: the source may have any length, and only changes are kept. A row that cannot be used is a
 * conflict: whoever has its address stays, and without a certain address nobody is removed. `knownRoles` are those of the
 * tenant and of the source.
 */
export const createUserPlan = (
  draft: Draft,
  options: PlanOptions,
  units: UnitPlan,
  knownRoles: readonly Readonly<Partial<Pick<RoleInput, 'name' | 'type'>>>[],
) => {
  const { missing = 'keep', defaults = {}, protect, emptyClears = false } = options;
  const existing = new Map<string, ExistingUser>();
  const actions = new Map<string, UserAction>();
  /** Rows by the address that they are for, if nobody in the tenant has it. */
  const newRows = new Map<string, string>();
  const conflicted = new Set<string>();
  const counts = { existingUsers: 0, rows: 0, desiredUsers: 0, isProtected: 0 };
  /** Rows that may be for anybody, rows with a problem and an address, and rows without an address. */
  const passedOver = { unaddressed: 0, unusable: 0, withoutEmail: 0 };
  const named = knownRoles.flatMap(({ name, type }) => (name === undefined ? [] : [{ name, type }]));
  const roleNames = new Map(named.map(({ name }) => [nfc(name), name]));
  const administrators = new Set(named.filter(({ type }) => type === 'System').map(({ name }) => nfc(name)));
  const warn = (message: string) => void draft.warnings.add(message);
  /** The contract's, and those that the tenant uses. */
  const types = new Map<string, string>(userTypes.map((type) => [folded(type), type]));
  const sharedLists = new Map<string, readonly string[]>();

  /** A list without repeated entries, in one copy: a hundred thousand users have a few combinations of roles and units. */
  const share = (texts: readonly string[]): readonly string[] => {
    const id = texts.join('\n');
    const list = sharedLists.get(id) ?? [...new Set(texts)];
    sharedLists.set(id, list);
    return list;
  };

  const conflict = (key: string, code: PlanConflict['code'], message: string): void => {
    conflicted.add(key);
    draft.conflicts.push({ code, key, message });
  };

  /** Names types, roles and units as the tenant does, and adds to `problems` what cannot be used. */
  const resolveNames = (
    { type, roles, organizationUnits, ...fields }: UserFieldValues,
    problems: string[],
  ): UserFieldValues => {
    const knownType = type === undefined ? undefined : types.get(folded(type));
    if (type !== undefined && knownType === undefined)
      problems.push(`its type ${quoteText(type)} is not one of ${[...types.values()].join(', ')}`);
    return fieldsOf({
      ...fields,
      type: knownType,
      roles: roles?.map((name) => {
        const known = roleNames.get(nfc(name));
        if (known === undefined) problems.push(unknownName('role', name, roleNames.values()));
        return known ?? name;
      }),
      organizationUnits: organizationUnits?.flatMap((given) => {
        const reference = given.trim().startsWith('/') ? unitPath(given) : given.trim();
        // The root is no unit.
        if (reference === '') return [];
        const unit = units.find(reference, options.createMissing === true);
        if (typeof unit !== 'string') return [unit.id];
        problems.push(unit);
        return [];
      }),
    });
  };

  /** The fields that a row states: an empty list is none, unless it clears. */
  const filled = (fields: UserFieldValues): UserFieldValues =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => emptyClears || value.length > 0));

  /** Plans one user who is desired: an action, or nothing. */
  const planUser = (row: DesiredUser, key: string, where: string): void => {
    const there = existing.get(key);
    const problems: string[] = [];
    const given = filled(fieldsOf(row, (value) => (typeof value === 'string' ? value.trim() : value)));
    const resolved = resolveNames(there === undefined ? { ...defaults, ...given } : given, problems);
    if (problems.length > 0)
      return conflict(key, 'unknown_name', `${where} cannot be used: ${problems.join('; ')}.`);
    if (there === undefined) return planCreation(resolved, key, where, nfc(row.email));

    const { email, userId, fields, isProtected } = there;
    const desired = filled(resolved);
    const changes: Partial<Record<UserField, FieldChange>> = {};
    for (const field of differingFields(desired, fields)) {
      const [from, to] = [fields[field], desired[field]];
      if (from === undefined) warnOfUnshown(field, 'so it cannot be compared and stays unchanged');
      else if (to !== undefined) changes[field] = { from, to: typeof to === 'string' ? to : share(to) };
    }
    if (Object.keys(changes).length === 0) {
      draft.unchanged += 1;
      return;
    }
    if (isProtected && isEmptying(changes))
      return conflict(
        key,
        'protected_user',
        `${where} takes all roles or units from ${email}, who is protected.`,
      );
    actions.set(key, { action: 'update', resource: 'user', key, email, userId, changes });
  };

  const planCreation = (wanted: UserFieldValues, key: string, where: string, email: string): void => {
    const lacking = (['type', 'firstName', 'lastName'] as const).filter((name) => wanted[name] === undefined);
    if (lacking.length > 0)
      return conflict(
        key,
        'invalid_row',
        `${where} is for the new user ${email}, but lacks ${lacking.join(', ')}.`,
      );
    const { type = '', firstName = '', lastName = '', roles = [], organizationUnits = [] } = wanted;
    const lists = { roles: share(roles), organizationUnits: share(organizationUnits) };
    actions.set(key, {
      action: 'create',
      resource: 'user',
      key,
      input: { type, email, firstName, lastName, ...lists },
    });
  };

  const warnOfUnshown = (field: string, effect: string): void =>
    warn(`The portal's list of users does not show ${field}, ${effect}.`);

  /** Plans the removal of the users who are not desired. Users in a conflict and protected users stay unchanged. */
  const planRemovals = (): void => {
    const newcomers = new Map<string, Creation>();
    for (const action of existing.size === 0 ? [] : actions.values())
      if (action.action === 'create') newcomers.set(fullName(action.input), action);
    let kept = 0;
    for (const [key, there] of existing) {
      if (conflicted.has(key) || (there.row !== undefined && !there.isInactive)) continue;
      const { email, userId, fields, isProtected } = there;
      const newcomer = newcomers.get(fullName(fields));
      if (newcomer !== undefined) actions.set(newcomer.key, { ...newcomer, sameNameAs: email });
      const { roles, organizationUnits } = fields;
      if (isProtected) counts.isProtected += 1;
      else if (missing === 'keep') kept += 1;
      else if (roles === undefined || organizationUnits === undefined)
        warnOfUnshown('roles and units', 'so nobody is removed: it may be an administrator');
      else if (missing === 'delete' || roles.length + organizationUnits.length > 0)
        actions.set(key, {
          action: missing,
          resource: 'user',
          key,
          email,
          userId,
          before: fields,
          ...(newcomer !== undefined && { sameNameAs: newcomer.input.email }),
        });
    }
    if (kept > 0)
      warn(`Users of the tenant who are not in the source, or inactive there, and stay unchanged: ${kept}.`);
  };

  /**
   * Why a new address may be that of somebody in the tenant: with a sign before it, or with a letter of a cell that ran into
   * it.
   */
  const meantFor = ({ email, isShort }: DesiredUser): string | undefined => {
    if (existing.has(emailKey(email))) return undefined;
    const text = nfc(email).toLowerCase();
    const at = text.indexOf('@');
    const parts = [text.replace(/^\P{L}+/u, '')];
    if (isShort === true)
      for (let start = 0; start < at; start += 1)
        for (let end = at + 2; end <= text.length; end += 1) parts.push(text.slice(start, end));
    const there = parts.some((part) => existing.has(part));
    return there ? `its email address ${quoteText(email)} contains that of another user` : undefined;
  };

  return {
    counts,
    /** Keeps the compared fields of a user of the tenant. */
    addExisting: (user: User): void => {
      counts.existingUsers += 1;
      const key = emailKey(user.email);
      if (user.type !== undefined) types.set(folded(user.type), user.type);
      // Without an address, it is in no source and never removed.
      if (key === '') return;
      existing.set(key, {
        userId: user.id,
        // The same text is not kept twice.
        email: user.email === key ? key : user.email,
        createdAt: user.createdAt ?? undefined,
        isProtected: protect?.(user) === true,
        row: undefined,
        isInactive: false,
        fields: fieldsOf(user, (value) => (typeof value === 'string' ? value : share(value))),
      });
    },
    /** Plans one row of the source. */
    addRow: (given: DesiredUser): void => {
      counts.rows += 1;
      const where = given?.origin ?? `row ${counts.rows}`;
      const email: unknown = given?.email ?? '';
      const own = typeof email === 'string' ? email.trim() : '';
      const key = own === '' ? where : emailKey(own);
      const isNobody =
        isRecord(given) && given.problem === undefined && own === '' && typeof email === 'string';
      if (isNobody && (given.active === false || options.skipWithoutEmail === true)) {
        // Somebody who is not active and not named is nobody of the tenant.
        if (given.active !== false) passedOver.withoutEmail += 1;
        return;
      }
      const other = isPlainAddress(email) ? meantFor(given) : undefined;
      const problem = problemOf(given) ?? other;
      if (problem !== undefined) {
        // Without a certain address, it may be about anybody.
        if (existing.has(key) || (isPlainAddress(email) && other === undefined)) passedOver.unusable += 1;
        else passedOver.unaddressed += 1;
        return conflict(key, 'invalid_row', `${where} cannot be used: ${problem}.`);
      }
      const there = existing.get(key);
      const earlier = there?.row ?? newRows.get(key);
      if (earlier !== undefined) {
        actions.delete(key);
        return conflict(
          key,
          'duplicate_row',
          `${earlier} and ${where} are both for ${own}; neither is used.`,
        );
      }
      if (there === undefined) newRows.set(key, where);
      else there.row = where;
      if (given.active !== false) counts.desiredUsers += 1;
      if (given.active === false) {
        if (there !== undefined) there.isInactive = true;
      } else planUser(given, key, where);
    },
    /** Plans what depends on all rows: who is missing. */
    finish: (): void => {
      const { unaddressed, unusable, withoutEmail } = passedOver;
      counts.desiredUsers += unusable;
      const mayBeEmpty = (counts.rows > 0 && missing === 'keep') || options.allowEmpty === true;
      if (counts.desiredUsers === 0 && !mayBeEmpty) throw emptySource(counts.rows, unaddressed, missing);
      if (unaddressed > 0 && missing !== 'keep')
        warn(
          `No user is removed, because ${unaddressed} ${unaddressed === 1 ? 'row lacks' : 'rows lack'} a valid email address. Correct the source and plan again.`,
        );
      else planRemovals();
      if (withoutEmail > 0) warn(`Skipped ${counted(withoutEmail, 'row')} without an email address.`);
    },
    actions: () =>
      withDangers([...actions.values()], counts.existingUsers, (role) => administrators.has(role)),
    /** The last users whom the plan does not delete: the first ones may be the same support staff in every tenant. */
    kept: (): Fingerprint['users'] =>
      [...existing]
        .filter(([key]) => actions.get(key)?.action !== 'delete')
        .slice(-3)
        .map(([, { userId, email, createdAt }]) => ({ userId, email, ...(createdAt && { createdAt }) })),
  };
};

type Creation = Extract<UserAction, { action: 'create' }>;

const fullName = ({ firstName = '', lastName = '' }: UserFieldValues): string =>
  folded(`${firstName} ${lastName}`);

/**
 * Rejects a source without users, likely a failed export, and one without active users, which would empty the tenant. Only
 * allowing it does not help if rows cannot be used.
 */
const emptySource = (rows: number, unaddressed: number, missing: PlanOptions['missing']): PortalError => {
  const seen = rows === 0 ? 'The source contains no users' : 'The source lists no user to keep';
  const effect = missing === 'keep' ? '' : `, so every user of the tenant would be ${missing}d`;
  const advice =
    unaddressed === 0
      ? 'Check the source; if this is intended, set {allowEmpty}.'
      : `Correct the source. Rows without a valid email address: ${unaddressed} of ${rows}.`;
  return configError('empty_source', `${seen}${effect}. ${advice}`);
};
