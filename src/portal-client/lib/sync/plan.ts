import { randomUUID } from 'node:crypto';
import { quoteText } from '@vitrine/contract';
import { emailKey, type ItemInput, type RoleInput, type UserInput } from '@vitrine/contract/service';
import { checkOptions, type OptionNames, PortalError } from '../errors.ts';
import { collect } from '../paging.ts';
import type { ListOperation, User } from '../rows.ts';
import {
  addressesIn,
  type DesiredUser,
  isPlainAddress,
  problemOf,
  type SourceReading,
  type UserSource,
} from './people.ts';
import {
  createUnitPlan,
  type DesiredOrganizationUnit,
  type Draft,
  items,
  planRows,
  type Rows,
  roles,
  unitPath,
  warn,
} from './structure.ts';
import {
  countActions,
  differingFields,
  type FieldChange,
  type Fingerprint,
  fieldsOf,
  isRemoval,
  type PlanAction,
  type PlanConflict,
  planFormat,
  type SyncPlan,
  type UserAction,
  type UserField,
  type UserFieldValues,
} from './syncPlan.ts';
import { roleMark, type SyncPort } from './tenant.ts';
import { nameList, nfc } from './text.ts';

/** The desired state of a tenant. Omitted parts stay unchanged. */
export interface DesiredState {
  readonly users?: Rows<DesiredUser> | undefined;
  readonly roles?: Rows<RoleInput> | undefined;
  readonly organizationUnits?: Rows<DesiredOrganizationUnit> | undefined;
  readonly items?: Rows<ItemInput> | undefined;
}

/** Progress of planning. */
export interface PlanProgress {
  readonly phase: 'reading the tenant' | 'comparing';
  readonly count: number;
}

/** Options of `planSync`. */
export interface PlanOptions {
  /** What to do with users of the tenant who are not in the source, or not active there. Default `keep`. */
  readonly missing?: 'keep' | 'disable' | 'delete' | undefined;
  /** Users who are never disabled or deleted, whatever the source says, such as administrators. */
  readonly protect?: ((user: User) => boolean) | undefined;
  /** Default fields of new users. */
  readonly defaults?: Partial<UserInput> | undefined;
  /** Whether roles and units of the source replace the existing ones or are added. Default `replace`. */
  readonly lists?: 'replace' | 'add' | undefined;
  /** Whether an empty list of roles or units in a row removes all of them. Default false: they stay unchanged. */
  readonly emptyClears?: boolean | undefined;
  /** Whether units that only a user's row names, by path, are created. Default false: such a row is a conflict. */
  readonly createMissing?: boolean | undefined;
  /** Whether rows without an email address are passed over. Default false: they are conflicts, and nobody is removed. */
  readonly skipWithoutEmail?: boolean | undefined;
  /** Accepts a source without users, or without users to keep. Default false: this is an error. */
  readonly allowEmpty?: boolean | undefined;
  /** Aborts planning, which then rejects. Nothing is changed. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the progress. */
  readonly onProgress?: ((progress: PlanProgress) => void) | undefined;
}

const desiredNames: OptionNames<DesiredState> = {
  users: true,
  roles: true,
  organizationUnits: true,
  items: true,
};
const optionNames: OptionNames<PlanOptions> = {
  missing: { kind: 'choice', values: ['keep', 'disable', 'delete'] },
  protect: { kind: 'function' },
  defaults: true,
  lists: { kind: 'choice', values: ['replace', 'add'] },
  emptyClears: { kind: 'boolean' },
  createMissing: { kind: 'boolean' },
  skipWithoutEmail: { kind: 'boolean' },
  allowEmpty: { kind: 'boolean' },
  signal: true,
  onProgress: { kind: 'function' },
};

/**
 * Compares a tenant with the desired state and returns the necessary changes. Only sends GET. Rejects if the source cannot
 * be read to its end.
 */
