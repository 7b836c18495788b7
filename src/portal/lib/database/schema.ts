import type { ServiceRow } from '@vitrine/contract/service';
import type { Generated, Selectable } from 'kysely';

/** A column: the same in SQLite and Postgres. */
export interface Column {
  /** SQLite has neither booleans nor JSON; the driver converts both. A time is in milliseconds since 1970. */
  readonly type: 'text' | 'integer' | 'boolean' | 'json' | 'time';
  readonly isNullable?: true;
  /** Primary key: given, or a number that the database generates and never uses again. */
  readonly key?: 'given' | 'generated';
}

const text = { type: 'text' } as const;
const optionalText = { type: 'text', isNullable: true } as const;
const integer = { type: 'integer' } as const;
const optionalInteger = { type: 'integer', isNullable: true } as const;
const givenKey = { type: 'integer', key: 'given' } as const;
const generatedKey = { type: 'integer', key: 'generated' } as const;
const flag = { type: 'boolean' } as const;
const time = { type: 'time' } as const;
const optionalTime = { type: 'time', isNullable: true } as const;

/** A person of the identity directory. */
export type DirectoryPerson = Pick<ServiceRow<'user'>, 'type' | 'email' | 'firstName' | 'lastName'> & {
  readonly id: string;
};

/** An identity directory; its GUIDs are in lower case. */
export interface Directory {
  readonly people: readonly DirectoryPerson[];
  readonly groups: readonly ServiceRow<'directoryGroup'>[];
}

/** A JSON document; only values of this type are written. */
const json = <TValue>(): { readonly type: 'json'; readonly value?: TValue } => ({ type: 'json' });

/**
 * The columns of every table. A column with the name of a resource's field holds that field. There are no migrations
 * before the first release: a portal creates all tables or none.
 */
