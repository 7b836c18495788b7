import { randomUUID } from 'node:crypto';
import { quoteText } from '@vitrine/contract';
import { emailKey, type ItemInput, type RoleInput, type UserInput } from '@vitrine/contract/service';
import { checkOptions, type OptionNames, PortalError } from '../errors.ts';
import { collect } from '../paging.ts';
import type { User } from '../rows.ts';
import { type OrganizationUnitTree, organizationUnitTree } from '../units.ts';
import {
  addressesIn,
  type DesiredUser,
  isPlainAddress,
  likelyRefusal,
  missingForCreate,
  problemOf,
  type SourceReading,
  type UserSource,
} from './people.ts';
import {
  createUnitPlan,
  type DesiredOrganizationUnit,
  newPart,
  planItems,
  planRoles,
  type Rows,
  type UnitPlan,
} from './structure.ts';
import {
  countActions,
  differingFields,
  type FieldChange,
  fieldsOf,
  isRemoval,
  type PlanAction,
  type PlanConflict,
  type PlanWarning,
  planFormat,
  type SyncPlan,
  type UserAction,
  type UserField,
  type UserFieldValues,
} from './syncPlan.ts';
import { type Fingerprint, roleMark, type SyncReader } from './tenant.ts';
import { nameList } from './text.ts';

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
  reader: SyncReader,
  desired: DesiredState,
  options: PlanOptions = {},
): Promise<SyncPlan> => {
  checkOptions('The desired state', desired, desiredNames);
  checkOptions('planSync', options, optionNames);
  const { signal, onProgress } = options;
  const needsUnits = desired.organizationUnits !== undefined || desired.users !== undefined;
  const tree = organizationUnitTree(needsUnits ? await collect(reader.organizationUnits({ signal })) : []);
  const roles = await collect(reader.roles({ signal }));
  const roleRows = await collect(desired.roles ?? []);
  const units = createUnitPlan(tree);
  for await (const unit of desired.organizationUnits ?? []) units.add(unit.path, unit.directoryGroupId);
  const rolePart = planRoles(roleRows, roles);
  const itemPart =
    desired.items === undefined
      ? newPart()
      : planItems(await collect(desired.items), await collect(reader.items({ signal })));

  const people = createPeoplePlan(options, { units, roles: [...roles, ...roleRows] });
  if (desired.users !== undefined) {
    for await (const user of reader.users({ signal })) {
      people.addExisting(user);
      onProgress?.({ phase: 'reading the tenant', count: people.counts.existing });
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
    people.warn(
      'unread_state',
      `Nothing that was read says who has left, but ${nameList(source.doubtful)} may: look at it, and use it with {columns} as active or blocked.`,
    );

  const parts = [rolePart, units.part, itemPart];
  const actions = [...parts.flatMap((part) => part.actions), ...people.actions()].toSorted(
    (one, other) => rank(one) - rank(other),
  );
  const conflicts = [...parts.flatMap((part) => part.conflicts), ...people.conflicts];
  return {
    ...planFormat,
    id: randomUUID(),
    createdAt: new Date(reader.now()).toISOString(),
    baseUrl: reader.baseUrl,
    fingerprint: { roles: roles.map(roleMark), users: people.keptUsers() },
    ...(source !== undefined && { source }),
    actions,
    conflicts,
    warnings: [...parts.flatMap((part) => part.warnings), ...people.warnings()],
    counts: {
      ...countActions(actions),
      unchanged: parts.reduce((sum, part) => sum + part.unchanged, people.counts.unchanged),
      conflicts: conflicts.length,
      existingUsers: people.counts.existing,
      desiredUsers: people.counts.desired,
      protected: people.counts.protected,
    },
    unitPaths: unitPathsOf(actions, tree),
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

/** Paths of the units that user actions refer to by identifier. */
const unitPathsOf = (
  actions: readonly PlanAction[],
  tree: OrganizationUnitTree,
): Readonly<Record<string, string>> => {
  const paths = new Map<string, string>();
  for (const id of actions.flatMap(unitsOf)) {
    const path = paths.has(id) ? undefined : tree.find(id)?.path;
    if (path !== undefined) paths.set(id, path);
  }
  return Object.fromEntries(paths);
};

const unitsOf = (action: PlanAction): readonly string[] => {
  if (action.resource !== 'user') return [];
  if (action.action === 'create') return action.input.organizationUnits ?? [];
  if (action.action !== 'update') return action.before.organizationUnits ?? [];
  const { from = [], to = [] } = action.changes.organizationUnits ?? {};
  return [from, to].flat();
};

/** The part of an existing user that planning needs. */
interface ExistingUser {
  readonly userId: string;
  readonly email: string;
  readonly fields: UserFieldValues;
  readonly isProtected: boolean;
}

interface Surroundings {
  readonly units: UnitPlan;
  /** Of the tenant and of the source. */
  readonly roles: readonly { readonly name?: string; readonly type?: string }[];
}

/**
 * Compares users row by row: the source may have any length, and only changes are kept. A row that cannot be used is a
 * conflict, and its address counts as desired: no user is removed because of a broken row.
 */
const createPeoplePlan = (options: PlanOptions, { units, roles }: Surroundings) => {
  const { missing = 'keep', defaults = {}, protect } = options;
  const existing = new Map<string, ExistingUser>();
  /** Addresses of several users of the tenant. */
  const shared = new Map<string, number>();
  const actions = new Map<string, UserAction>();
  const conflicts: PlanConflict[] = [];
  /** Rows by the address that they are for. */
  const spoken = new Map<string, string>();
  const inactive = new Set<string>();
  const conflicted = new Set<string>();
  const lookalikes = new Map<string, string>();
  const counts = { existing: 0, rows: 0, unchanged: 0, desired: 0, protected: 0 };
  const passedOver = { unaddressed: 0, unusable: 0, withoutEmail: 0, usersWithoutEmail: 0 };
  const { warn, warnings } = createWarnings();
  const roleNames = new Map(roles.flatMap(({ name }) => (name === undefined ? [] : [[nfc(name), name]])));
  const administrators = new Set(
    roles.flatMap(({ name, type }) => (type === 'System' && name !== undefined ? nfc(name) : [])),
  );
  const share = createFieldPool();

  const conflict = (key: string, code: PlanConflict['code'], message: string): void => {
    conflicted.add(key);
    conflicts.push({ code, key, message });
  };

  /** Roles of type `System` that a user gains and loses by a change of roles. */
  const administratorRoles = (before: readonly string[], after: readonly string[]) => {
    const [old, next] = [before, after].map((names) => names.map(nfc));
    const gained = after.filter((role) => administrators.has(nfc(role)) && !old?.includes(nfc(role)));
    const lost = before.filter((role) => administrators.has(nfc(role)) && !next?.includes(nfc(role)));
    return {
      ...(gained.length > 0 && { administratorRolesGained: gained }),
      ...(lost.length > 0 && { administratorRolesLost: lost }),
    };
  };

  /** The roles and units of a row as the tenant names them, or why it cannot be used. */
  const resolveLists = (row: DesiredUser) => {
    const unknown: string[] = [];
    const roleList = row.roles?.map((name) => {
      const known = roleNames.get(nfc(name));
      if (known === undefined) unknown.push(unknownName('role', name, roleNames.values()));
      return known ?? name;
    });
    let ambiguous: string | undefined;
    const unitList = row.organizationUnits?.flatMap((reference) => {
      const path = reference.trim().startsWith('/') ? units.pathOf(reference) : undefined;
      // The root is no unit.
      if (path === '') return [];
      if (path !== undefined && options.createMissing === true && units.find(path) === 'unknown')
        units.add(path);
      const unit = path === undefined ? units.byId(reference.trim()) : units.find(path);
      if (unit === 'ambiguous') ambiguous = reference;
      if (unit === 'unknown') unknown.push(unknownName('organizational unit', reference, units.paths()));
      return typeof unit === 'string' ? [] : [unit.id];
    });
    return { resolved: { roles: roleList, organizationUnits: unitList }, unknown, ambiguous };
  };

  /** Plans one user who is desired: an action, or nothing. */
  const planUser = (row: DesiredUser, key: string, where: string): void => {
    const there = existing.get(key);
    const full: DesiredUser =
      there === undefined
        ? { ...defaults, ...givenFields(row, options.emptyClears === true), email: row.email }
        : row;
    const lists = resolveLists(full);
    if (lists.ambiguous !== undefined)
      return conflict(
        key,
        'ambiguous_organization_unit',
        `${where} puts ${row.email} in ${lists.ambiguous}, which matches several units.`,
      );
    if (lists.unknown.length > 0)
      return conflict(key, 'unknown_name', `${where} cannot be used: ${lists.unknown.join('; ')}.`);
    const refusal = likelyRefusal(full, there?.fields.type);
    if (refusal !== undefined) warn('may_be_refused', `${where} may be refused: ${refusal}.`);
    if (there === undefined) return planCreation({ ...full, ...lists.resolved }, key, where);

    const listOf = (list: readonly string[] | undefined, current: readonly string[] | undefined) =>
      list === undefined || (list.length === 0 && options.emptyClears !== true)
        ? undefined
        : unique(options.lists === 'add' ? [...(current ?? []), ...list] : list);
    const desired = fieldsOf({
      ...row,
      roles: listOf(lists.resolved.roles, there.fields.roles),
      organizationUnits: listOf(lists.resolved.organizationUnits, there.fields.organizationUnits),
    });
    const changes: Partial<Record<UserField, FieldChange>> = {};
    for (const field of differingFields(desired, there.fields)) {
      const [from, to] = [there.fields[field], desired[field]];
      if (from === undefined)
        warn(
          'cannot_be_compared',
          `The portal's list of users does not show ${field}, so it cannot be compared and stays unchanged.`,
        );
      else if (to !== undefined) changes[field] = { from, to };
    }
    if (Object.keys(changes).length === 0) {
      counts.unchanged += 1;
      return;
    }
    const { email, userId, fields, isProtected } = there;
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

  const planCreation = (row: DesiredUser, key: string, where: string): void => {
    const { type = '', firstName = '', lastName = '' } = row;
    const lacking = missingForCreate(row);
    const email = row.email.trim().normalize('NFC');
    if (lacking.length > 0)
      return conflict(
        key,
        'invalid_row',
        `${where} is for the new user ${email}, but lacks ${lacking.join(', ')}.`,
      );
    const { roles: roleList = [], organizationUnits = [] } = share({
      roles: unique(row.roles ?? []),
      organizationUnits: unique(row.organizationUnits ?? []),
    });
    const input = { type, email, firstName, lastName, roles: roleList, organizationUnits };
    actions.set(key, {
      action: 'create',
      resource: 'user',
      key,
      input,
      ...administratorRoles([], roleList),
    });
  };

  /** Plans the removal of the users who are not desired. Users in a conflict and protected users stay unchanged. */
  const planRemovals = (): void => {
    const leavers = [...existing].filter(
      ([key]) => !conflicted.has(key) && (!spoken.has(key) || inactive.has(key)),
    );
    const newcomers = [...actions.values()].filter((action) => action.action === 'create');
    const pairs = samePeople(
      newcomers.map(({ key, input }) => [key, input]),
      leavers.map(([key, { fields }]) => [key, fields]),
    );
    let kept = 0;
    for (const [key, there] of leavers) {
      const newcomer = actions.get(pairs.get(key) ?? '');
      const address = newcomer?.action === 'create' ? newcomer.input.email : undefined;
      if (newcomer !== undefined && address !== undefined) {
        actions.set(newcomer.key, { ...newcomer, sameNameAs: there.email });
        warn(
          'may_be_the_same_person',
          `${address} is new, and has a name of ${there.email}, who is not in the source: is it a new address of the same person?`,
        );
      }
      if (there.isProtected) counts.protected += 1;
      else if (missing === 'keep' || shared.has(key)) kept += shared.get(key) ?? 1;
      else planRemoval(key, there, address);
    }
    if (kept > 0)
      warn(
        'not_in_source',
        kept === 1
          ? '1 user of the tenant is not in the source, or inactive there, and stays unchanged.'
          : `${kept} users of the tenant are not in the source, or inactive there, and stay unchanged.`,
      );
  };

  const planRemoval = (key: string, there: ExistingUser, sameNameAs: string | undefined): void => {
    const { email, userId, fields: before } = there;
    const { roles: roleList, organizationUnits } = before;
    if (missing === 'disable' && (roleList === undefined || organizationUnits === undefined))
      return warn(
        'cannot_be_compared',
        "The portal's list of users does not show roles and units, so users cannot be disabled by removing them.",
      );
    if (missing === 'disable' && roleList?.length === 0 && organizationUnits?.length === 0) return;
    if (roleList === undefined)
      warn(
        'cannot_be_compared',
        "The portal's list of users does not show roles, so each user to delete counts as an administrator.",
      );
    actions.set(key, {
      action: missing === 'disable' ? 'disable' : 'delete',
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
    conflicts,
    warn,
    warnings,
    /** Keeps the compared fields of a user of the tenant. */
    addExisting: (user: User): void => {
      counts.existing += 1;
      if (user.email === undefined || user.email.trim() === '') {
        passedOver.usersWithoutEmail += 1;
        return;
      }
      const key = emailKey(user.email);
      if (existing.has(key)) shared.set(key, (shared.get(key) ?? 1) + 1);
      else
        existing.set(key, {
          userId: user.id,
          // The same text is not kept twice.
          email: user.email === key ? key : user.email,
          isProtected: protect?.(user) === true,
          fields: share(fieldsOf(user)),
        });
    },
    /** Plans one row of the source. */
    addRow: (given: DesiredUser): void => {
      counts.rows += 1;
      const where = given?.origin ?? `row ${counts.rows}`;
      const problem = problemOf(given) ?? otherPerson(given, existing);
      const email: unknown = given?.email;
      const hasAddress = typeof email === 'string' && email.trim() !== '';
      if (isWithoutEmail(given)) {
        // Somebody who is not active and not named is nobody of the tenant.
        if (given.active === false) return;
        if (options.skipWithoutEmail === true) {
          passedOver.withoutEmail += 1;
          return;
        }
      }
      const key = hasAddress ? emailKey(email) : where;
      if (problem !== undefined) {
        // A row that cannot be used speaks for everybody whose address is in it; without one, for anybody.
        const named = mentionsOf(given, existing);
        for (const address of named) conflicted.add(address);
        if (named.length === 0 && !isPlainAddress(email)) passedOver.unaddressed += 1;
        else passedOver.unusable += 1;
        conflict(key, 'invalid_row', `${where} cannot be used: ${problem}.`);
        return;
      }
      const row = trimmed(given);
      const earlier = spoken.get(key);
      if (earlier !== undefined) {
        actions.delete(key);
        conflict(key, 'duplicate_row', `${earlier} and ${where} are both for ${row.email}; neither is used.`);
        return;
      }
      spoken.set(key, where);
      if (row.active === false) inactive.add(key);
      else {
        noteLookalike(key, lookalikes, warn);
        const users = shared.get(key);
        if (users === undefined) planUser(row, key, where);
        else conflict(key, 'duplicate_existing', `${row.email} belongs to ${users} users of the tenant.`);
      }
    },
    /** Plans what depends on all rows: who is missing, and the roles that many lose. */
    finish: (): void => {
      counts.desired = spoken.size - inactive.size + passedOver.unusable;
      if (counts.desired === 0 && !(counts.rows > 0 && missing === 'keep') && options.allowEmpty !== true)
        throw emptySource(counts.rows, missing);
      if (passedOver.unaddressed > 0 && missing !== 'keep')
        warn(
          'removals_held_back',
          `No user is removed, because ${passedOver.unaddressed} ${passedOver.unaddressed === 1 ? 'row lacks' : 'rows lack'} a valid email address. Correct the source and plan again.`,
        );
      else planRemovals();
      if (passedOver.withoutEmail > 0)
        warn(
          'rows_without_email',
          `${passedOver.withoutEmail} rows have no email address, and were skipped.`,
        );
      if (passedOver.usersWithoutEmail > 0)
        warn(
          'user_without_email',
          `${passedOver.usersWithoutEmail} users of the tenant have no email address and stay unchanged.`,
        );
    },
    actions: () => markRolesLostByMany([...actions.values()], counts.existing),
    /** The last users whom the plan does not delete: the first ones may be the same support staff in every tenant. */
    keptUsers: (): Fingerprint['users'] =>
      [...existing]
        .filter(([key]) => !shared.has(key) && actions.get(key)?.action !== 'delete')
        .slice(-3)
        .map(([, { userId, email }]) => ({ userId, email })),
  };
};

const nfc = (text: string): string => text.trim().normalize('NFC');

/** A name without what readers do not see: case, compatible forms, odd spaces and invisible characters. */
const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Why a name cannot be used, with a known one that looks alike. */
const unknownName = (noun: string, name: string, known: Iterable<string>): string => {
  const alike = [...known].find((other) => folded(other) === folded(name));
  const suggestion = alike === undefined ? '' : ` (did you mean ${quoteText(alike)}?)`;
  // Odd spaces look like others.
  const shown = quoteText(name).replaceAll(
    /[^\S ]/g,
    (space) => `\\u{${space.codePointAt(0)?.toString(16)}}`,
  );
  return `the tenant has no ${noun} ${shown}${suggestion}`;
};

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

type Named = readonly (readonly [key: string, names: UserFieldValues])[];

/**
 * Pairs those who would go with newcomers of the same name: both names, else a first or last name that only one has on
 * each side, because people change one of them. Keys by key.
 */
const samePeople = (newcomers: Named, leavers: Named): ReadonlyMap<string, string> => {
  const pairs = new Map<string, string>();
  if (newcomers.length === 0 || leavers.length === 0) return pairs;
  const full = ({ firstName = '', lastName = '' }: UserFieldValues) =>
    firstName && lastName && folded(`${firstName} ${lastName}`);
  const first = ({ firstName = '' }: UserFieldValues) => folded(firstName);
  const last = ({ lastName = '' }: UserFieldValues) => folded(lastName);
  for (const nameOf of [full, first, last]) {
    const [fresh, old] = [oneByName(newcomers, nameOf), oneByName(leavers, nameOf)];
    for (const [name, leaver] of old) {
      const newcomer = fresh.get(name);
      if (name !== '' && newcomer && leaver && !pairs.has(leaver)) pairs.set(leaver, newcomer);
    }
  }
  return pairs;
};

/** The key of the only person of each name; undefined for a name of several. */
const oneByName = (people: Named, nameOf: (names: UserFieldValues) => string) => {
  const keys = new Map<string, string | undefined>();
  for (const [key, names] of people) {
    const name = nameOf(names);
    keys.set(name, keys.has(name) ? undefined : key);
  }
  return keys;
};

/** Whether a row that could be read has no address. */
const isWithoutEmail = (row: DesiredUser | null): row is DesiredUser =>
  typeof row === 'object' &&
  row !== null &&
  row.problem === undefined &&
  (row.email === undefined ||
    row.email === null ||
    (typeof row.email === 'string' && row.email.trim() === ''));

/** The users of the tenant for whom a row that cannot be used may stand. */
const mentionsOf = (row: DesiredUser | null, existing: ReadonlyMap<string, unknown>): readonly string[] => {
  const email: unknown = row?.email;
  const own = typeof email === 'string' ? [email, ...addressesIn(email)] : [];
  const texts = [...own, ...(row?.mentions ?? [])];
  return texts.flatMap((text) => usersIn(text, existing));
};

/** The longest address of a user at each place of a text, because a lost delimiter joins an address with its neighbors. */
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
  const inside = addressesIn(email);
  // Of a whole row, only a part beside a separator counts: dana@acme.example is not ana@acme.example.
  const users =
    mentions === undefined
      ? inside.filter((address) => existing.has(emailKey(address)))
      : mentionsOf({ email }, existing);
  return users.length > 0 ? `its email address ${quoteText(email)} contains that of another user` : undefined;
};

/** A row as the portal would keep it. */
const trimmed = (row: DesiredUser): DesiredUser => ({
  ...row,
  email: row.email.trim(),
  type: row.type?.trim(),
  firstName: row.firstName?.trim(),
  lastName: row.lastName?.trim(),
});

/** The fields of a row that a new user gets in place of the defaults. */
const givenFields = (row: DesiredUser, emptyClears: boolean): UserFieldValues => {
  const listOf = (list: readonly string[] | undefined) =>
    list?.length === 0 && !emptyClears ? undefined : list;
  return fieldsOf({
    ...row,
    roles: listOf(row.roles),
    organizationUnits: listOf(row.organizationUnits),
  });
};

/** Interns values: a hundred thousand users share a few first names, types, and combinations of roles and units. */
const createFieldPool = () => {
  const values = new Map<string, string | readonly string[]>();
  const share = <TValue extends string | readonly string[]>(value: TValue): TValue => {
    const id = typeof value === 'string' ? value : `\n${value.join('\n')}`;
    const known = values.get(id);
    if (known === undefined) values.set(id, value);
    // A text and a list have different identifiers.
    return (known ?? value) as TValue;
  };
  return ({ type, firstName, lastName, roles, organizationUnits }: UserFieldValues): UserFieldValues => ({
    ...(type !== undefined && { type: share(type) }),
    ...(firstName !== undefined && { firstName: share(firstName) }),
    ...(lastName !== undefined && { lastName }),
    ...(roles !== undefined && { roles: share(roles) }),
    ...(organizationUnits !== undefined && { organizationUnits: share(organizationUnits) }),
  });
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

type Warn = (code: PlanWarning['code'], message: string) => void;

/**
 * Warns about two addresses that differ only in compatible characters (full-width letters, ligatures): likely one
 * person.
 */
const noteLookalike = (key: string, seen: Map<string, string>, warn: Warn): void => {
  // Only non-ASCII addresses can have a lookalike; do not store the others.
  const plain = key.normalize('NFKC').toLowerCase();
  if (plain === key) return;
  const other = seen.get(plain);
  if (other === undefined) seen.set(plain, key);
  warn('looks_alike', `${key} looks like ${other ?? plain}: is it really another address?`);
};

const maxWarnings = 200;

/** Collects warnings: each once, with its count; limited in number. */
const createWarnings = () => {
  const counts = new Map<string, { readonly warning: PlanWarning; count: number }>();
  let more = 0;
  const warn: Warn = (code, message) => {
    const known = counts.get(message);
    if (known !== undefined) known.count += 1;
    else if (counts.size < maxWarnings) counts.set(message, { warning: { code, message }, count: 1 });
    else more += 1;
  };
  const warnings = (): readonly PlanWarning[] => [
    ...[...counts.values()].map(({ warning, count }) =>
      count === 1 ? warning : { ...warning, message: `${warning.message} (${count} times)` },
    ),
    ...(more === 0 ? [] : [{ code: 'may_be_refused' as const, message: `${more} more warnings.` }]),
  ];
  return { warn, warnings };
};
