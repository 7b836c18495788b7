import type { ItemInput, RoleInput, UserInput } from '@vitrine/contract/service';
import type { UserId } from '../../resources/user.ts';
import type { UserField, UserFieldValues } from '../desiredState.ts';

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

/** Roles of type `System` that a user loses: such a role may allow changing everything in the tenant. */
type AdministratorRoles = readonly string[];

/** An action on a user. `key` is the normalized address that identifies the user, `email` the tenant's spelling. */
export type UserAction =
  | { readonly action: 'create'; readonly resource: 'user'; readonly key: string; readonly input: UserInput }
  | {
      readonly action: 'update';
      readonly resource: 'user';
      readonly key: string;
      readonly email: string;
      readonly userId: UserId;
      readonly changes: Readonly<Partial<Record<UserField, FieldChange>>>;
      readonly administratorRolesLost?: AdministratorRoles;
    }
  | {
      /** Removes all roles and units, the most that the interface can do without removing the user. */
      readonly action: 'disable';
      readonly resource: 'user';
      readonly key: string;
      readonly email: string;
      readonly userId: UserId;
      readonly before: UserFieldValues;
      readonly administratorRolesLost?: AdministratorRoles;
    }
  | {
      readonly action: 'delete';
      readonly resource: 'user';
      readonly key: string;
      readonly email: string;
      readonly userId: UserId;
      readonly before: UserFieldValues;
      readonly administratorRolesLost?: AdministratorRoles;
    };

/** Which dangerous actions a run may take. Both are false by default. */
export interface AllowedActions {
  /** Whether users may be disabled or deleted. Default false. */
  readonly allowRemovals?: boolean | undefined;
  /**
   * Whether users may lose a role of type `System`, also by being disabled or deleted; otherwise the changes of such
   * users are skipped. Default false.
   */
  readonly allowAdministratorRoleLoss?: boolean | undefined;
}

/** One action of a plan. */
export type PlanAction = StructureAction | UserAction;

/** A desired change that cannot be made; it is skipped, and no user is removed because of it. */
export interface PlanConflict {
  readonly code: 'duplicate_row' | 'duplicate_existing' | 'invalid_row' | 'ambiguous_organization_unit';
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

/** Name and version of the format of a saved plan. Version 1 did not mark administrators to remove. */
export const planFormat = { format: 'vitrine-sync-plan', version: 2 } as const;

/** The necessary changes, not yet applied. Plain JSON: save it, show it, apply it later. */
export interface SyncPlan {
  readonly format: typeof planFormat.format;
  readonly version: typeof planFormat.version;
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The `baseUrl` that the plan was made for. */
  readonly baseUrl: string;
  readonly actions: readonly PlanAction[];
  readonly conflicts: readonly PlanConflict[];
  readonly warnings: readonly PlanWarning[];
  readonly counts: PlanCounts;
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

/** Whether an action disables or deletes a user. */
export const isRemoval = (action: PlanAction): boolean =>
  action.action === 'delete' || action.action === 'disable';

/** Whether an action removes a role of type `System` from a user, or the user who has one. */
export const isAdministratorRoleLoss = (action: PlanAction): boolean =>
  action.action !== 'create' && (action.administratorRolesLost ?? []).length > 0;

/** Whether the options of `applyPlan` allow an action. */
export const isAllowed = (action: PlanAction, options: AllowedActions): boolean =>
  (options.allowRemovals === true || !isRemoval(action)) &&
  (options.allowAdministratorRoleLoss === true || !isAdministratorRoleLoss(action));

/** Whether an action removes access that a person may need to work or to repair the tenant. */
export const isDangerous = (action: PlanAction): boolean =>
  isRemoval(action) || isAdministratorRoleLoss(action);
