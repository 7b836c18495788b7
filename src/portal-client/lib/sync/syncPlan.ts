import { emailKey, type ItemInput, type RoleInput, type UserInput } from '@vitrine/contract/service';
import { PortalError } from '../errors.ts';
import { isRecord, type JsonRecord, member } from '../json.ts';
import { asId } from '../rows.ts';
import type { SourceReading } from './people.ts';
import { type Fingerprint, isFingerprint } from './tenant.ts';

/** Fields of a user that a synchronization compares. */
export const userFields = ['type', 'firstName', 'lastName', 'roles', 'organizationUnits'] as const;

/** One of {@link userFields}. */
export type UserField = (typeof userFields)[number];

/** Values of the compared fields; a field that is unknown or unmanaged is absent. */
export type UserFieldValues = Pick<Partial<UserInput>, UserField>;

type FieldValue = string | readonly string[];

/** A field before and after. Units that the plan itself creates are given by path. */
export interface FieldChange {
  readonly from: FieldValue | undefined;
  readonly to: FieldValue;
}

/** A role, unit or item to create; the service cannot change or remove them. */
export type StructureAction =
  | { readonly action: 'create'; readonly resource: 'role'; readonly key: string; readonly input: RoleInput }
  | {
      readonly action: 'create';
      readonly resource: 'organizationUnit';
      /** Its path. */
      readonly key: string;
      readonly name: string;
      /** Path of the parent; empty at the top. */
      readonly parentPath: string;
      readonly directoryGroupId?: string;
    }
  | { readonly action: 'create'; readonly resource: 'item'; readonly key: string; readonly input: ItemInput };

/** What every action on a user has. */
interface UserActionFacts {
  readonly resource: 'user';
  /** The normalized address that identifies the user. */
  readonly key: string;
  /** Roles of type `System` that the user gains: such a role may allow changing everything in the tenant. */
  readonly administratorRolesGained?: readonly string[];
  readonly administratorRolesLost?: readonly string[];
  /** Address of somebody with the same name: one of them is new, the other would go. */
  readonly sameNameAs?: string;
}

/** What every action on a user of the tenant has. */
interface ExistingUserFacts extends UserActionFacts {
  /** In the tenant's spelling. */
  readonly email: string;
  readonly userId: string;
}

/** An action on a user. */
export type UserAction =
  | (UserActionFacts & { readonly action: 'create'; readonly input: UserInput })
  | (ExistingUserFacts & {
      readonly action: 'update';
      readonly changes: Readonly<Partial<Record<UserField, FieldChange>>>;
      /** Roles that this user loses together with many others: more than ten, or most users of a small tenant. */
      readonly rolesLostByMany?: readonly string[];
    })
  | (ExistingUserFacts & {
      /** `disable` removes all roles and units, the most that the interface can do without removing the user. */
      readonly action: 'disable' | 'delete';
      readonly before: UserFieldValues;
    });

/** One action of a plan. */
export type PlanAction = StructureAction | UserAction;

/**
 * What makes an action dangerous. The user is deleted, disabled, left without any role or unit, or loses a role together
 * with many others; or gains or loses a role of type `System`, also by being created or removed.
 */
export type Danger =
  | 'deleted'
  | 'disabled'
  | 'left_without_access'
  | 'role_lost_by_many'
  | 'administrator_gained'
  | 'administrator_lost';

/** Which dangerous actions a run may take. Both are false by default. */
export interface AllowedActions {
  /** Whether users may be deleted, disabled, left without roles or units, or lose a role with many others. Default false. */
  readonly allowRemovals?: boolean | undefined;
  /** Whether users may gain or lose a role of type `System`; otherwise such users are skipped. Default false. */
  readonly allowAdministrators?: boolean | undefined;
}

/** A desired change that cannot be made; it is skipped, and no user is removed because of it. */
export interface PlanConflict {
  readonly code:
    | 'duplicate_row'
    | 'duplicate_existing'
    | 'invalid_row'
    | 'unknown_name'
    | 'ambiguous_organization_unit'
    | 'protected_user';
  readonly key: string;
  readonly message: string;
}