export const planSync = async (
  port: SyncPort,
  desired: DesiredState,
  options: PlanOptions = {},
): Promise<SyncPlan> => {
  checkOptions('The desired state', desired, desiredNames);
  checkOptions('planSync', options, optionNames);
  const { signal, onProgress } = options;
  const draft: Draft = { structure: [], conflicts: [], warnings: new Map(), unchanged: 0 };
  const list = <TOperation extends ListOperation>(operation: TOperation) => port.list(operation, { signal });
  const needsUnits = desired.organizationUnits !== undefined || desired.users !== undefined;
  const units = createUnitPlan(draft, needsUnits ? await collect(list('listOrganizationUnits')) : []);
  const [existingRoles, roleRows] = [await collect(list('listRoles')), await collect(desired.roles ?? [])];
  planRows(draft, roles, roleRows, existingRoles);
  for await (const unit of desired.organizationUnits ?? []) units.add(unit.path, unit.directoryGroupId);
  if (desired.items !== undefined)
    planRows(draft, items, await collect(desired.items), await collect(list('listItems')));

  const people = createPeoplePlan(draft, options, units, [...existingRoles, ...roleRows]);
  if (desired.users !== undefined) {
    for await (const user of list('listUsers')) {
      people.addExisting(user);
      onProgress?.({ phase: 'reading the tenant', count: people.counts.existingUsers });
    }
    for await (const row of desired.users) {
      signal?.throwIfAborted();
      people.addRow(row);
      onProgress?.({ phase: 'comparing', count: people.counts.rows });
    }
    people.finish();
  }
  const source = readingOf(desired.users);
  if (source !== undefined && source.doubtful.length > 0)
    warn(
      draft,
      'unread_state',
      `Nothing that was read says who has left, but ${nameList(source.doubtful)} may: look at it, and map it to active or blocked if it does.`,
    );

  const actions = [...draft.structure, ...people.actions()].toSorted((one, other) => rank(one) - rank(other));
  const { existingUsers, desiredUsers, isProtected } = people.counts;
  return {
    ...planFormat,
    id: randomUUID(),
    createdAt: new Date().toISOString(),
    baseUrl: port.baseUrl,
    fingerprint: { roles: existingRoles.map(roleMark), users: people.keptUsers() },
    ...(source !== undefined && { source }),
    actions,
    conflicts: draft.conflicts,
    warnings: [...draft.warnings.values()],
    counts: {
      ...countActions(actions),
      unchanged: draft.unchanged,
      conflicts: draft.conflicts.length,
      existingUsers,
      desiredUsers,
      protected: isProtected,
    },
    unitPaths: Object.fromEntries(units.paths),
  };
};

/** How a source of users was read, if it says so. */
const readingOf = (users: DesiredState['users']): SourceReading | undefined =>
  users !== undefined && 'reading' in users && typeof users.reading === 'function'
    ? (users as UserSource).reading()
    : undefined;

/** Sort order of actions: structure first, because users need it; removals last. */
const rank = ({ action, resource }: PlanAction): number =>
  ({ create: 0, update: 10, disable: 20, delete: 30 })[action] +
  { role: 0, organizationUnit: 1, item: 2, user: 3 }[resource];

/** The part of an existing user that planning needs. */
interface ExistingUser {
  readonly userId: string;
  readonly email: string;
  readonly fields: UserFieldValues;
  readonly isProtected: boolean;
  /** The row of the source for this user. */
  row: RowMark | undefined;
  isInactive: boolean;
}

/** Where a row stands in its source, or its number: a hundred thousand texts would take more room. */
type RowMark = string | number;

const placeOf = (row: RowMark): string => (typeof row === 'number' ? `row ${row}` : row);

type NamedRole = Readonly<Partial<Pick<RoleInput, 'name' | 'type'>>>;

/**
 * Compares users row by row: the source may have any length, and only changes are kept. A row that cannot be used is a
 * conflict, and its address counts as desired: no user is removed because of a broken row. `knownRoles` are those of the
 * tenant and of the source.
 */
