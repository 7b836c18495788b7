import type { ItemInput, RoleInput, UserInput, UserType } from '@vitrine/contract/service';

/**
 * The desired state of a user. Omitted fields stay unchanged; a list replaces the existing list, and an empty one changes
 * nothing unless `emptyClears` is set. The email address identifies users, whatever its case or Unicode form.
 */
export interface DesiredUser {
  readonly email: string;
  readonly type?: UserType | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  /** Role names. */
  readonly roles?: readonly string[] | undefined;
  /** Identifiers of organizational units, or paths such as `/Customers/Acme`, which may be created by the same plan. */
  readonly organizationUnits?: readonly string[] | undefined;
  /** `false` (SCIM's `active`) means that the user is not desired, as if the row were missing. Any value but a boolean is a conflict. */
  readonly active?: boolean | undefined;
  /** Position of the row in its source, for messages: `line 12`. */
  readonly origin?: string | undefined;
}

/** A desired organizational unit; missing parents are created too. */
export interface DesiredOrganizationUnit {
  /** Names from the top, `/Customers/Acme`; `~1` stands for a slash inside a name, `~0` for `~`. */
  readonly path: string;
  /** GUID of the linked security group. Only used when the unit is created. */
  readonly directoryGroupId?: string | null | undefined;
}

/** Rows from an array, a stream, a generator or a database cursor. */
export type Rows<TRow> = Iterable<TRow> | AsyncIterable<TRow>;

/** The desired state of a tenant. Omitted parts stay unchanged. */
export interface DesiredState {
  readonly users?: Rows<DesiredUser> | undefined;
  readonly roles?: Rows<RoleInput> | undefined;
  readonly organizationUnits?: Rows<DesiredOrganizationUnit> | undefined;
  readonly items?: Rows<ItemInput> | undefined;
}

/** Fields of a user that a synchronization compares. */
export const userFields = ['type', 'firstName', 'lastName', 'roles', 'organizationUnits'] as const;

/** One of {@link userFields}. */
export type UserField = (typeof userFields)[number];

/** Values of the compared fields; a field that is unknown or unmanaged is absent. */
export type UserFieldValues = Pick<Partial<UserInput>, UserField>;