/** A warning to read before applying. */
export interface PlanWarning {
  readonly code:
    | 'cannot_be_changed'
    | 'cannot_be_compared'
    | 'may_be_refused'
    | 'may_be_the_same_person'
    | 'user_without_email'
    | 'looks_alike'
    | 'not_in_source'
    | 'rows_without_email'
    | 'unread_state'
    | 'removals_held_back';
  readonly message: string;
}

/** How much a plan does. */
export interface PlanCounts {
  readonly create: number;
  readonly update: number;
  readonly disable: number;
  readonly delete: number;
  readonly unchanged: number;
  readonly conflicts: number;
  /** Users in the tenant when the plan was made: the base of the removal percentage. */
  readonly existingUsers: number;
  readonly desiredUsers: number;
  /** Users that are not desired, but protected. */
  readonly protected: number;
}

/** Name and version of the format of a saved plan. */
export const planFormat = { format: 'vitrine-sync-plan', version: 4 } as const;

/** The necessary changes, not yet applied. Plain JSON: save it, show it, apply it later. */
export interface SyncPlan {
  readonly format: typeof planFormat.format;
  readonly version: typeof planFormat.version;
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The `baseUrl` of the tenant when the plan was made. */
  readonly baseUrl: string;
  /** The tenant that the plan was made for. */
  readonly fingerprint: Fingerprint;
  /** How the source of users was read, if it is a file. */
  readonly source?: SourceReading;
  readonly actions: readonly PlanAction[];
  readonly conflicts: readonly PlanConflict[];
  readonly warnings: readonly PlanWarning[];
  readonly counts: PlanCounts;
  /** Paths of the organizational units in the actions by identifier, for display. */
  readonly unitPaths?: Readonly<Record<string, string>>;
}

/** The compared fields of a user. */
export const fieldsOf = (
  user: {
    readonly [TField in UserField]?: UserInput[TField] | undefined;
  },
): UserFieldValues => {
  const { type, firstName, lastName, roles, organizationUnits } = user;
  return {
    ...(type !== undefined && { type }),
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== undefined && { lastName }),
    ...(roles !== undefined && { roles }),
    ...(organizationUnits !== undefined && { organizationUnits }),
  };
};

/** Whether two values of a field are equal for the portal: lists as sets, texts trimmed and in any Unicode form. */
const isSameValue = (one: FieldValue | undefined, other: FieldValue | undefined): boolean => {
  if (one === other) return true;
  if (one === undefined || other === undefined || typeof one !== typeof other) return false;
  const [ones, others] = [[one].flat().map(plainText), [other].flat().map(plainText)];
  return ones.every((text) => others.includes(text)) && others.every((text) => ones.includes(text));
};

const plainText = (text: string): string => text.trim().normalize('NFC');

/** The fields whose values in `desired` and `current` differ, including fields missing from `current`. */
export const differingFields = (desired: UserFieldValues, current: UserFieldValues): readonly UserField[] =>
  userFields.filter((field) => desired[field] !== undefined && !isSameValue(desired[field], current[field]));

/** What makes an action dangerous; empty for an ordinary one. */
export const dangersOf = (action: PlanAction): readonly Danger[] => {
  if (action.resource !== 'user') return [];
  const { administratorRolesGained: gained = [], administratorRolesLost: lost = [] } = action;
  const has: Readonly<Record<Danger, boolean>> = {
    deleted: action.action === 'delete',
    disabled: action.action === 'disable',
    left_without_access:
      action.action === 'update' &&
      [action.changes.roles, action.changes.organizationUnits].some(
        (change) => change?.to.length === 0 && (change.from ?? []).length > 0,
      ),
    role_lost_by_many: action.action === 'update' && (action.rolesLostByMany ?? []).length > 0,
    administrator_gained: gained.length > 0,
    administrator_lost: lost.length > 0,
  };
  return dangers.filter((danger) => has[danger]);
};

const dangers: readonly Danger[] = [
  'deleted',
  'disabled',
  'left_without_access',
  'role_lost_by_many',
  'administrator_gained',
  'administrator_lost',
];

const isAdministratorDanger = (danger: Danger): boolean => danger.startsWith('administrator');

/** Whether an action needs `allowRemovals`, and counts for its limits. */
export const isRemoval = (action: PlanAction): boolean =>
  dangersOf(action).some((danger) => !isAdministratorDanger(danger));

