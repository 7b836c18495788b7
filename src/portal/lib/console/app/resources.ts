import {
  mintPermissions,
  type ResourceName,
  resources,
  type ServiceResource,
  serviceRoutes,
} from '@vitrine/contract/service';
import { reportTitles } from '../../reports/shared/reportKinds.ts';
import { ruleValues } from '../../reports/shared/ruleValues.ts';
import { ask, type Row, shown } from './api.ts';
import { columnsOf, type FormField, fieldsOf, type Option, plainOptions, withoutEmpty } from './fields.ts';
import type { ListAction, ListDefinition, ListForm } from './ListView.tsx';
import type { Column } from './Table.tsx';

interface ResourceShape extends Partial<ListForm> {
  /** Default: a list of the service. */
  readonly name: string;
  readonly nameField: string;
  readonly hint?: string;
  readonly columns: readonly (string | Column)[];
  /** Path of its rows below the tenant. Default: the name. */
  readonly rows?: string;
  /** Path for new rows. Default: that of the service. */
  readonly newRows?: string;
  /** Fields of a new row that only a change takes. */
  readonly laterFields?: readonly string[];
  readonly isFixed?: true;
  /** What a removal does to others, as a sentence. */
  readonly effectOf?: (row: Row) => string;
  readonly removal?: Partial<ListAction>;
  readonly actions?: readonly ListAction[];
}

/** The list of a resource of the service, with what its table says. */
const resourceList = (resource: ResourceName, shape: ResourceShape): ListDefinition => {
  const { name, rows = name, newRows = `v1/${name}`, laterFields = [], nameField } = shape;
  const { noun }: ServiceResource = resources[resource];
  const create = async (path: string, body: Row) => {
    const [later, first] = [true, false].map((isLater) =>
      Object.fromEntries(
        Object.entries(body).filter(
          ([field, value]) => laterFields.includes(field) === isLater && !(isLater && value === null),
        ),
      ),
    );
    const created = await ask('POST', `${path}/${newRows}`, first);
    if (Object.keys(later ?? {}).length > 0)
      await ask('PATCH', `${path}/${rows}/${shown(created['id'])}`, later);
    return laterFields.length > 0 ? { id: created['id'] } : created;
  };
  const removal: ListAction = {
    text: 'Remove',
    effectOf: shape.effectOf ?? (() => ''),
    act: (path, { id }) => ask('DELETE', `${path}/${rows}/${shown(id)}`),
    ...shape.removal,
  };
  return {
    name,
    title: noun.replace(/^./, (first) => first.toUpperCase()).concat('s'),
    one: noun,
    hint: shape.hint,
    nameField,
    columns: columnsOf(resource, shape.columns),
    form: {
      create,
      ...(shape.isFixed === undefined && {
        change: (path, { id }, changes) => ask('PATCH', `${path}/${rows}/${shown(id)}`, changes),
      }),
      fields: () => fieldsOf(resource),
      ...shape,
    },
    actions: [...(shape.actions ?? []), removal],
  };
};

const holders = (count: unknown, what: string): string =>
  Number(count) > 0 ? `Users who ${what}: ${shown(count)}.` : '';

/** The rule of a role as one text, for a choice. */
const ruleKey = ({ rule = null }: Row): string => JSON.stringify(rule, ['kind', 'column', 'value']);

const rules: readonly Option[] = [
  ['null', 'None'],
  ['{"kind":"all"}', 'All rows'],
  ['{"kind":"username","column":"owner"}', 'Rows of the viewer: owner = USERNAME()'],
  ...Object.entries(ruleValues).flatMap(([column, values]) =>
    values.map(
      (value): Option => [JSON.stringify({ kind: 'equals', column, value }), `${column} = ${value}`],
    ),
  ),
];

const ruleText = (row: Row): string => {
  if (row['type'] !== 'RLS') return '–';
  const known = rules.find(([key]) => key === ruleKey(row))?.[1];
  // A rule from a seed or a program may have another value.
  const { column, value } = (row['rule'] ?? {}) as Row;
  return known ?? `${shown(column)} = ${shown(value)}`;
};

const isRls = ({ type }: Row) => type === 'RLS';
const isWebhook = ({ kind }: Row) => kind === 'webhook';
const minutes: Partial<FormField> = { type: 'number', min: 1, max: 1440, value: '60' };

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
      shownIf: isWebhook,
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