const createPeoplePlan = (
  draft: Draft,
  options: PlanOptions,
  units: ReturnType<typeof createUnitPlan>,
  knownRoles: readonly NamedRole[],
) => {
  const { missing = 'keep', defaults = {}, protect, emptyClears = false } = options;
  const existing = new Map<string, ExistingUser>();
  /** Addresses of several users of the tenant. */
  const shared = new Map<string, number>();
  const actions = new Map<string, UserAction>();
  /** Rows by the address that they are for, if nobody in the tenant has it. */
  const newRows = new Map<string, RowMark>();
  const conflicted = new Set<string>();
  /** Users of the tenant of whom a row has the address as a further one. */
  const otherwiseNamed = new Map<
    string,
    { readonly key: string; readonly email: string; readonly mark: RowMark }
  >();
  const counts = { existingUsers: 0, rows: 0, desiredUsers: 0, isProtected: 0 };
  /** Rows that may be for anybody, rows with a problem and an address, and what has no address. */
  const passedOver = { unaddressed: 0, unusable: 0, withoutEmail: 0, usersWithoutEmail: 0 };
  const named = knownRoles.flatMap(({ name, type }) => (name === undefined ? [] : [{ name, type }]));
  const roleNames = new Map(named.map(({ name }) => [nfc(name), name]));
  const administrators = new Set(named.filter(({ type }) => type === 'System').map(({ name }) => nfc(name)));
  const share = createPool();

  const conflict = (key: string, code: PlanConflict['code'], message: string): void => {
    conflicted.add(key);
    draft.conflicts.push({ code, key, message });
  };

  /** Roles of type `System` that a user gains and loses by a change of roles. */
  const administratorRoles = (before: readonly string[], after: readonly string[]) => {
    const missingIn = (list: readonly string[], other: readonly string[]) => {
      const known = new Set(other.map(nfc));
      return list.filter((role) => administrators.has(nfc(role)) && !known.has(nfc(role)));
    };
    const [gained, lost] = [missingIn(after, before), missingIn(before, after)];
    return {
      ...(gained.length > 0 && { administratorRolesGained: gained }),
      ...(lost.length > 0 && { administratorRolesLost: lost }),
    };
  };

  /** Names roles and units as the tenant does, and adds to `problems` what cannot be used. */
  const resolveLists = (
    { roles: roleList, organizationUnits, ...fields }: UserFieldValues,
    problems: string[],
  ) =>
    fieldsOf({
      ...fields,
      roles: roleList?.map((name) => {
        const known = roleNames.get(nfc(name));
        if (known === undefined) problems.push(unknownName('role', name, roleNames.values()));
        return known ?? name;
      }),
      organizationUnits: organizationUnits?.flatMap((given) => {
        const reference = given.trim().startsWith('/') ? unitPath(given) : given.trim();
        // The root is no unit.
        if (reference === '') return [];
        if (
          reference.startsWith('/') &&
          options.createMissing === true &&
          units.find(reference) === 'unknown'
        )
          units.add(reference);
        const unit = units.find(reference);
        if (unit === 'ambiguous') problems.push(`${given} matches several organizational units`);
        if (unit === 'unknown') problems.push(unknownName('organizational unit', given, units.known()));
        return typeof unit === 'string' ? [] : [unit.id];
      }),
    });

  /** The fields that a row states: an empty list is none, unless it clears. */
  const filled = (fields: UserFieldValues): UserFieldValues =>
    emptyClears || (fields.roles?.length !== 0 && fields.organizationUnits?.length !== 0)
      ? fields
      : // Only lists can be empty.
        Object.fromEntries(Object.entries(fields).filter(([, value]) => value.length > 0));

  /** Plans one user who is desired: an action, or nothing. */
  const planUser = (row: DesiredUser, key: string, where: string): void => {
    const there = existing.get(key);
    const problems: string[] = [];
    const given = filled(fieldsOf(row, trimmed));
    const resolved = resolveLists(there === undefined ? { ...defaults, ...given } : given, problems);
    if (problems.length > 0)
      return conflict(key, 'unknown_name', `${where} cannot be used: ${problems.join('; ')}.`);
    if (there === undefined) return planCreation(resolved, key, where, nfc(row.email));

    const wanted = filled(resolved);
    const { email, userId, fields, isProtected } = there;
    const changes: Partial<Record<UserField, FieldChange>> = {};
    const desired: UserFieldValues =
      options.lists === 'add'
        ? {
            ...wanted,
            ...fieldsOf({
              roles: wanted.roles && [...(fields.roles ?? []), ...wanted.roles],
              organizationUnits: wanted.organizationUnits && [
                ...(fields.organizationUnits ?? []),
                ...wanted.organizationUnits,
              ],
            }),
          }
        : wanted;
    for (const field of differingFields(desired, fields)) {
      const [from, to] = [fields[field], desired[field]];
      if (from === undefined)
        warn(
          draft,
          'cannot_be_compared',
          `The portal's list of users does not show ${field}, so it cannot be compared and stays unchanged.`,
        );
      else if (to !== undefined) changes[field] = { from, to: typeof to === 'string' ? to : unique(to) };
    }
    if (Object.keys(changes).length === 0) {
      draft.unchanged += 1;
      return;
    }
    const action = { action: 'update', resource: 'user', key, email, userId, changes } as const;
    if (isProtected && isRemoval(action))
      return conflict(
        key,
        'protected_user',
        `${where} takes all roles or units from ${email}, who is protected.`,
      );
    const before = fields.roles ?? [];
    const after = changes.roles === undefined ? before : (desired.roles ?? before);
    actions.set(key, { ...action, ...administratorRoles(before, after) });
  };

  const planCreation = (wanted: UserFieldValues, key: string, where: string, email: string): void => {
    const lacking = (['type', 'firstName', 'lastName'] as const).filter((name) => wanted[name] === undefined);
    if (lacking.length > 0)
      return conflict(
        key,
        'invalid_row',
        `${where} is for the new user ${email}, but lacks ${lacking.join(', ')}.`,
      );
    const { type = '', firstName = '', lastName = '', roles: roleList = [], organizationUnits = [] } = wanted;
    const lists = { roles: share(unique(roleList)), organizationUnits: share(unique(organizationUnits)) };
    actions.set(key, {
      action: 'create',
      resource: 'user',
      key,
      input: { type: share(type), email, firstName: share(firstName), lastName, ...lists },
      ...administratorRoles([], roleList),
    });
  };

  /** Plans the removal of the users who are not desired. Users in a conflict and protected users stay unchanged. */
  const planRemovals = (): void => {
    const leavers = [...existing].filter(
      ([key, { row, isInactive }]) => !conflicted.has(key) && (row === undefined || isInactive),
    );
    const newcomers = [...actions.values()].filter((action) => action.action === 'create');
    const newcomerOf = samePeople(leavers, newcomers);
    let kept = 0;
    for (const [key, there] of leavers) {
      const newcomer = newcomerOf.get(key);
      const sameNameAs = newcomer?.input.email;
      if (newcomer !== undefined) {
        actions.set(newcomer.key, { ...newcomer, sameNameAs: there.email });
        warn(
          draft,
          'may_be_the_same_person',
          `${sameNameAs} is new, and has a name of ${there.email}, who is not in the source: is it a new address of the same person?`,
        );
      }
      if (there.isProtected) counts.isProtected += 1;
      else if (missing === 'keep' || shared.has(key)) kept += shared.get(key) ?? 1;
      else planRemoval(key, there, missing, sameNameAs);
    }
    if (kept > 0)
      warn(
        draft,
        'not_in_source',
        kept === 1
          ? '1 user of the tenant is not in the source, or inactive there, and stays unchanged.'
          : `${kept} users of the tenant are not in the source, or inactive there, and stay unchanged.`,
      );
  };

  /** Keeps users whose address is a further one in a row, and creates nobody a second time. */
  const keepOtherwiseNamed = (): void => {
    for (const [address, { key, email, mark }] of otherwiseNamed) {
      const there = existing.get(address);
      const isNew = actions.get(key)?.action === 'create';
      if (there === undefined || there.row !== undefined || (missing === 'keep' && !isNew)) continue;
      if (isNew) actions.delete(key);
      if (conflicted.has(address)) continue;
      conflict(
        address,
        'two_addresses',
        `${placeOf(mark)} has two addresses: ${email || 'none for work'} and that of ${there.email}, who is in the tenant and not otherwise in the source, and stays unchanged. Give the person one of them, in the file or in the portal.`,
      );
    }
  };

  /** Warns if nobody would be left who can administer the tenant. */
  const checkAdministratorsLeft = (): void => {
    const held = [...existing].flatMap(([key, { email, fields }]) => {
      const before = (fields.roles ?? []).filter((role) => administrators.has(nfc(role))).length;
      const lost = actions.get(key)?.administratorRolesLost?.length ?? 0;
      return before === 0 ? [] : [{ email, isLeft: lost < before }];
    });
    const isAnyLeft =
      held.some(({ isLeft }) => isLeft) ||
      [...actions.values()].some(({ administratorRolesGained }) => administratorRolesGained !== undefined);
    const last = held.at(-1);
    if (last !== undefined && !isAnyLeft)
      warn(
        draft,
        'no_administrator_left',
        held.length === 1
          ? `${last.email} is the last administrator, and would stop being one.`
          : `All ${held.length} administrators would stop being one.`,
      );
  };

  const planRemoval = (
    key: string,
    { email, userId, fields: before }: ExistingUser,
    action: 'disable' | 'delete',
    sameNameAs: string | undefined,
  ): void => {
    const { roles: roleList, organizationUnits } = before;
    if (action === 'disable' && (roleList === undefined || organizationUnits === undefined))
      return warn(
        draft,
        'cannot_be_compared',
        "The portal's list of users does not show roles and units, so users cannot be disabled by removing them.",
      );
    if (action === 'disable' && roleList?.length === 0 && organizationUnits?.length === 0) return;
    if (roleList === undefined)
      warn(
        draft,
        'cannot_be_compared',
        "The portal's list of users does not show roles, so each user to delete counts as an administrator.",
      );
    actions.set(key, {
      action,
      resource: 'user',
      key,
      email,
      userId,
      before,
      ...(roleList === undefined
        ? { administratorRolesLost: ['unknown'] }
        : administratorRoles(roleList, [])),
      ...(sameNameAs !== undefined && { sameNameAs }),
    });
  };

  return {
    counts,
    /** Keeps the compared fields of a user of the tenant. */
    addExisting: (user: User): void => {
      counts.existingUsers += 1;
      const key = emailKey(user.email);
      if (key === '') passedOver.usersWithoutEmail += 1;
      else if (existing.has(key)) shared.set(key, (shared.get(key) ?? 1) + 1);
      else {
        existing.set(key, {
          userId: user.id,
          // The same text is not kept twice.
          email: user.email === key ? key : user.email,
          isProtected: protect?.(user) === true,
          row: undefined,
          isInactive: false,
          fields: fieldsOf(user, (value, field) => (field === 'lastName' ? value : share(value))),
        });
      }
    },
    /** Plans one row of the source. */
    addRow: (given: DesiredUser): void => {
      counts.rows += 1;
      const mark = given?.origin ?? counts.rows;
      const where = placeOf(mark);
      const own = typeof given?.email === 'string' ? given.email.trim() : '';
      if (given?.active !== false)
        for (const address of [given?.otherEmails ?? []].flat().map(String).map(emailKey))
          if (existing.has(address)) otherwiseNamed.set(address, { key: emailKey(own), email: own, mark });
      if (isWithoutEmail(given) && (given.active === false || options.skipWithoutEmail === true)) {
        // Somebody who is not active and not named is nobody of the tenant.
        if (given.active !== false) passedOver.withoutEmail += 1;
        return;
      }
      const email: unknown = given?.email;
      const problem = problemOf(given) ?? otherPerson(given, existing);
      const key = typeof email === 'string' && email.trim() !== '' ? emailKey(email) : where;
      if (problem !== undefined) {
        // A row that cannot be used speaks for everybody whose address is in it; without one, for anybody.
        const mentioned = mentionsOf(given, existing);
        for (const address of mentioned) conflicted.add(address);
        if (mentioned.length === 0 && !isPlainAddress(email)) passedOver.unaddressed += 1;
        else passedOver.unusable += 1;
        return conflict(key, 'invalid_row', `${where} cannot be used: ${problem}.`);
      }
      const there = existing.get(key);
      const earlier = there?.row ?? newRows.get(key);
      if (earlier !== undefined) {
        actions.delete(key);
        return conflict(
          key,
          'duplicate_row',
          `${placeOf(earlier)} and ${where} are both for ${given.email.trim()}; neither is used.`,
        );
      }
      if (there === undefined) newRows.set(key, mark);
      else there.row = mark;
      const users = shared.get(key);
      if (given.active !== false) counts.desiredUsers += 1;
      if (given.active === false) {
        if (there !== undefined) there.isInactive = true;
      } else if (users !== undefined)
        conflict(key, 'duplicate_existing', `${given.email} belongs to ${users} users of the tenant.`);
      else planUser(given, key, where);
    },
    /** Plans what depends on all rows: who is missing. */
    finish: (): void => {
      const { unaddressed, unusable, withoutEmail, usersWithoutEmail } = passedOver;
      keepOtherwiseNamed();
      counts.desiredUsers += unusable;
      if (
        counts.desiredUsers === 0 &&
        !(counts.rows > 0 && missing === 'keep') &&
        options.allowEmpty !== true
      )
        throw emptySource(counts.rows, missing);
      if (unaddressed > 0 && missing !== 'keep')
        warn(
          draft,
          'removals_held_back',
          `No user is removed, because ${unaddressed} ${unaddressed === 1 ? 'row lacks' : 'rows lack'} a valid email address. Correct the source and plan again.`,
        );
      else planRemovals();
      checkAdministratorsLeft();
      if (withoutEmail > 0)
        warn(draft, 'rows_without_email', `${withoutEmail} rows have no email address, and were skipped.`);
      if (usersWithoutEmail > 0)
        warn(
          draft,
          'user_without_email',
          `${usersWithoutEmail} users of the tenant have no email address and stay unchanged.`,
        );
    },
    actions: () => markRolesLostByMany([...actions.values()], counts.existingUsers),
    /** The last users whom the plan does not delete: the first ones may be the same support staff in every tenant. */
    keptUsers: (): Fingerprint['users'] =>
      [...existing]
        .filter(([key]) => !shared.has(key) && actions.get(key)?.action !== 'delete')
        .slice(-3)
        .map(([, { userId, email }]) => ({ userId, email })),
  };
};

