import { randomUUID } from 'node:crypto';
import type { UserInput } from '@vitrine/contract/service';
import { checkOptions, choiceOption, type OptionNames } from '../../errors/checkOptions.ts';
import { PortalError } from '../../errors/portalError.ts';
import { collect } from '../../paging/paging.ts';
import {
  joinUnitPath,
  type OrganizationUnitNode,
  type OrganizationUnitTree,
  organizationUnitTree,
  splitUnitPath,
} from '../../resources/organizationUnitTree.ts';
import type { User } from '../../resources/user.ts';
import type { DesiredState } from '../desiredState.ts';
import { type Fingerprint, roleMark } from '../fingerprint.ts';
import type { SourceReading, UserSource } from '../people.ts';
import type { SyncReader } from '../syncPort.ts';
import { nameList } from '../text.ts';
import { type ExistingUsers, readExistingUsers } from './existingUsers.ts';
import { isOne } from './planRemovals.ts';
import type { UnitReference } from './planUserRow.ts';
import { type MissingPolicy, planUsers, type UserPlan } from './planUsers.ts';
import { type PartPlan, planItems, planOrganizationUnits, planRoles } from './structurePlans.ts';
import { planFormat, type SyncPlan } from './syncPlan.ts';

/** Progress of planning. */
export interface PlanProgress {
  readonly phase: 'reading the tenant' | 'comparing';
  readonly count: number;
}

/** Options of `planSync`. */
export interface PlanOptions {
  /** What to do with users of the tenant who are not in the source. Default `keep`. */
  readonly missing?: MissingPolicy | undefined;
  /** Users who are never disabled or deleted, whatever the source says, such as administrators. */
  readonly protect?: ((user: User) => boolean) | undefined;
  /** Default fields of new users. */
  readonly defaults?: Partial<UserInput> | undefined;
  /** Whether roles and units of the source replace the existing ones or are added. Default `replace`. */
  readonly lists?: 'replace' | 'add' | undefined;
  /** Whether the name and type of an existing user are updated or kept. Default `update`. */
  readonly names?: 'update' | 'keep' | undefined;
  /** Whether an empty list of roles or units in a row removes all of them. Default false: they stay unchanged. */
  readonly emptyClears?: boolean | undefined;
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
  missing: true,
  protect: true,
  defaults: true,
  lists: true,
  names: true,
  emptyClears: true,
  allowEmpty: true,
  signal: true,
  onProgress: true,
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
  const missing = choiceOption('missing', options.missing ?? 'keep', ['keep', 'disable', 'delete']);
  const lists = choiceOption('lists', options.lists ?? 'replace', ['replace', 'add']);
  const names = choiceOption('names', options.names ?? 'update', ['update', 'keep']);
  const needsUnits = desired.organizationUnits !== undefined || desired.users !== undefined;
  const tree = organizationUnitTree(needsUnits ? await collect(reader.organizationUnits({ signal })) : []);
  const roles = await collect(reader.roles({ signal }));

  const roleRows = desired.roles === undefined ? [] : await collect(desired.roles);
  const rolePlan = await planRoles(roleRows, roles);
  const unitPlan = await planOrganizationUnits(desired.organizationUnits ?? [], tree);
  const itemPlan =
    desired.items === undefined
      ? nothing
      : await planItems(desired.items, await collect(reader.items({ signal })));

  const plannedUnits = new Set(unitPlan.actions.map((action) => action.key));
  const resolveUnit = (reference: string): UnitReference => {
    if (!reference.startsWith('/')) return tree.find(reference) === undefined ? 'unknown' : { id: reference };
    const path = splitUnitPath(reference).reduce(joinUnitPath, '');
    const found = tree.findPath(path);
    if (found.length > 1) return 'ambiguous';
    if (found[0] !== undefined) return { id: found[0].unit.id };
    return plannedUnits.has(path) ? { id: path } : 'unknown';
  };
  const roleNames = new Set([...roles, ...roleRows].flatMap(({ name }) => name ?? []));
  const administratorRoles = new Set(
    [...roles, ...roleRows].filter(({ type }) => type === 'System').map(({ name }) => name),
  );

  const existing =
    desired.users === undefined
      ? undefined
      : await readExistingUsers(reader.users({ signal }), {
          protect: options.protect,
          onRead: (count) => onProgress?.({ phase: 'reading the tenant', count }),
        });
  const userPlan =
    desired.users === undefined || existing === undefined
      ? undefined
      : await planUsers({
          desired: desired.users,
          existing,
          missing,
          defaults: options.defaults ?? {},
          lists,
          names,
          emptyClears: options.emptyClears === true,
          resolveUnit,
          isKnownRole: (name) => roleNames.has(name),
          isAdministratorRole: (name) => administratorRoles.has(name),
          onRead: (count) => {
            signal?.throwIfAborted();
            onProgress?.({ phase: 'comparing', count });
          },
        });
  userPlan?.unknown.check({
    role: roleNames,
    'organizational unit': [...plannedUnits, ...tree.roots.flatMap(pathsOf)],
  });
  if (userPlan !== undefined && options.allowEmpty !== true) checkNotEmpty(userPlan, missing);
  const source = readingOf(desired.users);
  if (source !== undefined && source.doubtful.length > 0)
    userPlan?.warnings.add(
      'unread_state',
      `Nothing that was read says who has left, but ${nameList(source.doubtful)} may: look at it, and use it with {columns} as active or blocked.`,
    );
  const plan = toPlan(reader, [rolePlan, unitPlan, itemPlan], { userPlan, existing: existing?.count ?? 0 });
  const fingerprint = { roles: roles.map(roleMark), users: keptUsers(plan.actions, existing) };
  return {
    ...plan,
    fingerprint,
    ...(source !== undefined && { source }),
    unitPaths: unitPathsOf(plan.actions, tree),
  };
};

