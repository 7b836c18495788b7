import { quoteText } from '@vitrine/contract';
import { emailKey } from '@vitrine/contract/service';
import { configError } from '../errors.ts';
import { isRecord } from '../json.ts';
import type { User } from '../rows.ts';
import { isEmptying, type KnownRole, withDangers } from './dangers.ts';
import type { DesiredUser } from './people.ts';
import type { PlanOptions } from './planOptions.ts';
import { isPlainAddress, problemOf } from './rowProblems.ts';
import { createTenantNames, type Draft, type UnitPlan } from './structure.ts';
import {
  differingFields,
  type Fingerprint,
  fieldsOf,
  isCreation,
  type PlanConflict,
  pickFields,
  type UserAction,
  type UserCreation,
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
}

/**
 * Compares users row by row: the source may have any length, and only changes are kept. A row that cannot be used is a
 * conflict: whoever has its address stays, and without a certain address nobody is removed. `roles` are those of the
 * tenant and of the source.
 */
export const createUserPlan = (
  draft: Draft,
  options: PlanOptions,
  units: UnitPlan,
  roles: readonly KnownRole[],
) => {
  const { missing = 'keep', defaults = {}, protect, emptyClears = false } = options;
  const names = createTenantNames(roles, units, options.createMissing);
  const existing = new Map<string, ExistingUser>();
  const actions = new Map<string, UserAction>();
  /** Where the row for each address stands. */
  const rows = new Map<string, string>();
  /** Addresses of users who stay: those of active rows, and of conflicts. */
  const staying = new Set<string>();
  const counts = { existingUsers: 0, rows: 0, desiredUsers: 0, isProtected: 0 };
  /** Rows that may be for anybody, and rows that were passed over. */
  let [unaddressed, withoutEmail] = [0, 0];
  const warn = (message: string) => void draft.warnings.add(message);
  const sharedLists = new Map<string, readonly string[]>();

  /** A list without repeated entries, in one copy: a hundred thousand users have a few combinations of roles and units. */
  const share = (texts: readonly string[]): readonly string[] => {
    const id = texts.join('\n');
    const list = sharedLists.get(id) ?? [...new Set(texts)];
    sharedLists.set(id, list);
    return list;
  };

  const shared = (fields: UserFieldValues): UserFieldValues =>
    fieldsOf(fields, (value) => (typeof value === 'string' ? value : share(value)));

  const conflict = (key: string, code: PlanConflict['code'], message: string): void => {
    staying.add(key);
    draft.conflicts.push({ code, key, message });
  };

  /** The fields that a row states: an empty list is none, unless it clears. */
  const filled = (fields: UserFieldValues): UserFieldValues =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => emptyClears || value.length > 0));

  /** Plans one user who is desired: an action, or nothing. */
  const planUser = (row: DesiredUser, key: string, where: string): void => {
    const there = existing.get(key);
    const problems: string[] = [];
    const given = filled(fieldsOf(row, (value) => (typeof value === 'string' ? value.trim() : value)));
    const wanted = names.resolve(there === undefined ? { ...defaults, ...given } : given, problems);
    if (problems.length > 0)
      return conflict(key, 'unknown_name', `${where} cannot be used: ${problems.join('; ')}.`);
    if (there === undefined) return planCreation(wanted, key, where, nfc(row.email));

    const { email, userId, fields, isProtected } = there;
    const desired = filled(wanted);
    const differing = differingFields(desired, fields);
    const changed = differing.filter((field) => fields[field] !== undefined);
    for (const field of differing)
      if (fields[field] === undefined) warnOfUnshown(field, 'so it cannot be compared and stays unchanged');
    const change = { from: pickFields(fields, changed), to: shared(pickFields(desired, changed)) };
    if (changed.length === 0) draft.unchanged += 1;
    else if (isProtected && isEmptying(change))
      conflict(key, 'protected_user', `${where} takes all roles or units from ${email}, who is protected.`);
    else actions.set(key, { action: 'update', resource: 'user', key, email, userId, ...change });
  };

  const planCreation = (wanted: UserFieldValues, key: string, where: string, email: string): void => {
    const { type, firstName, lastName } = wanted;
    if (type === undefined || firstName === undefined || lastName === undefined) {
      const lacking = Object.entries({ type, firstName, lastName }).filter(
        ([, value]) => value === undefined,
      );
      const fields = lacking.map(([field]) => field).join(', ');
      return conflict(key, 'invalid_row', `${where} is for the new user ${email}, but lacks ${fields}.`);
    }
    const { roles = [], organizationUnits = [] } = wanted;
    const to = {
      type,
      firstName,
      lastName,
      roles: share(roles),
      organizationUnits: share(organizationUnits),
    };
    actions.set(key, { action: 'create', resource: 'user', key, email, from: {}, to });
  };

  const warnOfUnshown = (field: string, effect: string): void =>
    warn(`The portal's list of users does not show ${field}, ${effect}.`);

  /** Plans the removal of the users who are not desired. Users in a conflict and protected users stay unchanged. */
  const planRemovals = (): void => {
    const leaving = [...existing].filter(([key]) => !staying.has(key));
    const created = leaving.length === 0 ? [] : [...actions.values()].filter(isCreation);
    const newcomerOf = matchNames(
      created,
      leaving.map(([, { fields }]) => fields),
    );
    let kept = 0;
    for (const [key, { email, userId, fields, isProtected }] of leaving) {
      const newcomer = newcomerOf(fields);
      if (newcomer !== undefined) actions.set(newcomer.key, { ...newcomer, maybeSameAs: email });
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
          ...(missing === 'delete'
            ? { from: fields, to: {} }
            : { from: { roles, organizationUnits }, to: { roles: [], organizationUnits: [] } }),
          ...(newcomer !== undefined && { maybeSameAs: newcomer.email }),
        });
    }
    if (kept > 0)
      warn(`Users of the tenant who are not in the source, or inactive there, and stay unchanged: ${kept}.`);
  };

  /** Whether a new address holds that of somebody in the tenant: after a sign, or between letters of cells that ran into it. */
  const holdsKnown = ({ email, isShort }: DesiredUser): boolean => {
    const text = nfc(email).toLowerCase();
    const at = text.indexOf('@');
    const parts = [text.replace(/^\P{L}+/u, '')];
    if (isShort === true)
      for (let start = 0; start < at; start += 1)
        for (let end = at + 2; end <= text.length; end += 1) parts.push(text.slice(start, end));
    return parts.some((part) => existing.has(part));
  };

  return {
    counts,
    /** Keeps the compared fields of a user of the tenant. */
    addExisting: (user: User): void => {
      counts.existingUsers += 1;
      const key = emailKey(user.email);
      if (user.type !== undefined) names.addType(user.type);
      // Without an address, it is in no source and never removed.
      if (key === '') return;
      existing.set(key, {
        userId: user.id,
        // The same text is not kept twice.
        email: user.email === key ? key : user.email,
        createdAt: user.createdAt ?? undefined,
        // Also a promise, which is no answer.
        isProtected: protect !== undefined && protect(user) !== false,
        fields: shared(fieldsOf(user)),
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
      // Somebody who is not active and not named is nobody of the tenant.
      if (isNobody && given.active === false) return;
      if (isNobody && options.skipWithoutEmail === true) {
        withoutEmail += 1;
        return;
      }
      const isPlain = isPlainAddress(email);
      const isAnothers = isPlain && !existing.has(key) && holdsKnown(given);
      const contained = `its email address ${quoteText(own)} contains that of another user`;
      const problem = problemOf(given) ?? (isAnothers ? contained : undefined);
      if (problem !== undefined) {
        // Without a certain address, it may be about anybody.
        if (existing.has(key) || (isPlain && !isAnothers)) counts.desiredUsers += 1;
        else unaddressed += 1;
        return conflict(key, 'invalid_row', `${where} cannot be used: ${problem}.`);
      }
      const earlier = rows.get(key);
      if (earlier !== undefined) {
        actions.delete(key);
        return conflict(
          key,
          'duplicate_row',
          `${earlier} and ${where} are both for ${own}; neither is used.`,
        );
      }
      rows.set(key, where);
      if (given.active === false) return;
      staying.add(key);
      counts.desiredUsers += 1;
      planUser(given, key, where);
    },
    /** Plans what depends on all rows: who is missing. */
    finish: (): void => {
      // Likely a failed export.
      const isEmpty = counts.desiredUsers + unaddressed === 0 && (counts.rows === 0 || missing !== 'keep');
      if (isEmpty && options.allowEmpty !== true)
        throw configError(
          'empty_source',
          `The source ${counts.rows === 0 ? 'contains no users' : 'lists no user to keep'}${missing === 'keep' ? '' : `, so every user of the tenant would be ${missing}d`}. Check the source; if this is intended, set {allowEmpty}.`,
        );
      if (unaddressed === 0 || missing === 'keep') planRemovals();
      else
        warn(
          `No user is removed, because ${unaddressed} ${unaddressed === 1 ? 'row lacks' : 'rows lack'} a valid email address. Correct the source and plan again.`,
        );
      if (withoutEmail > 0) warn(`Skipped ${counted(withoutEmail, 'row')} without an email address.`);
    },
    actions: () => withDangers([...actions.values()], counts.existingUsers, roles),
    /** The last users whom the plan does not delete: the first ones may be the same support staff in every tenant. */
    kept: (): Fingerprint['users'] =>
      [...existing]
        .filter(([key]) => actions.get(key)?.action !== 'delete')
        .slice(-3)
        .map(([, { userId, email, createdAt }]) => ({ userId, email, ...(createdAt && { createdAt }) })),
  };
};

/** Finds the new user who may be somebody who goes: of the same name, or of a first name that only these two have. */
const matchNames = (created: readonly UserCreation[], leaving: readonly UserFieldValues[]) => {
  const fullName = ({ firstName = '', lastName = '' }: UserFieldValues) => folded(`${firstName} ${lastName}`);
  const first = ({ firstName = '' }: UserFieldValues) => folded(firstName);
  const byName = new Map(created.map((action) => [fullName(action.to), action]));
  const byFirst = Map.groupBy(created, ({ to }) => first(to));
  const leavingByFirst = Map.groupBy(leaving, first);
  return (fields: UserFieldValues): UserCreation | undefined => {
    const alike = byFirst.get(first(fields));
    const isOnly = alike?.length === 1 && leavingByFirst.get(first(fields))?.length === 1;
    return byName.get(fullName(fields)) ?? (isOnly ? alike[0] : undefined);
  };
};