/** A name without what readers do not see: case, compatible forms, odd spaces and invisible characters. */
const folded = (text: string): string =>
  nfc(
    text
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/\p{Cf}/gu, '')
      .replaceAll(/\s+/g, ' '),
  );

/** Why a name cannot be used, with a known one that looks alike. */
const unknownName = (noun: string, name: string, known: Iterable<string>): string => {
  const alike = [...known].find((other) => folded(other) === folded(name));
  const suggestion = alike === undefined ? '' : ` (did you mean ${quoteText(alike)}?)`;
  return `the tenant has no ${noun} ${quoteText(name)}${suggestion}`;
};

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

/** Full name, first name, last name; empty if the person has none. */
const names: readonly ((fields: UserFieldValues) => string)[] = [
  ({ firstName = '', lastName = '' }) => firstName && lastName && folded(`${firstName} ${lastName}`),
  ({ firstName = '' }) => folded(firstName),
  ({ lastName = '' }) => folded(lastName),
];

type Creation = Extract<UserAction, { action: 'create' }>;

/**
 * Pairs those who would go with newcomers of the same name: both names, else a first or last name that only one has on
 * each side, because people change one of them.
 */
const samePeople = (
  leavers: readonly (readonly [key: string, user: ExistingUser])[],
  newcomers: readonly Creation[],
): ReadonlyMap<string, Creation> => {
  const pairs = new Map<string, Creation>();
  if (newcomers.length === 0 || leavers.length === 0) return pairs;
  for (const nameOf of names) {
    const old = Map.groupBy(leavers, ([, { fields }]) => nameOf(fields));
    const fresh = new Map<string, Creation | undefined>();
    for (const newcomer of newcomers) {
      const name = nameOf(newcomer.input);
      if (old.has(name)) fresh.set(name, fresh.has(name) ? undefined : newcomer);
    }
    for (const [name, [leaver, ...others]] of old) {
      const [key, newcomer] = [leaver?.[0] ?? '', fresh.get(name)];
      if (name !== '' && others.length === 0 && !pairs.has(key) && newcomer !== undefined)
        pairs.set(key, newcomer);
    }
  }
  return pairs;
};

