import {
  mintPermissions,
  type ResourceName,
  resources,
  type ServiceResource,
  serviceRoutes,
} from '@vitrine/contract/service';
import { reportTitles } from '../../reports/shared/reportKinds.ts';
import { ruleValues } from '../../reports/shared/ruleValues.ts';
import type { PortalTenant } from '../../tenants/describeTenants.ts';
import { ask, type Row, shown } from './api.ts';
import { type FormField, fieldsOf, labelOf, type Option, type Values } from './fields.ts';
import type { Column } from './parts.tsx';

/** A list of a tenant: its columns, its form, and how its rows change. */
export interface ResourceDefinition {
  /** Name in the address and of the list: `users`. */
  readonly name: string;
  readonly title: string;
  /** Singular noun: `user`. */
  readonly one: string;
  readonly columns: readonly Column[];
  /** Name of a row in questions and titles. */
  readonly nameOf: (row: Row) => string;
  readonly fields?: (row: Row | undefined) => readonly FormField[];
  /** What the form shows of a row. Default: its fields. */
  readonly valuesOf?: (row: Row) => Values;
  /** What is sent for the values of a form. Default: the values. */
  readonly bodyOf?: (body: Values) => Values;
  /** Creates a row. What it returns beyond the `id` is shown once. */
  readonly create?: (path: string, body: Values) => Promise<Row>;
  /** Verb of creation. Default: "Create". */
  readonly createVerb?: string;
  /** Changes a row; without it, rows do not change. */
  readonly change?: (path: string, row: Row, changes: Values) => Promise<unknown>;
  readonly remove?: (path: string, row: Row) => Promise<unknown>;
  /** The rows of a list that belongs to the portal, and not to a tenant. */
  readonly ofPortal?: (tenants: readonly PortalTenant[]) => readonly Row[];
  /** Verb of deletion. Default: "Remove". */
  readonly verb?: string;
  readonly isRemovable?: (row: Row) => boolean;
  /** What a deletion does to others, as a sentence, or empty. */
  readonly effectOf?: (row: Row) => string;
  /** A further action on a row. */
  readonly action?: {
    readonly text: string;
    readonly isOffered: (row: Row) => boolean;
    /** Returns what happened, as a sentence. */
    readonly act: (path: string, row: Row) => Promise<string>;
  };
}

const plainOptions = (texts: readonly string[]): readonly Option[] => texts.map((text) => [text, text]);

const columnsOf = (resource: ResourceName, names?: readonly (string | Column)[]): readonly Column[] => {
  const { fields, columns }: ServiceResource = resources[resource];
  return (names ?? columns).map((column) =>
    typeof column === 'string'
      ? { title: labelOf(column), field: column, isTime: fields[column]?.kind === 'time' }
      : column,
  );
};

const holders = (count: unknown, what: string): string =>
  Number(count) > 0 ? `Users who ${what}: ${shown(count)}.` : '';

const post =
  (rows: string): NonNullable<ResourceDefinition['create']> =>
  (path, body) =>
    ask('POST', `${path}/${rows}`, body);
const patch =
  (rows: string): NonNullable<ResourceDefinition['change']> =>
  (path, { id }, changes) =>
    ask('PATCH', `${path}/${rows}/${shown(id)}`, changes);
const remove =
  (rows: string): NonNullable<ResourceDefinition['remove']> =>
  (path, { id }) =>
    ask('DELETE', `${path}/${rows}/${shown(id)}`);

const users: ResourceDefinition = {
  name: 'users',
  title: 'Users',
  one: 'user',
  columns: columnsOf('user', ['id', 'displayName', 'email', 'type', 'roles']),
  nameOf: ({ email }) => shown(email),
  fields: () =>
    fieldsOf('user', {
      type: { value: 'UserPass' },
      roles: { source: 'roles' },
      organizationUnits: { source: 'organization-units' },
    }),
  create: post('v1/users'),
  change: patch('v1/users'),
  remove: remove('v1/users'),
};

interface Rule {
  readonly kind: 'all' | 'equals' | 'username';
  readonly column?: 'region' | 'product' | 'owner';
  readonly value?: string;
}

/** The rule of a role, as the portal describes it. */
const ruleOf = (row: Row | undefined): Rule | null => (row?.['rule'] ?? null) as Rule | null;

/** The rows that a role opens. */
const ruleText = (row: Row): string => {
  if (row['type'] !== 'RLS') return '–';
  const rule = ruleOf(row);
  if (rule === null) return 'none (no rule)';
  if (rule.kind === 'all') return 'all';
  return rule.kind === 'equals' ? `${rule.column} = ${rule.value}` : `${rule.column} = the viewer`;
};