/** Whether an action needs `allowAdministrators`. */
export const changesAdministrators = (action: PlanAction): boolean =>
  dangersOf(action).some(isAdministratorDanger);

/** Whether the options of `applyPlan` allow an action. */
export const isAllowed = (action: PlanAction, options: AllowedActions): boolean =>
  dangersOf(action).every((danger) =>
    isAdministratorDanger(danger) ? options.allowAdministrators === true : options.allowRemovals === true,
  );

/**
 * Reads a plan that was saved as JSON. Throws a {@link PortalError} of kind `config` if it is not valid. It counts the
 * actions again, because some may have been removed by hand.
 */
export const parseSyncPlan = (text: string): SyncPlan => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badPlan('it is not JSON');
  }
  if (!isPlan(value)) throw badPlan('it was created by another version, or not by {planSync}');
  return {
    ...value,
    counts: { ...value.counts, ...countActions(value.actions), conflicts: value.conflicts.length },
  };
};

/** The number of actions of each kind. */
export const countActions = (actions: readonly PlanAction[]): Record<PlanAction['action'], number> => {
  const counts = { create: 0, update: 0, disable: 0, delete: 0 };
  for (const { action } of actions) counts[action] += 1;
  return counts;
};

const isPlan = (value: unknown): value is SyncPlan =>
  isRecord(value) &&
  member(value, 'format') === planFormat.format &&
  member(value, 'version') === planFormat.version &&
  typeof member(value, 'id') === 'string' &&
  typeof member(value, 'baseUrl') === 'string' &&
  isFingerprint(member(value, 'fingerprint')) &&
  isCounts(member(value, 'counts')) &&
  (member(value, 'unitPaths') === undefined || isRecord(member(value, 'unitPaths'))) &&
  isReading(member(value, 'source')) &&
  ['conflicts', 'warnings'].every((name) => isMessageList(member(value, name))) &&
  isActionList(member(value, 'actions'));

/** Checks the counts that cannot be derived from the plan. */
const isCounts = (counts: unknown): boolean =>
  isRecord(counts) &&
  ['unchanged', 'existingUsers', 'desiredUsers', 'protected'].every(
    (name) => typeof member(counts, name) === 'number',
  );

const isReading = (source: unknown): boolean =>
  source === undefined ||
  (isRecord(source) && ['used', 'skipped', 'notes'].every((name) => Array.isArray(member(source, name))));

const isMessageList = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((entry) => isRecord(entry) && typeof member(entry, 'message') === 'string');

const isActionList = (value: unknown): boolean => Array.isArray(value) && value.every(isAction);

/** Whether an action has the fields that applying it needs. The service checks their values. */
const isAction = (action: unknown): boolean => {
  if (!isRecord(action) || typeof member(action, 'key') !== 'string') return false;
  const has = (name: string, type: string) => typeof member(action, name) === type;
  switch (`${String(member(action, 'action'))} ${String(member(action, 'resource'))}`) {
    case 'create user':
      return isUserOf(member(action, 'key'), member(action, 'input'));
    case 'create role':
    case 'create item':
      return isRecord(member(action, 'input'));
    case 'create organizationUnit':
      return has('name', 'string') && has('parentPath', 'string');
    case 'update user':
      return hasUser(action) && isChanges(member(action, 'changes'));
    case 'disable user':
    case 'delete user':
      return hasUser(action) && isRecord(member(action, 'before'));
    default:
      return false;
  }
};

/** Whether key and address are of the same user: it is displayed by address and found by key. */
const isUserOf = (key: unknown, user: unknown): boolean => {
  const email = isRecord(user) ? member(user, 'email') : undefined;
  return typeof email === 'string' && emailKey(email) === key;
};

const isChanges = (changes: unknown): boolean =>
  isRecord(changes) &&
  Object.values(changes).every((change) => isRecord(change) && isFieldValue(member(change, 'to')));

const isFieldValue = (value: unknown): boolean => typeof value === 'string' || Array.isArray(value);

const hasUser = (action: JsonRecord): boolean =>
  asId(member(action, 'userId')) !== undefined && isUserOf(member(action, 'key'), action);

const badPlan = (problem: string): PortalError =>
  new PortalError(`The plan cannot be read: ${problem}. Create it with {planSync} and save it as JSON.`, {
    kind: 'config',
    code: 'bad_plan',
  });