/** The lists of a tenant, in the order of the menu. */
export const resourceLists: readonly ListDefinition[] = [
  resourceList('user', {
    name: 'users',
    nameField: 'email',
    columns: ['id', 'displayName', 'email', 'type', 'roles'],
    rows: 'v1/users',
    fields: () =>
      fieldsOf('user', {
        type: { value: 'UserPass' },
        roles: { source: 'roles' },
        organizationUnits: { source: 'organization-units' },
      }),
  }),
  resourceList('role', {
    name: 'roles',
    nameField: 'name',
    columns: [
      'name',
      'type',
      'code',
      { title: 'Visible rows', render: ruleText },
      'userCount',
      'description',
    ],
    laterFields: ['rule'],
    fields: (row = {}) => [
      ...fieldsOf('role', {
        type: { value: 'RLS' },
        code: { hint: 'The value for roleNames of CreateEncryptedKey.' },
      }),
      {
        name: 'rule',
        label: 'Visible rows',
        kind: 'choice',
        options: [...new Map([...rules, [ruleKey(row), ruleText({ ...row, type: 'RLS' })]])],
        shownIf: isRls,
      },
    ],
    valuesOf: (row) => ({ ...row, rule: ruleKey(row) }),
    bodyOf: ({ rule, ...body }) => ({
      ...body,
      ...(rule !== undefined && { rule: JSON.parse(shown(rule)) }),
    }),
    removal: { isOffered: ({ isSystem }) => isSystem !== true },
    effectOf: ({ userCount }) => holders(userCount, 'will lose this role'),
  }),
  resourceList('organizationUnit', {
    name: 'organization-units',
    nameField: 'path',
    columns: ['id', 'path', 'memberCount', 'directoryGroupId'],
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
    effectOf: ({ memberCount }) => holders(memberCount, 'will be removed from this unit'),
    actions: [
      {
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
    ],
  }),
  resourceList('item', {
    name: 'items',
    nameField: 'displayName',
    columns: [
      'id',
      'displayName',
      'type',
      {
        title: 'Rows',
        render: ({ hasRls }) => (hasRls === true ? 'filtered by role' : 'all rows for everyone'),
      },
      'guid',
    ],
    verb: 'Import',
    laterFields: ['report', 'hasRls'],
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
    effectOf: () => 'Its links expire, and its tasks are no longer bound to a report.',
  }),
  resourceList('task', {
    name: 'tasks',
    nameField: 'name',
    columns: [
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
    ],
    newRows: 'tasks',
    fields: taskFields,
    valuesOf: (row) => ({ ...row, itemId: row['reportId'] === null ? '' : shown(row['reportId']) }),
    bodyOf: ({ itemId, webhookUrl = '', secret = '', query = '', ...body }) => ({
      ...body,
      ...withoutEmpty({ itemId: itemId === '' ? '' : Number(itemId), webhookUrl, secret, query }),
    }),
  }),
  resourceList('link', {
    name: 'links',
    hint: 'A link opens one report for one user, until it expires. To share a report, issue a link and send its address.',
    nameField: 'id',
    columns: ['id', 'kind', 'name', { title: 'Item', field: 'reportId' }, 'expiresAt'],
    newRows: 'keys',
    isFixed: true,
    verb: 'Issue',
    fields: () => [
      { name: 'itemId', label: 'Item', kind: 'search', source: 'items', isRequired: true },
      { name: 'userId', label: 'User', kind: 'suggested', source: 'emails', isRequired: true },
      { name: 'roleNames', label: 'RLS roles', kind: 'many', source: 'codes' },
      { name: 'minutes', label: 'Lifetime, minutes', kind: 'text', ...minutes },
    ],
    bodyOf: ({ itemId, minutes: lifetime, ...body }) => ({
      ...body,
      itemId: Number(itemId),
      lifetimeMs: Number(lifetime) * 60_000,
    }),
    removal: { text: 'Revoke' },
    effectOf: () => 'Its report closes within seconds.',
  }),
  resourceList('apiKey', {
    name: 'api-keys',
    nameField: 'name',
    columns: [
      'id',
      'name',
      {
        title: 'Permissions',
        field: 'permissions',
        render: ({ permissions }) =>
          shown(permissions) === shown(mintPermissions) ? 'all' : shown(permissions),
      },
      'createdAt',
    ],
    newRows: 'api-keys',
    isFixed: true,
    verb: 'Issue',
    fields: () =>
      fieldsOf('apiKey', {
        permissions: {
          options: plainOptions([
            ...new Set([
              ...mintPermissions,
              ...Object.values(serviceRoutes).map(({ permission }) => permission),
            ]),
          ]),
          value: [...mintPermissions],
          hint: 'The two of a new key let a host embed reports. Such a key also has all others, unless it lists some of them.',
        },
      }),
    removal: { text: 'Revoke' },
    effectOf: () => 'Programs that use it are refused.',
  }),
];