const isRls = ({ type }: Values) => type === 'RLS';
const isEquals = (values: Values) => isRls(values) && values['ruleKind'] === 'equals';

const ruleFields = (row: Row | undefined): readonly FormField[] => [
  {
    name: 'ruleKind',
    label: 'Visible rows',
    kind: 'choice',
    options: [
      ['none', 'None'],
      ['all', 'All rows'],
      ['equals', 'Rows where a column has a value'],
      ['username', 'Rows of the viewer: owner = USERNAME()'],
    ],
    shownIf: isRls,
  },
  {
    name: 'ruleColumn',
    label: 'Column',
    kind: 'choice',
    options: [
      ['region', 'Region'],
      ['product', 'Product'],
    ],
    shownIf: isEquals,
  },
  ...(['region', 'product'] as const).map((column): FormField => {
    const rule = ruleOf(row);
    const own = rule?.column === column && rule.value !== undefined ? [rule.value] : [];
    return {
      name: column,
      label: 'Value',
      kind: 'choice',
      // The values of the rows, and that of a rule from a seed or a program.
      options: plainOptions([...new Set([...ruleValues[column], ...own])]),
      shownIf: (values) => isEquals(values) && values['ruleColumn'] === column,
    };
  }),
];

const ruleBody = ({ ruleKind, ruleColumn, region, product, ...body }: Values): Values => ({
  ...body,
  ...(ruleKind === 'none' && { rule: null }),
  ...(ruleKind === 'all' && { rule: { kind: 'all' } }),
  ...(ruleKind === 'equals' && { rule: { kind: 'equals', column: ruleColumn, value: region ?? product } }),
  ...(ruleKind === 'username' && { rule: { kind: 'username', column: 'owner' } }),
});

const roles: ResourceDefinition = {
  name: 'roles',
  title: 'Roles',
  one: 'role',
  columns: columnsOf('role', [
    'name',
    'type',
    'code',
    { title: 'Visible rows', render: ruleText },
    'userCount',
    'description',
  ]),
  nameOf: ({ name }) => shown(name),
  fields: (row) => [
    ...fieldsOf('role', {
      type: { options: plainOptions(['RLS', 'Report', 'System']) },
      code: { isRequired: true, shownIf: isRls, hint: 'The value for roleNames of CreateEncryptedKey.' },
    }),
    ...ruleFields(row),
  ],
  valuesOf: (row) => {
    const { kind = 'none', column = 'region', value } = ruleOf(row) ?? {};
    return { ...row, ruleKind: kind, ruleColumn: column, ...(value !== undefined && { [column]: value }) };
  },
  bodyOf: ruleBody,
  create: async (path, { rule, ...body }) => {
    const created = await ask('POST', `${path}/v1/roles`, body);
    if (rule !== undefined && rule !== null)
      await ask('PATCH', `${path}/roles/${shown(created['id'])}`, { rule });
    return { id: created['id'] };
  },
  change: patch('roles'),
  remove: remove('roles'),
  isRemovable: ({ isSystem }) => isSystem !== true,
  effectOf: ({ userCount }) => holders(userCount, 'will lose this role'),
};

const units: ResourceDefinition = {
  name: 'organization-units',
  title: 'Units',
  one: 'unit',
  columns: columnsOf('organizationUnit', ['id', 'path', 'memberCount', 'directoryGroupId']),
  nameOf: ({ path }) => shown(path),
  fields: () =>
    fieldsOf('organizationUnit', {
      parentId: {
        kind: 'search',
        source: 'organization-units',
        options: [['root', 'the top']],
        value: 'root',
      },
      directoryGroupId: { hint: 'A GUID. Leave empty for a unit without synchronized members.' },
    }),
  create: post('v1/organization-units'),
  change: patch('organization-units'),
  remove: remove('organization-units'),
  effectOf: ({ memberCount }) => holders(memberCount, 'will be removed from this unit'),
  action: {
    text: 'Synchronize',
    isOffered: ({ directoryGroupId }) => directoryGroupId !== null,
    act: async (path, { id, path: name }) => {
      const { added, updated, removed } = await ask(
        'POST',
        `${path}/v1/organization-units/${shown(id)}/sync`,
      );
      return `${shown(name)} is synchronized with its directory group: ${shown(added)} added, ${shown(updated)} updated, ${shown(removed)} removed.`;
    },
  },
};

