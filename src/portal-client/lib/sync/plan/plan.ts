import type { ItemInput, RoleInput, UserInput } from '@vitrine/contract';
import type { UserId } from '../../resources/user.ts';
import type { UserField, UserFieldValues } from '../desired.ts';

/** A field before and after. Units that the plan itself creates stand as their path. */
export interface FieldChange {
  readonly from: string | readonly string[] | undefined;
  readonly to: string | readonly string[];
}

/** A role, unit or item to be created; the service has no way to change or remove one. */
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

/** Something to be done to a user. `key` is the address in the form that tells users apart, `email` as the tenant writes it. */
export type UserAction =
  | { readonly action: 'create'; readonly resource: 'user'; readonly key: string; readonly input: UserInput }
  | {
      readonly action: 'update';
      readonly resource: 'user';
      readonly key: string;
      readonly email: string;
      readonly userId: UserId;
      readonly changes: Readonly<Partial<Record<UserField, FieldChange>>>;
      /** Roles of type `System` that the user loses: such a role may change everything in the tenant. */
      readonly administratorRolesLost?: readonly string[];
    }
  | {
      /** Takes all roles and units away, which is what the interface can do short of removing the user. */
      readonly action: 'disable';
      readonly resource: 'user';
      readonly key: string;
      readonly email: string;
      readonly userId: UserId;
      readonly before: UserFieldValues;
    }
  | {
      readonly action: 'delete';
      readonly resource: 'user';
      readonly key: string;
      readonly email: string;
      readonly userId: UserId;
      readonly before: UserFieldValues;
    };

/** One step of a plan. */
export type PlanAction = StructureAction | UserAction;

/** Something wanted that cannot be done; nothing is done about it, and nobody is removed because of it. */
export interface PlanConflict {
  readonly code: 'duplicate_row' | 'duplicate_existing' | 'invalid_row' | 'ambiguous_organization_unit';
  readonly key: string;
  readonly message: string;
}

/** Something a person should know before applying. */
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
  /** Users in the tenant when the plan was made; the percentage of removals counts from it. */
  readonly existingUsers: number;
  readonly desiredUsers: number;
  /** Users that are not wanted and yet protected. */
  readonly protected: number;
}

/** What would have to be done, and nothing done yet. Plain JSON: save it, show it, apply it later. */
export interface SyncPlan {
  readonly format: 'vitrine-sync-plan';
  readonly version: 1;
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The tenant's interface the plan was made for. */
  readonly baseUrl: string;
  readonly actions: readonly PlanAction[];
  readonly conflicts: readonly PlanConflict[];
  readonly warnings: readonly PlanWarning[];
  readonly counts: PlanCounts;
  /** Paths of the organizational units that the actions name by identifier, for people. */
  readonly unitPaths?: Readonly<Record<string, string>>;
}

/** What an action is about, as people write it: an address, the path of a unit, a name. */
export const targetOf = (action: PlanAction): string => {
  if (action.resource !== 'user') return action.key;
  return action.action === 'create' ? action.input.email : action.email;
};

/** Name of an action inside its plan and its journal. */
export const actionId = (action: PlanAction): string => `${action.action} ${action.resource} ${action.key}`;

/** Whether an action takes something away from a user. */
export const isRemoval = (action: PlanAction): boolean =>
  action.action === 'delete' || action.action === 'disable';

/** Whether an action takes a role of type `System` from a user who stays. */
export const isAdministratorRoleLoss = (action: PlanAction): boolean =>
  action.action === 'update' && (action.administratorRolesLost ?? []).length > 0;

/** Whether an action takes away what a person may need to work, or to repair the tenant with. */
export const isDangerous = (action: PlanAction): boolean =>
  isRemoval(action) || isAdministratorRoleLoss(action);
