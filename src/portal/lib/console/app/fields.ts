import {
  type ResourceName,
  resources,
  type ServiceField,
  type ServiceResource,
} from '@vitrine/contract/service';

/** The values of a form, by field name. */
export type Values = Readonly<Record<string, unknown>>;

/** One option of a choice. */
export type Option = readonly [value: string, text: string];

/** Lists that a field can choose from by searching. */
export type Source = 'roles' | 'organization-units' | 'items' | 'visuals' | 'codes' | 'users';

/** One field of a form. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'long' | 'choice' | 'search' | 'many' | 'check' | 'list';
  readonly hint?: string | undefined;
  /** Type of a text: `email`, `url`, `number`, `password`. Default: `text`. */
  readonly type?: string;
  readonly isRequired?: boolean | ((values: Values) => boolean);
  /** Whether it is set once, with a new row. */
  readonly isFixed?: boolean;
  readonly isNullable?: boolean;
  /** Value of a new row. */
  readonly value?: unknown;
  readonly maxLength?: number | undefined;
  readonly min?: number;
  readonly max?: number;
  readonly placeholder?: string;
  readonly options?: readonly Option[] | ((values: Values) => readonly Option[]);
  /** What `search` and `many` choose from, unless there are `options`. */
  readonly source?: Source;
  /** Fields of each entry of a `list`. */
  readonly fields?: readonly FormField[];
  /** Whether the field is shown and part of the values. Default: always. */
  readonly shownIf?: (values: Values) => boolean;
}

const labels: Readonly<Record<string, string>> = {
  id: 'ID',
  guid: 'GUID',
  displayName: 'Name',
  organizationUnits: 'Units',
  parentId: 'Below',
  directoryGroupId: 'Directory group',
  workspaceId: 'Workspace ID',
  reportId: 'Report ID',
  hasRls: 'Filters rows by role',
  visualNames: 'Visuals',
  webhookUrl: 'Webhook address',
  actionType: 'Event',
  userEmail: 'By',
  timestamp: 'Time',
  memberCount: 'Members',
  userCount: 'Users',
  expiresAt: 'Expires',
  createdAt: 'Created',
};

/** The title of a field: `firstName` is "First name". */
export const labelOf = (name: string): string =>
  labels[name] ??
  name
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (first) => first.toUpperCase());

const kinds: Partial<Record<ServiceField['kind'], FormField['kind']>> = {
  boolean: 'check',
  choice: 'choice',
  names: 'many',
  list: 'list',
};

const kindOf = ({ kind, maxLength = 0 }: ServiceField): FormField['kind'] =>
  kinds[kind] ?? (kind === 'text' && maxLength >= 1000 ? 'long' : 'text');

const toFormField = (name: string, field: ServiceField): FormField => ({
  name,
  label: labelOf(name),
  kind: kindOf(field),
  type: field.kind === 'email' ? 'email' : 'text',
  isRequired: field.create === 'required',
  isFixed: field.change === false,
  isNullable: field.nullable === true,
  maxLength: field.maxLength,
  ...(field.default !== undefined && { value: field.default }),
  ...(field.values !== undefined && { options: field.values.map((value) => [value, value] as const) }),
  ...(field.fields !== undefined && {
    fields: Object.entries(field.fields).map(([part, one]) => toFormField(part, one)),
  }),
});

/** The fields of a resource's form, from its table. `more` adds to them, by name; null leaves one out. */
export const fieldsOf = (
  resource: ResourceName,
  more: Readonly<Record<string, Partial<FormField> | null>> = {},
): readonly FormField[] => {
  const { fields }: ServiceResource = resources[resource];
  return Object.entries(fields)
    .filter(([name, { create }]) => create !== undefined && more[name] !== null)
    .map(([name, field]) => ({ ...toFormField(name, field), ...more[name] }));
};

/** What a field holds before anything is entered. */
export const emptyValue = ({ kind, value, options }: FormField): unknown => {
  if (value !== undefined) return value;
  if (kind === 'many' || kind === 'list') return [];
  if (kind === 'check') return false;
  return kind === 'choice' && Array.isArray(options) ? (options[0]?.[0] ?? '') : '';
};

/** The values of a form for a row, or for a new one. */
export const valuesOf = (fields: readonly FormField[], row: Values | undefined): Values =>
  Object.fromEntries(fields.map((field) => [field.name, row?.[field.name] ?? emptyValue(field)]));

/** The values of the fields that are shown, as the portal takes them. */
export const bodyOf = (fields: readonly FormField[], values: Values): Values =>
  Object.fromEntries(
    fields
      .filter(({ shownIf }) => shownIf?.(values) !== false)
      .map(({ name, isNullable = false }) => [name, isNullable && values[name] === '' ? null : values[name]]),
  );
