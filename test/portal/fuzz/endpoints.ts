/** A value that the portal accepts for a field; `{n}` becomes twelve unique digits. */
export type Valid = string | number | readonly unknown[] | { readonly [name: string]: unknown };

/** An endpoint with a valid request. */
export interface Endpoint {
  readonly method: string;
  /** `{user}`, `{unit}` and `{item}` stand for identifiers. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, Valid>>;
  /** Sent to the tenant's public origin with the key of a report. */
  readonly isOfReport?: boolean;
  /** Sent with the headers of CreateEncryptedKey. */
  readonly isMint?: boolean;
}

const paging = { page: '1', pageSize: '20' };
const guid = '0f9d8a52-8f2b-4c58-9c43-2a1a1f7f0001';

/** Every endpoint of the service, with a valid request each. */
export const endpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/v1/users', query: paging },
  {
    method: 'POST',
    path: '/v1/users',
    body: {
      type: 'UserPass',
      email: 'fuzz-{n}@acme.example',
      firstName: 'First',
      lastName: 'Last',
      roles: ['Viewer'],
      organizationUnits: [],
    },
  },
  { method: 'GET', path: '/v1/users/{user}' },
  {
    method: 'PATCH',
    path: '/v1/users/{user}',
    body: { firstName: 'Other', roles: [], organizationUnits: [] },
  },
  { method: 'DELETE', path: '/v1/users/{user}' },
  { method: 'GET', path: '/v1/roles', query: paging },
  {
    method: 'POST',
    path: '/v1/roles',
    body: { name: 'Role {n}', type: 'RLS', code: 'code-{n}', description: 'Of a generated request' },
  },
  { method: 'GET', path: '/v1/organization-units', query: paging },
  {
    method: 'POST',
    path: '/v1/organization-units',
    body: { name: 'Unit {n}', parentId: 'root', directoryGroupId: guid },
  },
  { method: 'POST', path: '/v1/organization-units/{unit}/sync' },
  { method: 'GET', path: '/v1/items', query: paging },
  {
    method: 'POST',
    path: '/v1/items',
    body: {
      type: 'report',
      workspaceId: guid,
      reportId: '0f9d8a52-8f2b-4c58-9c43-{n}',
      displayName: 'Item {n}',
      roles: [],
      additionalData: [{ type: 'dataset', id: guid, hasRls: false }],
    },
  },
  { method: 'GET', path: '/v1/tasks', query: paging },
  { method: 'GET', path: '/v1/links', query: paging },
  {
    method: 'GET',
    path: '/v1/audit-logs',
    query: { ...paging, userId: '1', actionType: 'UserCreated', dateRange: '2026-01-01/2026-12-31' },
  },
  {
    method: 'POST',
    path: '/api/services/app/ItemLinks/CreateEncryptedKey',
    isMint: true,
    body: {
      value: {
        userId: 'viewer@acme.example',
        reportId: 1042,
        roleNames: ['region-north'],
        expiration: '2099-01-01T00:00:00Z',
      },
      passPhrase: '{passPhrase}',
      tenancyName: 'acme',
    },
  },
  { method: 'GET', path: '/report/{item}', isOfReport: true, query: { ev: '{key}' } },
  {
    method: 'POST',
    path: '/report/{item}/actions',
    isOfReport: true,
    body: { visual: 'revenue-by-region', columns: ['Region'], points: [['North']], filters: [] },
  },
  { method: 'POST', path: '/report/{item}/session', isOfReport: true },
];
