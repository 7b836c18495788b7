/**
 * The service as data: its resources, their fields and limits, and its routes. Everything that has to know a field reads
 * it here: the portal's validation and OpenAPI document, the client's types, the columns of the command line. This module
 * imports nothing.
 */

/** Where a rule comes from: a section of docs/interface.md, or docs/gaps.md. */
export type RuleSource = `interface ${string}` | 'our choice';

/** What a field holds. */
export type FieldKind =
  /** A text for display: trimmed and not empty. */
  | 'name'
  /** Any text, also an empty one. */
  | 'text'
  /** A text that is sent and returned unchanged, and not empty. */
  | 'code'
  | 'email'
  | 'guid'
  | 'integer'
  | 'boolean'
  /** ISO 8601 UTC. */
  | 'time'
  /** One of `values`; a client keeps others, which a newer service may have. */
  | 'choice'
  /** A list of texts. */
  | 'names'
  /** A list of objects with `fields`. */
  | 'list'
  /** Any JSON object. */
  | 'object';

/** One field of a resource. */
export interface ServiceField {
  readonly kind: FieldKind;
  /** Its meaning: a sentence for documentation and forms. */
  readonly about: string;
  /** Where the field of a new row comes from: the interface shows no field of a returned or changed one. */
  readonly source: RuleSource;
  /** Whether a row can be created with it, and must be. Without it, only the service sets the field. */
  readonly create?: 'required' | 'optional';
  /** The value of another field with which a row needs this one. */
  readonly requiredWith?: readonly [field: string, value: string];
  /** Whether the field can be changed later; for a resource with a change. Default: as `create`. */
  readonly change?: false;
  /** Value of a new row without the field. */
  readonly default?: string | boolean | readonly never[];
  /** Whether it may be null. */
  readonly nullable?: true;
  /** Most characters of a text, or of each text in a list. */
  readonly maxLength?: number;
  /** Most entries of a list. */
  readonly maxItems?: number;
  /** Form of a text, without delimiters, and its description after the field's name. */
  readonly pattern?: readonly [form: string, problem: string];
  readonly values?: readonly string[];
  /** Fields of each entry of a `list`. */
  readonly fields?: Readonly<Record<string, ServiceField>>;
}

/** One resource of the service. */
export interface ServiceResource {
  /** Its name in messages, in the singular. */
  readonly noun: string;
  readonly fields: Readonly<Record<string, ServiceField>>;
  /** Fields of a list in a table, most important first. */
  readonly columns: readonly string[];
}

/** Identity kinds in the interface (2.1). Other values may arrive and are kept. */
export const userTypes = ['DirectoryAD', 'DirectoryADExternal', 'UserPass', 'MobileID'] as const;
/** Kinds of role in the interface (2.2). */
export const roleTypes = ['System', 'Report', 'RLS'] as const;
/** Parent identifier of the units at the top of the hierarchy. */
export const rootOrganizationUnitId = 'root';
/** Default page size of `GET /v1/audit-logs` (docs/interface.md#8), and of every other list. */
export const defaultPageSize = 50;
/** Largest page size of `GET /v1/audit-logs` (docs/interface.md#8), and of every other list. */
export const maxPageSize = 200;
/** Maximum number of RLS roles of a key. */
export const maxRlsRoles = 50;

/** Permissions that an API key needs to create encrypted keys (docs/interface.md#4.6). */
export const mintPermissions = [
  'Administration.ItemLinks.BiItems',
  'Administration.BiReports.Create',
] as const;

type FieldShape = Omit<ServiceField, 'about' | 'source'>;

/** A field that the interface states in a section. */
const stated = <const TShape extends FieldShape>(section: string, about: string, shape: TShape) =>
  ({ ...shape, about, source: `interface ${section}` }) as const;

/** A field that is our choice, because the interface does not show it. */
const chosen = <const TShape extends FieldShape>(about: string, shape: TShape) =>
  ({ ...shape, about, source: 'our choice' }) as const;

const choice = <const TValue extends string>(...values: readonly TValue[]) =>
  ({ kind: 'choice', values }) as const;
/** Names of roles, or identifiers of units; a new row without them has none. */
const names = (maxLength: number, maxItems = 200) =>
  ({ kind: 'names', maxLength, maxItems, create: 'optional', default: [] }) as const;