/** Whether a row that could be read has no address. */
const isWithoutEmail = (row: DesiredUser | null): row is DesiredUser => {
  if (typeof row !== 'object' || row === null || row.problem !== undefined) return false;
  const email: unknown = row.email ?? '';
  return typeof email === 'string' && email.trim() === '';
};

/** The users of the tenant for whom a row that cannot be used may stand. */
const mentionsOf = (row: DesiredUser | null, existing: ReadonlyMap<string, unknown>): readonly string[] => {
  const email: unknown = row?.email;
  const own = typeof email === 'string' ? [email, ...addressesIn(email)] : [];
  return [...own, ...(row?.mentions ?? [])].flatMap((text) => usersIn(text, existing));
};

/** The users whose address is anywhere in a text, because a lost delimiter joins an address with its neighbors. */
const usersIn = (text: string, existing: ReadonlyMap<string, unknown>): readonly string[] => {
  if (existing.has(emailKey(text))) return [emailKey(text)];
  const at = text.lastIndexOf('@');
  const found: string[] = [];
  for (let start = 0; start < at; start += 1)
    for (let end = text.length; end > at + 1; end -= 1)
      if (existing.has(text.slice(start, end))) found.push(text.slice(start, end));
  return found;
};

/** Whether the address of a row that is not somebody's in the tenant contains that of somebody. */
const otherPerson = (
  { email, mentions }: DesiredUser,
  existing: ReadonlyMap<string, unknown>,
): string | undefined => {
  if (existing.has(emailKey(email))) return undefined;
  // Of a whole row, only a part beside a separator counts: dana@acme.example is not ana@acme.example.
  const users =
    mentions === undefined
      ? addressesIn(email).filter((address) => existing.has(emailKey(address)))
      : mentionsOf({ email }, existing);
  return users.length > 0 ? `its email address ${quoteText(email)} contains that of another user` : undefined;
};