const items: ResourceDefinition = {
  name: 'items',
  title: 'Items',
  one: 'item',
  columns: columnsOf('item', [
    'id',
    'displayName',
    'type',
    {
      title: 'Rows',
      render: ({ hasRls }) => (hasRls === true ? 'filtered by role' : 'all rows for everyone'),
    },
    'guid',
  ]),
  nameOf: ({ displayName }) => shown(displayName),
  createVerb: 'Import',
  fields: () => [
    ...fieldsOf('item', {
      type: { value: 'report', isFixed: true },
      workspaceId: { value: crypto.randomUUID(), isFixed: true },
      reportId: { value: crypto.randomUUID(), isFixed: true },
      additionalData: { isFixed: true },
      roles: {
        source: 'roles',
        hint: "Stored and returned, and read nowhere: a key's userId and roleNames, and the host's canView, decide who sees what.",
      },
    }),
    { name: 'report', label: 'Report page', kind: 'choice', options: reportTitles },
    { name: 'hasRls', label: 'Filters rows by role and user (RLS)', kind: 'check' },
  ],
  create: async (path, { report, hasRls, ...body }) => {
    const { id } = await ask('POST', `${path}/v1/items`, body);
    await ask('PATCH', `${path}/items/${shown(id)}`, { report, hasRls });
    return { id };
  },
  change: patch('items'),
  remove: remove('items'),
  effectOf: () => 'Its links expire, and its tasks are no longer bound to a report.',
};

const isWebhook = ({ kind }: Values) => kind === 'webhook';

const taskBody = ({ itemId, webhookUrl, secret, removeSecret, query, ...rest }: Values): Values => ({
  ...rest,
  ...(itemId !== '' && { itemId: Number(itemId) }),
  ...(webhookUrl !== undefined && webhookUrl !== '' && { webhookUrl }),
  ...(removeSecret === true ? { secret: null } : secret !== undefined && secret !== '' && { secret }),
  ...(query !== undefined && query !== '' && { query }),
});

/** The form of a task. Its secret is written, never read: an empty field keeps it. */
const taskFields = (row: Row | undefined): readonly FormField[] => {
  const hasSecret = row?.['hasSecret'] === true;
  return [
    ...fieldsOf('task', { visualNames: null, enabled: null }),
    {
      name: 'itemId',
      label: 'Item',
      kind: 'search',
      source: 'items',
      // The item of a task may have been removed.
      isRequired: row === undefined || row['reportId'] !== null,
    },
    {
      name: 'visualNames',
      label: 'Visuals',
      kind: 'many',
      source: 'visuals',
      isRequired: true,
      hint: 'Those of the item’s report. A visual with a task is marked "Linked" there.',
      shownIf: isWebhook,
    },
    {
      name: 'webhookUrl',
      label: 'Webhook address',
      kind: 'text',
      type: 'url',
      // A task of a seed may have no address yet; none is taken away.
      isRequired: row === undefined || row['webhookUrl'] !== null,
      placeholder: 'http://localhost:3000/api/embed/webhook',
      shownIf: isWebhook,
    },
    {
      name: 'secret',
      label: hasSecret ? 'New secret' : 'Secret',
      kind: 'text',
      type: 'password',
      hint: hasSecret
        ? 'A secret is set. Leave this empty to keep it; it is never shown.'
        : 'Sent in the Authorization header as Bearer <secret>. The secret is stored and never shown again.',
      shownIf: (values) => isWebhook(values) && values['removeSecret'] !== true,
    },
    {
      name: 'removeSecret',
      label: 'Stop sending the secret',
      kind: 'check',
      shownIf: (values) => hasSecret && isWebhook(values),
    },
    {
      name: 'query',
      label: 'DAX query',
      kind: 'long',
      hint: 'The portal stores this query; it does not run it.',
      shownIf: (values) => !isWebhook(values),
    },
    { name: 'enabled', label: 'Enabled', kind: 'check', value: true },
  ];
};

const tasks: ResourceDefinition = {
  name: 'tasks',
  title: 'Tasks',
  one: 'task',
  columns: columnsOf('task', [
    'id',
    'name',
    {
      title: 'Kind',
      field: 'kind',
      render: ({ kind }) => (kind === 'webhook' ? 'webhook' : 'DAX query: stored, not run'),
    },
    { title: 'Item', field: 'reportId' },
    'visualNames',
    { title: 'Sends to', field: 'webhookUrl' },
    { title: 'Secret', render: ({ hasSecret }) => (hasSecret === true ? 'set' : 'none') },
    'enabled',
  ]),
  nameOf: ({ name }) => shown(name),
  fields: taskFields,
  valuesOf: (row) => ({
    ...row,
    itemId: row['reportId'] === null ? '' : shown(row['reportId']),
    webhookUrl: row['webhookUrl'] ?? '',
  }),
  bodyOf: taskBody,
  create: post('tasks'),
  change: patch('tasks'),
  remove: remove('tasks'),
};

