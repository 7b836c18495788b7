import { mintPermissions } from '@vitrine/contract/service';
import { allPermissions } from '../../permissions.ts';
import { ruleValues } from '../../reports/shared/ruleValues.ts';
import { ask, pathText, type Row, shown } from './api.ts';
import { fieldsOf, plainOptions } from './fields.ts';
import type { ListDefinition } from './listDefinition.ts';
import { resourceList } from './resourceList.ts';

/** The rules of the sample data. A seed or a program may set others. */
const rules: readonly (Row | null)[] = [
  null,
  { kind: 'all' },
  { kind: 'username', column: 'owner' },
  ...Object.entries(ruleValues).flatMap(([column, values]) =>
    values.map((value) => ({ kind: 'equals', column, value })),
  ),
];

const ruleText = (rule: Row | null): string => {
  if (rule === null) return 'None';
  return rule['kind'] === 'all'
    ? 'All rows'
    : `${shown(rule['column'])} = ${shown(rule['value'] ?? 'USERNAME()')}`;
};
/** A role always has a rule, or null. */
const ruleOf = ({ rule = null }: Row): string => ruleText(rule as Row | null);

/** The lists of who may do what in a tenant. */
export const accessLists: readonly ListDefinition[] = [
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
      { title: 'Visible rows', render: (row) => (row['type'] === 'RLS' ? ruleOf(row) : '–') },
      'userCount',
      'description',
    ],
    fields: (row = {}) => [
      ...fieldsOf('role', {
        type: { value: 'RLS' },
        code: { hint: 'The value for roleNames of CreateEncryptedKey.' },
      }),
      {
        name: 'rule',
        label: 'Visible rows',
        kind: 'choice',
        options: plainOptions([...new Set([...rules.map(ruleText), ruleOf(row)])]),
        shownIf: ({ type }) => type === 'RLS',
      },
    ],
    toValues: (row) => ({ ...row, rule: ruleOf(row) }),
    toBody: ({ rule, ...body }) => ({
      ...body,
      ...(rule !== undefined && { rule: rules.find((one) => ruleText(one) === rule) }),
    }),
    removal: {
      isOffered: ({ isSystem }) => isSystem !== true,
      effectOf: ({ userCount }) => `Users who will lose this role: ${shown(userCount)}.`,
    },
  }),
  resourceList('organizationUnit', {
    name: 'organization-units',
    nameField: 'path',
    columns: ['id', 'path', 'memberCount', 'directoryGroupId'],
    shapeOf: (row) => ({ ...row, path: pathText(row['path']) }),
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
    removal: {
      effectOf: ({ memberCount }) => `Users who will be removed from this unit: ${shown(memberCount)}.`,
    },
    actions: [
      {
        text: 'Synchronize',
        isOffered: ({ directoryGroupId }) => directoryGroupId !== null,
        act: async (path, { id, path: name }) => {
          const counts = await ask('POST', `${path}/v1/organization-units/${shown(id)}/sync`);
          const { added, updated, removed } = counts;
          return `${shown(name)} is synchronized with its directory group: ${shown(added)} added, ${shown(updated)} updated, ${shown(removed)} removed.`;
        },
      },
    ],
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
    change: undefined,
    fields: () =>
      fieldsOf('apiKey', {
        permissions: {
          options: plainOptions(allPermissions),
          value: [...mintPermissions],
          hint: 'A key with only the two that are chosen may do everything. One that lists others may do only what it lists.',
        },
      }),
    removal: { text: 'Revoke', effectOf: () => 'Programs that use it are refused.' },
  }),
];
