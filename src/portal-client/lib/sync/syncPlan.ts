import { createHash } from 'node:crypto';
import type { ItemInput, RoleInput, UserInput } from '@vitrine/contract/service';
import { configError } from '../errors.ts';
import { isRecord } from '../json.ts';
import type { SourceReading } from './people.ts';
import { nfc } from './text.ts';

/** Fields of a user that a synchronization compares. */
export const userFields = ['type', 'firstName', 'lastName', 'roles', 'organizationUnits'] as const;

/** One of {@link userFields}. */
export type UserField = (typeof userFields)[number];

/** Values of the compared fields; a field that is unknown or unmanaged is absent. */
export type UserFieldValues = Pick<Partial<UserInput>, UserField>;

type FieldValue = string | readonly string[];

/** What an action creates, by its resource; the service cannot change or remove these. */
interface Structure {
  readonly role: RoleInput;
  readonly organizationUnit: {
    readonly name: string;
    /** Path of the parent; empty at the top. */
    readonly parentPath: string;
    readonly directoryGroupId?: string;
  };
  readonly item: ItemInput;
}

/** A role, unit or item to create. `key` identifies it: the path of a unit. */
export type StructureAction = {
  [TResource in keyof Structure]: {
    readonly action: 'create';
    readonly resource: TResource;
    readonly key: string;
    readonly to: Structure[TResource];
  };
}[keyof Structure];

/** What every action on a user has. */
interface UserActionFacts {
  readonly resource: 'user';
  /** The normalized address that identifies the user. */
  readonly key: string;
  /** In the spelling of the tenant or, for a new user, of the source. */
  readonly email: string;
  /** The changed fields before: none of a new user, all of one who is deleted. */
  readonly from: UserFieldValues;
  /** The changed fields after. Units that the plan itself creates are given by path. */
  readonly to: UserFieldValues;
  /**
   * Address of somebody who may be the same person: one of them is new and the other would go, and both have the same name,
   * or a first name that no other new user and nobody else who would go has.
   */
  readonly maybeSameAs?: string;
}

/** The creation of a user. */
export interface UserCreation extends UserActionFacts {
  readonly action: 'create';
  readonly to: Omit<UserInput, 'email'>;
}

/** An action on a user of the tenant. `disable` removes all roles and units, the most that the interface can do without removing the user. */
export interface UserChange extends UserActionFacts {
  readonly action: 'update' | 'disable' | 'delete';
  readonly userId: string;
}

/** An action on a user. */
export type UserAction = UserCreation | UserChange;

/** Whether an action creates a user. */
export const isCreation = (action: PlanAction): action is UserCreation =>
  action.resource === 'user' && action.action === 'create';

/** One action of a plan. */
export type PlanAction = (StructureAction | UserAction) & {
  /** What to review first, and what needs an option. Absent for an ordinary action. */
  readonly dangers?: readonly Danger[];
};

/**
 * What makes an action dangerous. The user is deleted, disabled, left without any role or unit, or loses a role together
 * with many others: more than ten, or most users of a small tenant; or gains or loses a role of type `System`, which may
 * allow changing everything in the tenant, also by being created or removed.
 */
export type Danger =
  | 'deleted'
  | 'disabled'
  | 'left_without_access'
  | 'role_lost_by_many'
  | 'administrator_gained'
  | 'administrator_lost';

/** A desired change that cannot be made; it is skipped, and no user is removed because of it. */
export type PlanConflict = {
  readonly code: 'duplicate_row' | 'invalid_row' | 'unknown_name' | 'protected_user';
  readonly key: string;
  readonly message: string;
};

/** How much a plan does. */
export type PlanCounts = {
  readonly create: number;
  readonly update: number;
  readonly disable: number;
  readonly delete: number;
  readonly unchanged: number;
  readonly conflicts: number;
  /** Users in the tenant when the plan was made: the base of the removal percentage. */
  readonly existingUsers: number;
  /** Users that are not desired, but protected. */
  readonly protected: number;
};