/** How a source of users was read, if it says so. */
const readingOf = (users: DesiredState['users']): SourceReading | undefined =>
  users !== undefined && 'reading' in users && typeof users.reading === 'function'
    ? (users as UserSource).reading()
    : undefined;

/** The last users whom a plan does not delete: the first ones may be the same support staff in every tenant. */
const keptUsers = (
  actions: SyncPlan['actions'],
  existing: ExistingUsers | undefined,
): Fingerprint['users'] => {
  const deleted = new Set(actions.filter(({ action }) => action === 'delete').map(({ key }) => key));
  return [...(existing?.byKey ?? [])]
    .flatMap(([key, there]) => (isOne(there) && !deleted.has(key) ? there : []))
    .slice(-3)
    .map(({ userId, email }) => ({ userId, email }));
};

/**
 * Rejects a source without users, likely a failed export, and one without active users, which would empty the tenant.
 */
const checkNotEmpty = ({ rowsRead, desiredUsers }: UserPlan, missing: MissingPolicy): void => {
  if (desiredUsers > 0 || (rowsRead > 0 && missing === 'keep')) return;
  const seen = rowsRead === 0 ? 'The source contains no users' : 'The source lists no user to keep';
  const effect = missing === 'keep' ? '' : `, so every user of the tenant would be ${missing}d`;
  throw new PortalError(`${seen}${effect}. Check the source; if this is intended, set {allowEmpty}.`, {
    kind: 'config',
    code: 'empty_source',
  });
};

const pathsOf = ({ path, children }: OrganizationUnitNode): readonly string[] => [
  path,
  ...children.flatMap(pathsOf),
];

const nothing: PartPlan = { actions: [], conflicts: [], warnings: [], unchanged: 0 };

const toPlan = (
  reader: SyncReader,
  parts: readonly PartPlan[],
  users: { readonly userPlan: UserPlan | undefined; readonly existing: number },
): Omit<SyncPlan, 'fingerprint'> => {
  const { userPlan } = users;
  const actions = [...parts.flatMap((part) => part.actions), ...(userPlan?.actions ?? [])].toSorted(
    (one, other) => rank(one) - rank(other),
  );
  const conflicts = [...parts.flatMap((part) => part.conflicts), ...(userPlan?.conflicts ?? [])];
  const counts = { create: 0, update: 0, disable: 0, delete: 0 };
  for (const { action } of actions) counts[action] += 1;
  return {
    ...planFormat,
    id: randomUUID(),
    createdAt: new Date(reader.now()).toISOString(),
    baseUrl: reader.baseUrl,
    actions,
    conflicts,
    warnings: [...parts.flatMap((part) => part.warnings), ...(userPlan?.warnings.list() ?? [])],
    counts: {
      ...counts,
      unchanged: parts.reduce((sum, part) => sum + part.unchanged, userPlan?.unchanged ?? 0),
      conflicts: conflicts.length,
      existingUsers: users.existing,
      desiredUsers: userPlan?.desiredUsers ?? 0,
      protected: userPlan?.protected ?? 0,
    },
  };
};

/** Paths of the units that user actions refer to by identifier. */
const unitPathsOf = (
  actions: SyncPlan['actions'],
  tree: OrganizationUnitTree,
): Readonly<Record<string, string>> => {
  const paths = new Map<string, string>();
  for (const id of actions.flatMap(unitsOf)) {
    const path = paths.has(id) ? undefined : tree.find(id)?.path;
    if (path !== undefined) paths.set(id, path);
  }
  return Object.fromEntries(paths);
};

const unitsOf = (action: SyncPlan['actions'][number]): readonly string[] => {
  if (action.resource !== 'user') return [];
  if (action.action === 'create') return action.input.organizationUnits ?? [];
  if (action.action !== 'update') return action.before.organizationUnits ?? [];
  const { from = [], to = [] } = action.changes.organizationUnits ?? {};
  return [from, to].flat();
};

/** Sort order of actions: structure first, because users need it; removals last. */
const rank = ({ action, resource }: SyncPlan['actions'][number]): number =>
  ({ create: 0, update: 10, disable: 20, delete: 30 })[action] +
  { role: 0, organizationUnit: 1, item: 2, user: 3 }[resource];
