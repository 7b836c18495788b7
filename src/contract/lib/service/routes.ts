import type { ResourceName, RuleSource } from './resources.ts';

/** One route of the administration API. */
export interface ServiceRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path with `{names}`, below `{base_url}`. */
  readonly path: string;
  readonly about: string;
  readonly source: RuleSource;
  /** Heading in the documentation. */
  readonly tag: string;
  /** What the API key must hold; the names are our choice. */
  readonly permission: string;
  readonly resource: ResourceName;
  /** Body: the fields of a new row, or any of those that may change (JSON Merge Patch, RFC 7396). */
  readonly body?: 'create' | 'change';
  /** A list that is always paged, or one that is whole unless a page is requested. */
  readonly list?: 'paged' | 'whole';
  /** Status of success. */
  readonly status: 200 | 201 | 202 | 204;
  /** Statuses of refusals beyond 400, 401, 403, 413 and 415. */
  readonly refusals?: readonly (404 | 409)[];
}

const users = {
  source: 'interface 4.1',
  tag: 'Users',
  permission: 'Administration.Users',
  resource: 'user',
} as const;
const roles = {
  source: 'interface 4.2',
  tag: 'Roles',
  permission: 'Administration.Roles',
  resource: 'role',
  path: '/v1/roles',
} as const;
const units = {
  source: 'interface 4.3',
  tag: 'Organizational units',
  permission: 'Administration.OrganizationUnits',
  resource: 'organizationUnit',
  path: '/v1/organization-units',
} as const;
const content = { source: 'interface 4.4', tag: 'Items, tasks, links' } as const;
const items = {
  ...content,
  permission: 'Administration.Items',
  resource: 'item',
  path: '/v1/items',
} as const;
const oneUser = { ...users, path: '/v1/users/{userId}' } as const;
const get = { method: 'GET', status: 200 } as const;
const wholeList = { ...get, list: 'whole' } as const;
const creation = { method: 'POST', body: 'create', status: 201, refusals: [409] } as const;
const change = { method: 'PATCH', body: 'change', status: 200, refusals: [404, 409] } as const;
const deletion = { method: 'DELETE', status: 204, refusals: [404] } as const;

/** Every route of the administration API (docs/interface.md#4), by the name of its operation. */
export const serviceRoutes = {
  listUsers: {
    ...users,
    ...get,
    path: '/v1/users',
    list: 'paged',
    about: 'Paginated list of users, in the order they were created.',
  },
  createUser: { ...users, ...creation, path: '/v1/users', about: 'Creates a user.' },
  getUser: { ...oneUser, ...get, refusals: [404], about: 'Details of a user.' },
  updateUser: {
    ...oneUser,
    ...change,
    about: "Changes to the user's details, roles or OU memberships (JSON Merge Patch).",
  },
  deleteUser: { ...oneUser, ...deletion, about: 'Permanently removes the user from the tenant.' },
  listRoles: { ...roles, ...wholeList, about: 'All roles of the tenant.' },
  createRole: { ...roles, ...creation, about: 'Creates a role.' },
  listOrganizationUnits: { ...units, ...wholeList, about: 'All OUs of the tenant.' },
  createOrganizationUnit: { ...units, ...creation, about: 'Creates an OU.' },
  syncOrganizationUnit: {
    ...units,
    method: 'POST',
    path: '/v1/organization-units/{ouId}/sync',
    resource: 'organizationUnitSync',
    status: 202,
    refusals: [404, 409],
    about: 'Synchronizes the members of the OU with its linked security group immediately.',
  },
  listItems: { ...items, ...wholeList, about: 'All items of the tenant.' },
  importItem: { ...items, ...creation, about: 'Imports an item into the tenant.' },
  listTasks: {
    ...content,
    ...wholeList,
    path: '/v1/tasks',
    resource: 'task',
    permission: 'Administration.Tasks',
    about: 'All tasks of the tenant: webhooks and DAX queries.',
  },
  listLinks: {
    ...content,
    ...wholeList,
    path: '/v1/links',
    resource: 'link',
    permission: 'Administration.Links',
    about: 'All active Report Keys and Slideshow links.',
  },
  listAuditLogs: {
    ...get,
    source: 'interface 4.5',
    tag: 'Audit log',
    path: '/v1/audit-logs',
    resource: 'auditRecord',
    permission: 'Administration.AuditLogs',
    list: 'paged',
    about: 'Paginated list of administrative events, newest first; for equal times, the higher number first.',
  },
} as const satisfies Readonly<Record<string, ServiceRoute>>;

/** Name of an operation of the administration API. */
export type OperationName = keyof typeof serviceRoutes;
