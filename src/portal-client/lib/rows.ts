import {
  type OperationName,
  type ResourceName,
  resources,
  type ServiceField,
  type ServiceRow,
  type serviceRoutes,
} from '@vitrine/contract/service';
import { asCount, asFilledText, asText, firstMember, isRecord, type JsonRecord, member } from './json.ts';

type Fields<TName extends ResourceName> = (typeof resources)[TName]['fields'];
type TextKind = 'name' | 'text' | 'code' | 'email' | 'guid' | 'choice';

/** Texts that the interface states: always there. `gaps.md` assumes the other fields, and a service may omit lists. */
type StatedField<TName extends ResourceName> = {
  [TField in keyof Fields<TName>]: Fields<TName>[TField] extends {
    source: `interface ${string}`;
    kind: TextKind;
  }
    ? TField
    : never;
}[keyof Fields<TName>];

/** The fields of a returned row, apart from its identifier. */
type RowFields<TName extends ResourceName> = Pick<
  ServiceRow<TName>,
  Exclude<StatedField<TName> & keyof ServiceRow<TName>, 'id'>
> &
  Partial<Omit<ServiceRow<TName>, StatedField<TName> | 'id' | 'details'>>;

interface Identified {
  /** The service's identifier; a number arrives as text. */
  readonly id: string;
}

/**
 * A user as the service returns it (docs/interface.md#2.1). Texts that the service omits are empty. Lists that it omits
 * are absent, which is not the same as empty. Fields that are not in the interface stay, but have no type.
 */
export interface User extends Identified, RowFields<'user'> {}
/** A role as the service returns it (2.2). Without an identifier of the service, `id` is the code or the name. */
export interface Role extends Identified, RowFields<'role'> {}
/** An organizational unit as the service returns it (2.3). */
export interface OrganizationUnit extends Identified, RowFields<'organizationUnit'> {}
/** A task, a webhook or a DAX query, as the service returns it (2.5). Its secret is never returned. */
export interface Task extends Identified, RowFields<'task'> {}
/** An active Report Key or Slideshow link as the service returns it (2.5). */
export interface Link extends Identified, RowFields<'link'> {}
/** The result of a synchronization with the identity directory; the interface does not show it (4.3). */
export type OrganizationUnitSync = RowFields<'organizationUnitSync'>;
/** An item as the service returns it (2.4). */
export interface Item extends Omit<RowFields<'item'>, 'guid'> {
  /** Item ID as a number: the form of the embedding interface (4.6). Undefined if the service returns none. */
  readonly id: number | undefined;
  /** Item ID as a GUID in lower case: the form of the webhooks (6.1). Undefined if the service returns none. */
  readonly guid: string | undefined;
}
/** One administrative event (2.6, 6.2). */
export interface AuditRecord extends Identified, RowFields<'auditRecord'> {
  /** In the service's own form. */
  readonly details?: unknown;
}

/** The returned rows by the name of their resource. */
export interface Rows {
  readonly user: User;
  readonly role: Role;
  readonly organizationUnit: OrganizationUnit;
  readonly organizationUnitSync: OrganizationUnitSync;
  readonly item: Item;
  readonly task: Task;
  readonly link: Link;
  readonly auditRecord: AuditRecord;
}

type Routes = typeof serviceRoutes;

/** The row that an operation returns, or lists. */
export type RowOf<TOperation extends OperationName> = Rows[Routes[TOperation]['resource']];

/** The operations that list a resource. */
export type ListOperation = {
  [TOperation in OperationName]: Routes[TOperation] extends { list: string } ? TOperation : never;
}[OperationName];

/** Reads a row that the service returned; undefined if the value is not one. */
export const readRow = <TName extends keyof Rows>(name: TName, value: unknown): Rows[TName] | undefined => {
  // A synchronization has no identity, and may be answered with an empty body.
  const isSync = name === 'organizationUnitSync';
  const given = isRecord(value) ? value : {};
  const row = readFields(name, given);
  const identity = isSync ? {} : readIdentity(name, given);
  const isIdentified = isSync || Object.values(identity).some((id) => id !== undefined);
  // Built from the table that the type is derived from.
  return row && isIdentified ? (Object.assign(row, identity) as unknown as Rows[TName]) : undefined;
};

/** Identifies a row among others of its list. */
export const rowIdentity = (row: object): string => {
  const { id, guid } = row as { readonly id?: string | number; readonly guid?: string };
  return String(id ?? guid);
};

/** A GUID in lower case, or undefined. */
export const asGuid = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value.trim())
    ? value.trim().toLowerCase()
    : undefined;

/** An Item ID as a number, also from text, or undefined. */
export const asItemNumber = (value: unknown): number | undefined => asCount(value) || undefined;

/** An identifier as text: a number or a non-empty string. */
export const asId = (value: unknown): string | undefined =>
  typeof value === 'boolean' ? undefined : asFilledText(value);

const readIdentity = (name: keyof Rows, given: JsonRecord): JsonRecord => {
  const id = member(given, 'id');
  // `reportId` is the report of the BI platform, and never an Item ID.
  if (name === 'item') return { id: asItemNumber(id), guid: firstMember(given, ['guid', 'id'], asGuid) };
  return { id: name === 'role' ? firstMember(given, ['id', 'code', 'name'], asId) : asId(id) };
};

/**
 * The fields of the table as their declared kinds, and unknown fields unchanged. A field with an invalid value is
 * omitted; undefined if a list of names has anything else: roles that are objects must not be read as none.
 */
const readFields = (name: ResourceName, given: JsonRecord): Record<string, unknown> | undefined => {
  const table: Readonly<Record<string, ServiceField>> = resources[name].fields;
  const row: Record<string, unknown> = {};
  for (const field of Object.keys(given)) if (!Object.hasOwn(table, field)) row[field] = given[field];
  for (const [field, rule] of Object.entries(table)) {
    const value = member(given, field);
    if (rule.kind === 'names' && Array.isArray(value) && value.some((one) => asText(one) === undefined))
      return undefined;
    const read = readField(value, rule);
    if (read !== undefined) row[field] = read;
  }
  return row;
};

const readField = (value: unknown, { kind, source, nullable }: ServiceField): unknown => {
  if (value === null && nullable === true) return null;
  if (kind === 'integer') return asCount(value);
  if (kind === 'boolean') return typeof value === 'boolean' ? value : undefined;
  if (kind === 'names') return Array.isArray(value) ? value.map(String) : undefined;
  if (kind === 'list') return Array.isArray(value) ? value.filter(isRecord) : undefined;
  if (kind === 'object') return value;
  // A text that the interface states is always there.
  const isOptional = kind === 'time' || source === 'our choice';
  return asText(value) ?? (isOptional ? undefined : nullable === true ? null : '');
};
