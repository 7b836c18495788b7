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
  /** Where the parameters of its query come from. Default: our choice. */
  readonly querySource?: RuleSource;
  /** Status of success. */
  readonly status: 200 | 201 | 202 | 204;
  /** Statuses of refusals beyond 400, 401, 403, 413 and 415. */
  readonly refusals?: readonly (404 | 409)[];
}

const users = { resource: 'user', path: '/v1/users', tag: 'Users', source: 'interface 4.1' } as const;
const user = { ...users, path: '/v1/users/{userId}' } as const;
const roles = { resource: 'role', path: '/v1/roles', tag: 'Roles', source: 'interface 4.2' } as const;
const units = {
  resource: 'organizationUnit',
  path: '/v1/organization-units',
  tag: 'Organizational units',
  source: 'interface 4.3',
} as const;
const unitSync = {
  ...units,
  resource: 'organizationUnitSync',
  path: '/v1/organization-units/{ouId}/sync',
} as const;
const content = { tag: 'Items, tasks, links', source: 'interface 4.4' } as const;
const items = { ...content, resource: 'item', path: '/v1/items' } as const;
const tasks = { ...content, resource: 'task', path: '/v1/tasks' } as const;
const links = { ...content, resource: 'link', path: '/v1/links' } as const;
const audit = {
  resource: 'auditRecord',
  path: '/v1/audit-logs',
  tag: 'Audit log',
  source: 'interface 4.5',
  querySource: 'interface 4.5',
} as const;

const pagedList = { method: 'GET', list: 'paged', status: 200 } as const;
const wholeList = { method: 'GET', list: 'whole', status: 200 } as const;
const creation = { method: 'POST', body: 'create', status: 201, refusals: [409] } as const;
const deletion = { method: 'DELETE', status: 204, refusals: [404] } as const;

type Place = Pick<ServiceRoute, 'resource' | 'path' | 'tag' | 'source' | 'querySource'>;
type Shape = Pick<ServiceRoute, 'method' | 'body' | 'list' | 'status' | 'refusals'>;

/** A route whose permission is named after its collection: `Administration.AuditLogs` for `/v1/audit-logs`. */
const route = <const TPlace extends Place, const TShape extends Shape>(
  place: TPlace,
  shape: TShape,
  about: string,
) => {
  const [, , collection = ''] = place.path.split('/');
  const name = collection.replaceAll(/(?:^|-)\w/g, (start) => start.slice(-1).toUpperCase());
  return { ...place, ...shape, about, permission: `Administration.${name}` };
};

/** Every route of the administration API (docs/interface.md#4), by the name of its operation. */
export const serviceRoutes = {
  listUsers: route(users, pagedList, 'Paginated list of users, in the order they were created.'),
  createUser: route(users, creation, 'Creates a user.'),
  getUser: route(user, { method: 'GET', status: 200, refusals: [404] }, 'Details of a user.'),
  updateUser: route(
    user,
    { method: 'PATCH', body: 'change', status: 200, refusals: [404, 409] },
    "Changes to the user's details, roles or OU memberships (JSON Merge Patch).",
  ),
  deleteUser: route(user, deletion, 'Permanently removes the user from the tenant.'),
  listRoles: route(roles, wholeList, 'All roles of the tenant.'),
  createRole: route(roles, creation, 'Creates a role.'),
  listOrganizationUnits: route(units, wholeList, 'All OUs of the tenant.'),
  createOrganizationUnit: route(units, creation, 'Creates an OU.'),
  syncOrganizationUnit: route(
    unitSync,
    { method: 'POST', status: 202, refusals: [404, 409] },
    'Synchronizes the members of the OU with its linked security group immediately.',
  ),
  listItems: route(items, wholeList, 'All items of the tenant.'),
  importItem: route(items, creation, 'Imports an item into the tenant.'),
  listTasks: route(tasks, wholeList, 'All tasks of the tenant: webhooks and DAX queries.'),
  listLinks: route(links, wholeList, 'All active Report Keys and Slideshow links.'),
  listAuditLogs: route(
    audit,
    pagedList,
    'Paginated list of administrative events, newest first; for equal times, the higher number first.',
  ),
} as const satisfies Readonly<Record<string, ServiceRoute>>;

/** Name of an operation of the administration API. */
export type OperationName = keyof typeof serviceRoutes;

/** Path of CreateEncryptedKey under `{api_base_url}` (docs/interface.md#4.6). */
export const createEncryptedKeyPath = '/api/services/app/ItemLinks/CreateEncryptedKey';
