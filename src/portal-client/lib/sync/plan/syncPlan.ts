import type { ItemInput, RoleInput, UserInput } from '@vitrine/contract/service';
import type { UserId } from '../../resources/user.ts';
import type { UserField, UserFieldValues } from '../desiredState.ts';
import type { Fingerprint } from '../fingerprint.ts';
import type { SourceReading } from '../people.ts';

/** A field before and after. Units that the plan itself creates are given by path. */
export interface FieldChange {
  readonly from: string | readonly string[] | undefined;
  readonly to: string | readonly string[];
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

/** Roles of type `System` that a user gains or loses: such a role may allow changing everything in the tenant. */
interface AdministratorRoles {
  readonly administratorRolesGained?: readonly string[];
  readonly administratorRolesLost?: readonly string[];
}

/** An action on a user. `key` is the normalized address that identifies the user, `email` the tenant's spelling. */
export type UserAction =
  | ({
      readonly action: 'create';
      readonly resource: 'user';
      readonly key: string;
      readonly input: UserInput;
    } & AdministratorRoles)
  | ({
      readonly action: 'update';
      readonly resource: 'user';
      readonly key: string;
      readonly email: string;
      readonly userId: UserId;
      readonly changes: Readonly<Partial<Record<UserField, FieldChange>>>;
      /** Roles that this user loses together with many others: more than ten, or most users of a small tenant. */
      readonly rolesLostByMany?: readonly string[];
    } & AdministratorRoles)
  | ({
      /** Removes all roles and units, the most that the interface can do without removing the user. */
      readonly action: 'disable';
      readonly resource: 'user';
      readonly key: string;
      readonly email: string;
      readonly userId: UserId;
      readonly before: UserFieldValues;
    } & AdministratorRoles)
  | ({
      readonly action: 'delete';
      readonly resource: 'user';
      readonly key: string;
      readonly email: string;
      readonly userId: UserId;
      readonly before: UserFieldValues;
    } & AdministratorRoles);

/** Which dangerous actions a run may take. Both are false by default. */
export interface AllowedActions {
  /** Whether users may be disabled, deleted, or lose what {@link isRemoval} counts as such. Default false. */
  readonly allowRemovals?: boolean | undefined;
  /**
   * Whether users may gain or lose a role of type `System`, also by being created, disabled or deleted; otherwise the
   * changes of such users are skipped. Default false.
   */
  readonly allowAdministrators?: boolean | undefined;
}

/** One action of a plan. */
export type PlanAction = StructureAction | UserAction;

/** A desired change that cannot be made; it is skipped, and no user is removed because of it. */
export interface PlanConflict {
  readonly code:
    | 'duplicate_row'
    | 'duplicate_existing'
    | 'invalid_row'
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
    | 'user_without_email'
    | 'looks_alike'
    | 'not_in_source'
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

/** Name and version of the format of a saved plan. Version 2 did not name its tenant, nor mark new administrators. */
export const planFormat = { format: 'vitrine-sync-plan', version: 3 } as const;

/** The necessary changes, not yet applied. Plain JSON: save it, show it, apply it later. */
export interface SyncPlan {
  readonly format: typeof planFormat.format;
  readonly version: typeof planFormat.version;
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The `baseUrl` that the plan was made for. */
  readonly baseUrl: string;
  /** The tenant that the plan was made for. */
  readonly fingerprint: Fingerprint;
  readonly actions: readonly PlanAction[];
  readonly conflicts: readonly PlanConflict[];
  readonly warnings: readonly PlanWarning[];
  readonly counts: PlanCounts;
  /** How the source of users was read, if it is a file. */
  readonly source?: SourceReading;
  /** Paths of the organizational units in the actions by identifier, for display. */
  readonly unitPaths?: Readonly<Record<string, string>>;
}

/** The target of an action for display: an address, the path of a unit, or a name. */
export const targetOf = (action: PlanAction): string => {
  if (action.resource !== 'user') return action.key;
  return action.action === 'create' ? action.input.email : action.email;
};

/** Identifier of an action within its plan and journal. */
export const actionId = (action: PlanAction): string => `${action.action} ${action.resource} ${action.key}`;

/**
 * Whether an action disables or deletes a user, or amounts to it: it takes all roles or all units from a user, or a role
 * from many users at once.
 */
export const isRemoval = (action: PlanAction): boolean => {
  if (action.action !== 'update') return action.action !== 'create';
  return (
    (action.rolesLostByMany ?? []).length > 0 || listFields.some((field) => isEmptied(action.changes[field]))
  );
};

const listFields = ['roles', 'organizationUnits'] as const;

const isEmptied = (change: FieldChange | undefined): boolean =>
  change !== undefined && change.to.length === 0 && (change.from ?? []).length > 0;

/** Whether an action adds an administrator (a role of type `System`). */
export const isAdministratorGain = (action: PlanAction): boolean =>
  action.resource === 'user' && (action.administratorRolesGained ?? []).length > 0;

/** Whether an action takes a role of type `System` from a user, or removes a user who has one. */
export const isAdministratorLoss = (action: PlanAction): boolean =>
  action.resource === 'user' && (action.administratorRolesLost ?? []).length > 0;

/** Whether an action adds or removes an administrator. */
export const isAdministratorChange = (action: PlanAction): boolean =>
  isAdministratorGain(action) || isAdministratorLoss(action);

/** Whether the options of `applyPlan` allow an action. */
export const isAllowed = (action: PlanAction, options: AllowedActions): boolean =>
  (options.allowRemovals === true || !isRemoval(action)) &&
  (options.allowAdministrators === true || !isAdministratorChange(action));

/** Whether an action removes access that a person may need, or makes somebody an administrator. */
export const isDangerous = (action: PlanAction): boolean =>
  isRemoval(action) || isAdministratorChange(action);