/**
 * Tells a tenant from the others, whatever the address and the API key: its roles, which the interface can add but not
 * rename or remove, and some users, because a service may count the roles of each tenant from 1. Their times tell portals
 * apart that were made of one seed.
 */
export type Fingerprint = {
  /** Identifier and name of each role. */
  readonly roles: readonly string[];
  /** Up to three users whom the plan does not delete. One of them is enough, because the others may have changed. */
  readonly users: readonly { readonly userId: string; readonly email: string; readonly createdAt?: string }[];
};

/** Name and version of the format of a saved plan. */
export const planFormat = { format: 'vitrine-sync-plan', version: 8 } as const;

/** The necessary changes, not yet applied. Plain JSON: save it, show it, apply it later. */
export interface SyncPlan {
  readonly format: typeof planFormat.format;
  readonly version: typeof planFormat.version;
  /** Of the rest of the plan: a plan that was edited after it was saved is rejected. */
  readonly checksum: string;
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
  /** What to read before applying. */
  readonly warnings: readonly string[];
  readonly counts: PlanCounts;
  /** Paths of the organizational units by identifier, for display. */
  readonly unitPaths?: Readonly<Record<string, string>>;
}

/** The compared fields of a user that are there, as `keep` returns their values. */
export const fieldsOf = (
  user: { readonly [TField in UserField]?: UserInput[TField] | undefined },
  keep: (value: FieldValue) => FieldValue = (value) => value,
): UserFieldValues => {
  const fields: Record<string, FieldValue> = {};
  for (const field of userFields) {
    const value = user[field];
    if (value !== undefined) fields[field] = keep(value);
  }
  return fields;
};

/** Some of the fields of a user. */
export const pickFields = (values: UserFieldValues, fields: readonly UserField[]): UserFieldValues =>
  fieldsOf(Object.fromEntries(fields.map((field) => [field, values[field]])));

/** The value of a field in the form in which the portal compares it: a list as a set of names, texts trimmed and in NFC. */
const comparable = (value: FieldValue | undefined): string =>
  JSON.stringify(typeof value === 'object' ? [...new Set(value.map(nfc))].toSorted() : nfc(value));

/** The fields whose values in `desired` and `current` differ, including fields missing from `current`. */
export const differingFields = (desired: UserFieldValues, current: UserFieldValues): readonly UserField[] =>
  userFields.filter(
    (field) =>
      desired[field] !== undefined &&
      desired[field] !== current[field] &&
      comparable(desired[field]) !== comparable(current[field]),
  );

/** The target of an action for messages: an address as it was written, the path of a unit, or a name. */
export const targetOf = (action: PlanAction): string => {
  if (action.resource === 'user') return action.email;
  return action.resource === 'role' ? action.to.name : action.key;
};

/**
 * The checksum of a plan, which tells a saved plan from one that was damaged or edited. It is no protection against
 * somebody who writes plans.
 */
export const checksumOf = ({ actions, checksum: _, ...rest }: Partial<SyncPlan>): string => {
  const hash = createHash('sha256').update(JSON.stringify(rest));
  // One by one: the text of a large plan would double the memory.
  for (const action of actions ?? []) hash.update(JSON.stringify(action));
  return hash.digest('hex');
};

/**
 * Reads a plan that was saved as JSON. Throws a {@link PortalError} of kind `config` if it is not as {@link planSync}
 * returned it: planning again costs less than a plan that does something else.
 */
export const parseSyncPlan = (text: string): SyncPlan => {
  let plan: unknown;
  try {
    plan = JSON.parse(text);
  } catch {
    // It is rejected below, like any other text.
  }
  const isWhole =
    isRecord(plan) &&
    Array.isArray(plan['actions']) &&
    plan['version'] === planFormat.version &&
    plan['checksum'] === checksumOf(plan);
  // Its checksum is that of a plan.
  if (isWhole) return plan as SyncPlan;
  throw configError(
    'bad_plan',
    'The plan cannot be read: it was changed after {planSync} created it, or another version created it. Plan again.',
  );
};
