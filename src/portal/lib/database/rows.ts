import {
  emailKey,
  type ResourceName,
  resources,
  type ServiceField,
  type ServiceInput,
  type ServiceNewRow,
  type ServiceRow,
} from '@vitrine/contract/service';
import { nameKey } from '../nameKey.ts';
import { columns, type Tables } from './schema.ts';

/** The tables whose columns have the names of a resource's fields. */
const tables = {
  user: 'users',
  role: 'roles',
  organizationUnit: 'organization_units',
  item: 'items',
  task: 'tasks',
  apiKey: 'api_keys',
} as const satisfies Readonly<Partial<Record<ResourceName, keyof Tables>>>;

/** A resource with a table. */
type StoredName = keyof typeof tables;

const fieldsOf = (name: ResourceName): readonly (readonly [string, ServiceField])[] =>
  Object.entries(resources[name].fields);

/** The fields of every resource; lists read them for each row. */
const returned = new Map(
  Object.keys(resources).map((name) => [name, fieldsOf(name as ResourceName)] as const),
);

/** A row of the service: computed values, and columns with the names of its other fields. */
export const serviceRow = <
  TName extends ResourceName,
  TComputed extends Partial<ServiceRow<TName>> = Record<never, never>,
>(
  name: TName,
  stored: {
    readonly [TKey in Exclude<keyof ServiceRow<TName>, keyof TComputed>]: ServiceRow<TName>[TKey] | number;
  },
  computed?: TComputed,
): ServiceRow<TName> => {
  const values: Readonly<Record<string, unknown>> = stored;
  const more: Readonly<Record<string, unknown>> = computed ?? {};
  const row: Record<string, unknown> = {};
  for (const [field, { kind }] of returned.get(name) ?? []) {
    const value = field in more ? more[field] : values[field];
    row[field] = kind === 'time' && typeof value === 'number' ? new Date(value).toISOString() : value;
  }
  // The parameters have every field.
  return row as ServiceRow<TName>;
};

/** The fields with a column that a client sets: when it creates a row, or also later. */
const sentColumns = (name: StoredName, isLater: boolean) =>
  fieldsOf(name).filter(
    ([field, { create, change }]) =>
      create !== undefined && !(isLater && change === false) && field in columns[tables[name]],
  );

type SentColumns<TName extends StoredName> = Pick<
  ServiceRow<TName>,
  keyof ServiceInput<TName> & keyof Tables[(typeof tables)[TName]]
>;
type Body<TName extends ResourceName> = Readonly<Partial<Record<keyof ServiceInput<TName>, unknown>>>;

/** The columns of a new row that come from its body; an omitted one gets its default. */
export const newColumns = <TName extends StoredName>(name: TName, body: Body<TName>): SentColumns<TName> => {
  const values: Readonly<Record<string, unknown>> = body;
  // The schema of the body has checked the values.
  return Object.fromEntries(
    sentColumns(name, false).map(([field, { default: usual = null }]) => [field, values[field] ?? usual]),
  ) as SentColumns<TName>;
};

/** The columns that a merge patch changes. */
export const changedColumns = <TName extends StoredName>(
  name: TName,
  patch: Body<TName>,
): Partial<SentColumns<TName>> => {
  const values: Readonly<Record<string, unknown>> = patch;
  // As above.
  return Object.fromEntries(
    sentColumns(name, true).flatMap(([field]) =>
      values[field] === undefined ? [] : [[field, values[field]]],
    ),
  ) as Partial<SentColumns<TName>>;
};

/** Tenant and time of a new row. */
interface Place {
  readonly tenantId: number;
  /** Milliseconds. */
  readonly atMs: number;
}

/** The row of a new user. */
export const newUser = (
  { tenantId, atMs }: Place,
  user: Omit<ServiceInput<'user'>, 'roles' | 'organizationUnits'>,
  directoryPersonId: string | null = null,
) => ({
  ...newColumns('user', user),
  tenantId,
  emailKey: emailKey(user.email),
  isActive: true,
  directoryPersonId,
  createdAt: atMs,
  updatedAt: atMs,
});

/** The row of a new role. */
export const newRole = (
  { tenantId, atMs }: Place,
  role: ServiceNewRow<'role'> & { readonly isSystem?: boolean; readonly rule?: object | undefined },
) => ({
  ...newColumns('role', role),
  tenantId,
  nameKey: nameKey(role.name),
  isSystem: role.isSystem ?? false,
  rule: role.rule ?? null,
  createdAt: atMs,
});

/** The row of a new task. */
export const newTask = (
  { tenantId, atMs }: Place,
  task: ServiceNewRow<'task'> & {
    readonly itemId?: number | undefined;
    readonly webhookUrl?: string | undefined;
  },
  secret: string | null,
) => ({
  ...newColumns('task', task),
  tenantId,
  itemId: task.itemId ?? null,
  webhookUrl: task.webhookUrl ?? null,
  secret,
  createdAt: atMs,
});

/** The row of a new API key. */
export const newApiKey = (
  { tenantId, atMs }: Place,
  key: ServiceNewRow<'apiKey'> & { readonly digest: string; readonly userId: number | null },
) => ({
  ...newColumns('apiKey', key),
  tenantId,
  digest: key.digest,
  userId: key.userId,
  revokedAt: null,
  createdAt: atMs,
});