/** A value as the portal would keep it. */
const trimmed = (value: string | readonly string[]) => (typeof value === 'string' ? value.trim() : value);

/** Interns values: a hundred thousand users share a few first names, types, and combinations of roles and units. */
const createPool = () => {
  const values = new Map<string, unknown>();
  return <TValue extends string | readonly string[]>(value: TValue): TValue => {
    const id = typeof value === 'string' ? value : `\n${value.join('\n')}`;
    const known = values.get(id) ?? value;
    values.set(id, known);
    // A text and a list have different identifiers.
    return known as TValue;
  };
};

/**
 * Rejects a source without users, likely a failed export, and one without active users, which would empty the tenant.
 */
const emptySource = (rows: number, missing: 'keep' | 'disable' | 'delete'): PortalError => {
  const seen = rows === 0 ? 'The source contains no users' : 'The source lists no user to keep';
  const effect = missing === 'keep' ? '' : `, so every user of the tenant would be ${missing}d`;
  return new PortalError(`${seen}${effect}. Check the source; if this is intended, set {allowEmpty}.`, {
    kind: 'config',
    code: 'empty_source',
  });
};

/** Marks the updates that take a role from more than ten users, or from at least three and most users of a small tenant. */
const markRolesLostByMany = (
  actions: readonly UserAction[],
  existingUsers: number,
): readonly UserAction[] => {
  const losses = Map.groupBy(actions.flatMap(rolesLost), (role) => role);
  const isMany = (count: number) => count > 10 || (count >= 3 && count > existingUsers / 2);
  return actions.map((action) => {
    const rolesLostByMany = rolesLost(action).filter((role) => isMany(losses.get(role)?.length ?? 0));
    return rolesLostByMany.length === 0 ? action : { ...action, rolesLostByMany };
  });
};

const rolesLost = (action: UserAction): readonly string[] => {
  const { from = [], to = [] } = (action.action === 'update' && action.changes.roles) || {};
  return [from].flat().filter((role) => !to.includes(role));
};