const links: ResourceDefinition = {
  name: 'links',
  title: 'Links',
  one: 'link',
  columns: columnsOf('link', ['id', 'kind', 'name', { title: 'Item', field: 'reportId' }, 'expiresAt']),
  nameOf: ({ id }) => shown(id),
  createVerb: 'Issue',
  fields: () => [
    { name: 'itemId', label: 'Item', kind: 'search', source: 'items', isRequired: true },
    { name: 'userId', label: 'User', kind: 'text', isRequired: true, placeholder: 'viewer@example.com' },
    { name: 'roleNames', label: 'RLS roles', kind: 'many', source: 'codes' },
    {
      name: 'minutes',
      label: 'Lifetime, minutes',
      kind: 'text',
      type: 'number',
      min: 1,
      max: 1440,
      value: '60',
    },
  ],
  bodyOf: ({ itemId, minutes, ...body }) => ({
    ...body,
    itemId: Number(itemId),
    lifetimeMs: Number(minutes) * 60_000,
  }),
  create: post('keys'),
  remove: remove('links'),
  verb: 'Revoke',
  effectOf: () => 'Its report closes within seconds.',
};

const permissions = [
  ...new Set([...mintPermissions, ...Object.values(serviceRoutes).map(({ permission }) => permission)]),
];

const apiKeys: ResourceDefinition = {
  name: 'api-keys',
  title: 'API keys',
  one: 'API key',
  columns: columnsOf('apiKey'),
  nameOf: ({ name }) => shown(name),
  createVerb: 'Issue',
  fields: () =>
    fieldsOf('apiKey', {
      permissions: {
        options: plainOptions(permissions),
        value: [...mintPermissions],
        hint: 'A key that may embed also has all others, unless it lists some of them.',
      },
    }),
  create: post('api-keys'),
  remove: remove('api-keys'),
  verb: 'Revoke',
  effectOf: () => 'Programs that use it are refused.',
};

const givenOf = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

/** The tenants of the portal, which all views read. */
export const tenantsView: ResourceDefinition = {
  name: 'tenants',
  title: 'Tenants',
  one: 'tenant',
  columns: [
    { title: 'ID', field: 'id' },
    { title: 'Tenancy name', field: 'tenancyName' },
    { title: 'Tenant URL', field: 'tenantUrl' },
    { title: 'Items', field: 'items' },
  ],
  nameOf: ({ tenancyName }) => shown(tenancyName),
  ofPortal: (tenants) =>
    // Secrets are on the overview, hidden until asked for.
    tenants.map(({ tenantId, tenancyName, tenantUrl, items: own }) => ({
      id: tenantId,
      tenancyName,
      tenantUrl,
      items: own.length,
    })),
  fields: (row) =>
    row === undefined
      ? [
          {
            name: 'tenancyName',
            label: 'Tenancy name',
            kind: 'text',
            maxLength: 63,
            placeholder: 'assigned by the portal',
            hint: 'A subdomain: lower-case letters, digits and dashes.',
          },
        ]
      : [
          {
            name: 'actionTarget',
            label: 'Address of all webhooks',
            kind: 'text',
            type: 'url',
            hint: 'Replaces the address of every webhook task. Leave empty to keep them.',
          },
          {
            name: 'frameAncestors',
            label: 'Who may frame the reports',
            kind: 'text',
            hint: 'Origins, separated by spaces. Leave empty to keep them.',
          },
        ],
  bodyOf: givenOf,
  create: async (_, body) => ({ id: (await ask('POST', '/tenants', body))['tenantId'] }),
  change: (_, row, changes) => ask('PATCH', `/tenants/${shown(row['tenancyName'])}`, changes),
  remove: (_, { tenancyName }) => ask('DELETE', `/tenants/${shown(tenancyName)}`),
  effectOf: () => 'Its users, reports and audit log are removed too.',
};

/** The lists of a tenant, in the order of the menu. */
export const resourceViews: readonly ResourceDefinition[] = [
  users,
  roles,
  units,
  items,
  tasks,
  links,
  apiKeys,
];
