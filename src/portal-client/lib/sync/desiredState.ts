import type { ItemInput, RoleInput, UserInput } from '@vitrine/contract/service';
import type { DesiredUser } from './people.ts';

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