const sentName = (maxLength: number) => ({ kind: 'name', maxLength, create: 'required' }) as const;
const freeText = { kind: 'text', maxLength: 1000, create: 'optional', default: '' } as const;
const contentType = { kind: 'code', maxLength: 64, create: 'required' } as const;
const sentGuid = { kind: 'guid', create: 'required' } as const;
const optionalGuid = { kind: 'guid', nullable: true, create: 'optional' } as const;
const sentEmail = { kind: 'email', maxLength: 256, create: 'required' } as const;
const unitId = { kind: 'code', maxLength: 32, create: 'required' } as const;
const count = { kind: 'integer' } as const;
const text = { kind: 'text' } as const;
const countOrNull = { kind: 'integer', nullable: true } as const;
const sentFlag = { kind: 'boolean', create: 'required' } as const;
const textOrNull = { kind: 'text', nullable: true } as const;
const timeOrNull = { kind: 'time', nullable: true } as const;

const time = chosen('ISO 8601 UTC.', { kind: 'time' });
const internalNumber = chosen('Internal number.', count);

/** Every resource of the service, by name. */
export const resources = {
  user: {
    noun: 'user',
    columns: ['id', 'email', 'firstName', 'lastName', 'type', 'roles', 'organizationUnits'],
    fields: {
      id: chosen('Internal ID; `userId` in paths and in the audit log.', count),
      type: stated('2.1', 'Identity kind.', { ...choice(...userTypes), create: 'required' }),
      email: stated('2.1', 'Email address, unique in the tenant, ignoring case.', sentEmail),
      firstName: stated('2.1', 'Given name.', sentName(64)),
      lastName: stated('2.1', 'Family name.', sentName(64)),
      roles: stated('2.1', 'Role names.', names(128)),
      organizationUnits: stated('2.1', 'Identifiers of OUs.', names(32)),
      displayName: chosen('First and last name.', text),
      isActive: chosen('Whether the user may sign in.', { kind: 'boolean' }),
      createdAt: time,
      updatedAt: time,
      lastLoginAt: chosen(
        'Last sign-in, ISO 8601 UTC. Always null here: nobody signs in to this portal.',
        timeOrNull,
      ),
    },
  },

  role: {
    noun: 'role',
    columns: ['id', 'name', 'type', 'code', 'description'],
    fields: {
      id: internalNumber,
      name: stated('2.2', 'Display name, unique in the tenant.', sentName(128)),
      type: stated('2.2', 'Kind of role.', { ...choice(...roleTypes), create: 'required', change: false }),
      code: stated(
        '2.2',
        'Role code; required for RLS roles, whose codes are the values of `roleNames`. Unique in the tenant. A rule of the report decides which rows it shows: none until the console or a seed sets one.',
        {
          kind: 'code',
          maxLength: 50,
          pattern: ['^[^,\\s](?:[^,]*[^,\\s])?$', 'must not contain a comma, or a space at the start or end'],
          nullable: true,
          create: 'optional',
          requiredWith: ['type', 'RLS'],
        },
      ),
      description: stated('2.2', 'Free text.', freeText),
      isSystem: chosen('Whether the role belongs to the service.', { kind: 'boolean' }),
    },
  },

  organizationUnit: {
    noun: 'organizational unit',
    columns: ['id', 'name', 'parentId', 'memberCount', 'directoryGroupId'],
    fields: {
      id: chosen('Identifier.', { kind: 'code' }),
      name: stated('2.3', 'Name of the OU.', sentName(128)),
      parentId: stated('2.3', 'Identifier of the parent OU; "root" puts the OU at the top.', unitId),
      directoryGroupId: stated('2.3', 'GUID of a security group of the identity directory.', optionalGuid),
      memberCount: chosen('Users in this OU, not in the OUs below it.', count),
      path: chosen('Names from the top, as a JSON pointer (RFC 6901): each after a slash.', text),
    },
  },

  /** The result of a synchronization with the identity directory. */
  organizationUnitSync: {
    noun: 'synchronization',
    columns: ['syncId', 'status', 'added', 'updated', 'removed'],
    fields: {
      syncId: chosen('ID of this synchronization, also in the audit log.', { kind: 'guid' }),
      status: chosen('The portal synchronizes immediately.', choice('completed')),
      added: chosen('Members that joined the OU.', count),
      updated: chosen('Users whose details changed.', count),
      removed: chosen('Members that left the OU.', count),
    },
  },

  item: {
    noun: 'item',
    columns: ['id', 'displayName', 'type', 'guid', 'roles'],
    fields: {
      id: chosen('The Item ID as a number: `value.reportId` of CreateEncryptedKey.', count),
      guid: chosen('The Item ID as a GUID: `reportId` of webhooks.', { kind: 'guid' }),
      type: stated('2.4', 'Kind of item; any text, such as report, dashboard or app.', contentType),
      workspaceId: stated('2.4', 'Workspace of the BI platform that holds the content.', sentGuid),
      reportId: stated('2.4', 'Report identifier in the BI platform.', sentGuid),
      displayName: stated('2.4', 'Name shown in the service.', sentName(256)),
      roles: stated('2.4', 'Role names that apply to the item.', names(128)),
      additionalData: stated('2.4', 'Related content.', {
        kind: 'list',
        maxItems: 50,
        create: 'optional',
        default: [],
        fields: {
          type: stated('2.4', 'Kind of content; any text, such as dataset.', contentType),
          id: stated('2.4', 'Identifier in the BI platform.', sentGuid),
          hasRls: stated('2.4', 'Whether it filters its rows by role.', sentFlag),
        },
      }),
      createdAt: time,
    },
  },

  task: {
    noun: 'task',
    columns: ['id', 'name', 'kind', 'enabled', 'webhookUrl'],
    fields: {
      id: internalNumber,
      name: chosen('Name of the task.', sentName(256)),
      description: chosen('Free text.', freeText),
      kind: chosen('What the task does.', {
        ...choice('webhook', 'daxQuery'),
        create: 'optional',
        default: 'webhook',
        change: false,
      }),
      reportId: chosen('Item ID of the bound report, or null.', countOrNull),
      visualNames: chosen('Bound visuals.', names(128, 50)),
      webhookUrl: chosen('URL of a webhook task, or null.', textOrNull),
      hasSecret: chosen('Whether a secret token is sent; the token is never returned.', { kind: 'boolean' }),
      enabled: chosen('Whether the task runs.', { kind: 'boolean', create: 'optional', default: true }),
    },
  },

  link: {
    noun: 'link',
    columns: ['id', 'kind', 'name', 'reportId', 'expiresAt'],
    fields: {
      id: internalNumber,
      kind: chosen('A Report Key or a Slideshow link.', choice('reportKey', 'slideshow')),
      name: chosen('What the link opens, and for whom.', text),
      reportId: chosen('Item ID.', count),
      expiresAt: chosen('ISO 8601 UTC, or null if it never expires.', timeOrNull),
      requestedExpiresAt: chosen('The requested expiry, if it was shortened; otherwise null.', timeOrNull),
      createdAt: time,
    },
  },

  auditRecord: {
    noun: 'audit record',
    columns: ['timestamp', 'actionType', 'userEmail', 'description'],
    fields: {
      id: chosen('Number in its tenant: 1, 2, 3 … in the order of the changes, without gaps.', count),
      timestamp: time,
      actionType: chosen('Type of the event, such as UserCreated.', text),
      userId: chosen('Internal ID of the user who made the change, or null.', countOrNull),
      userEmail: chosen('Email address of the user, or name of the API key or interface.', textOrNull),
      resourceType: chosen('Kind of the changed resource.', text),
      resourceId: chosen('Identifier of the changed resource.', text),
      description: chosen('A sentence.', text),
      result: chosen('Result.', choice('success', 'failure')),
      ipAddress: chosen('Source address.', textOrNull),
      details: chosen('Details, depending on the type.', { kind: 'object' }),
    },
  },

  directoryGroup: {
    noun: 'directory group',
    columns: ['id', 'name', 'members'],
    fields: {
      id: chosen('`directoryGroupId` of OUs.', sentGuid),
      name: chosen('Name of the security group.', sentName(256)),
      members: chosen('GUIDs of its people.', { kind: 'names', create: 'optional', default: [] }),
    },
  },

  apiKey: {
    noun: 'API key',
    columns: ['id', 'name', 'permissions', 'createdAt'],
    fields: {
      id: internalNumber,
      name: chosen('Name in the audit log.', sentName(256)),
      permissions: chosen('What the key may do.', {
        kind: 'names',
        maxLength: 128,
        maxItems: 50,
        create: 'required',
      }),
      createdAt: time,
    },
  },
} as const satisfies Readonly<Record<string, ServiceResource>>;

/** Name of a resource. */
export type ResourceName = keyof typeof resources;