export const columns = {
  meta: { key: { type: 'text', key: 'given' }, value: text },

  tenants: {
    id: givenKey,
    tenancyName: text,
    displayName: text,
    passphraseDigest: text,
    // 32 random bytes, base64: seals and opens this tenant's encrypted keys.
    sealKey: text,
    // Sources allowed to frame the report pages, as in CSP `frame-ancestors`.
    frameAncestors: text,
    // Number of the newest audit record: the records of a tenant are numbered without gaps.
    auditSeq: integer,
    // Sample data of imported items; a copied tenant shares that of its template.
    dataset: text,
    createdAt: time,
  },

  api_keys: {
    id: generatedKey,
    tenantId: integer,
    name: text,
    // SHA-256 of the key, hex. The key itself is not stored.
    digest: text,
    permissions: json<readonly string[]>(),
    // User that the key was issued to: the actor in the audit log.
    userId: optionalInteger,
    revokedAt: optionalTime,
    createdAt: time,
  },

  users: {
    id: generatedKey,
    tenantId: integer,
    type: text,
    email: text,
    // For uniqueness, ignoring case.
    emailKey: text,
    firstName: text,
    lastName: text,
    isActive: flag,
    directoryPersonId: optionalText,
    createdAt: time,
    updatedAt: time,
  },

  roles: {
    id: generatedKey,
    tenantId: integer,
    name: text,
    nameKey: text,
    type: text,
    code: optionalText,
    description: text,
    isSystem: flag,
    // `RowRule` of an RLS role.
    rule: { ...json<object | null>(), isNullable: true },
    createdAt: time,
  },

  user_roles: { tenantId: integer, userId: integer, roleId: integer },

  organization_units: {
    id: generatedKey,
    tenantId: integer,
    name: text,
    // Null at the top.
    parentId: optionalInteger,
    directoryGroupId: optionalText,
    createdAt: time,
  },

  memberships: {
    tenantId: integer,
    userId: integer,
    organizationUnitId: integer,
    // `manual` or `directory`; a synchronization only removes memberships of synchronizations.
    source: text,
  },

  // It is replaced as a whole, and read by synchronizations.
  directories: { tenantId: givenKey, directory: json<Directory>() },

  items: {
    tenantId: integer,
    // The Item ID as a number, unique in its tenant, and as a GUID.
    id: integer,
    guid: text,
    type: text,
    workspaceId: text,
    reportId: text,
    displayName: text,
    roles: json<readonly string[]>(),
    additionalData: json<ServiceRow<'item'>['additionalData']>(),
    hasRls: flag,
    // Which report page draws the item, and which sample data.
    report: text,
    dataset: text,
    createdAt: time,
  },

  tasks: {
    id: generatedKey,
    tenantId: integer,
    name: text,
    description: text,
    kind: text,
    itemId: optionalInteger,
    visualNames: json<readonly string[]>(),
    webhookUrl: optionalText,
    secret: optionalText,
    enabled: flag,
    createdAt: time,
  },

  links: {
    id: generatedKey,
    tenantId: integer,
    kind: text,
    name: text,
    itemId: integer,
    userId: optionalText,
    expiresAt: optionalTime,
    // The requested expiry, if it was shortened; else null.
    requestedExpiresAt: optionalTime,
    revokedAt: optionalTime,
    createdAt: time,
  },

  viewers: { id: generatedKey, tenantId: integer, userId: text },

  audit_logs: {
    tenantId: integer,
    // 1, 2, 3 … per tenant, without gaps.
    id: integer,
    actionType: text,
    timestamp: time,
    userId: optionalInteger,
    userEmail: optionalText,
    resourceType: text,
    resourceId: text,
    description: text,
    result: text,
    ipAddress: optionalText,
    details: json<Readonly<Record<string, unknown>>>(),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Column>>>>;

type Schema = typeof columns;

/** The indexes, each by its table and columns. */
export const indexes: readonly (readonly [table: keyof Schema, on: readonly string[], kind?: 'unique'])[] = [
  ['tenants', ['tenancyName'], 'unique'],
  ['api_keys', ['digest'], 'unique'],
  ['users', ['tenantId', 'emailKey'], 'unique'],
  ['users', ['tenantId', 'id']],
  ['roles', ['tenantId', 'nameKey'], 'unique'],
  ['roles', ['tenantId', 'code'], 'unique'],
  ['user_roles', ['userId', 'roleId'], 'unique'],
  ['organization_units', ['tenantId']],
  ['memberships', ['userId', 'organizationUnitId'], 'unique'],
  ['memberships', ['organizationUnitId']],
  ['items', ['tenantId', 'id'], 'unique'],
  ['items', ['guid'], 'unique'],
  ['tasks', ['tenantId']],
  ['links', ['tenantId', 'expiresAt']],
  ['viewers', ['tenantId', 'userId'], 'unique'],
  ['audit_logs', ['tenantId', 'id'], 'unique'],
  // The log is read by time, and by number for equal times.
  ['audit_logs', ['tenantId', 'timestamp', 'id']],
  ['audit_logs', ['tenantId', 'actionType', 'timestamp', 'id']],
  ['audit_logs', ['tenantId', 'userId', 'timestamp', 'id']],
];

/** The names of all tables. */
export const tableNames = Object.keys(columns) as readonly (keyof Schema)[];

type ValueOf<TColumn> = TColumn extends { readonly type: 'json'; readonly value?: infer TValue }
  ? TValue
  :
      | (TColumn extends { type: 'text' } ? string : TColumn extends { type: 'boolean' } ? boolean : number)
      | (TColumn extends { isNullable: true } ? null : never);

/** The tables, for Kysely. */
export type Tables = {
  [TTable in keyof Schema]: {
    -readonly [TColumn in keyof Schema[TTable]]: Schema[TTable][TColumn] extends { key: 'generated' }
      ? Generated<number>
      : ValueOf<Schema[TTable][TColumn]>;
  };
};

/** A stored row of a table. */
export type Row<TTable extends keyof Tables> = Selectable<Tables[TTable]>;
