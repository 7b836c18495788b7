import type { ResourceName, resources, ServiceField } from './resources.ts';

type Fields = Readonly<Record<string, ServiceField>>;
type FieldsOf<TName extends ResourceName> = (typeof resources)[TName]['fields'];

/** What a field holds. A choice keeps values that a newer service may have. */
export type FieldValue<TField> = TField extends { kind: 'choice'; values: readonly (infer TValue)[] }
  ? TValue | (string & {})
  : TField extends { kind: 'list'; fields: infer TFields extends Fields }
    ? readonly RowOf<TFields>[]
    : TField extends { kind: keyof Values }
      ? Values[TField['kind']]
      : string;

interface Values {
  readonly names: readonly string[];
  readonly integer: number;
  readonly boolean: boolean;
  readonly object: Readonly<Record<string, unknown>>;
}

type RowOf<TFields> = {
  readonly [TKey in keyof TFields]:
    | FieldValue<TFields[TKey]>
    | (TFields[TKey] extends { nullable: true } ? null : never);
};

/** A row of a resource as this project's portal returns it. */
export type ServiceRow<TName extends ResourceName> = RowOf<FieldsOf<TName>>;

/** The fields with these properties. */
type Picked<TName extends ResourceName, TProperties, TFields = FieldsOf<TName>> = Pick<
  RowOf<TFields>,
  { [TKey in keyof TFields]: TFields[TKey] extends TProperties ? TKey : never }[keyof TFields]
>;

/** The fields that create a row. */
export type ServiceInput<TName extends ResourceName> = Picked<TName, { create: 'required' }> &
  Partial<Picked<TName, { create: 'optional' }>>;

/** The fields that create a row, with the defaults filled in. */
export type ServiceNewRow<TName extends ResourceName> = ServiceInput<TName> &
  Picked<TName, { create: 'optional'; default: unknown }>;

/** A merge patch (RFC 7396): null empties a list. */
export type ServiceMergePatch<TName extends ResourceName> = {
  readonly [TKey in keyof ServiceInput<TName>]?:
    | ServiceInput<TName>[TKey]
    | (ServiceInput<TName>[TKey] extends readonly string[] | undefined ? null : never)
    | undefined;
};

/** Fields that create a user (docs/interface.md#2.1). */
export type UserInput = ServiceInput<'user'>;
/** Changes to a user; lists replace. */
export type UserPatch = Partial<UserInput>;
/** Fields that create a role (docs/interface.md#2.2). */
export type RoleInput = ServiceInput<'role'>;
/** Fields that create an organizational unit (docs/interface.md#2.3). */
export type OrganizationUnitInput = ServiceInput<'organizationUnit'>;
/** Fields that import an item (docs/interface.md#2.4). */
export type ItemInput = ServiceInput<'item'>;
