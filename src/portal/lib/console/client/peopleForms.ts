import { ruleValues } from '../../report/shared/ruleValues.ts';
import { ask, changesOf, type Row, rowsOf, shown } from './api.ts';
import type { FormDialog, FormField, FormValues } from './forms.ts';

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(shown) : []);
const textOf = (row: Row | undefined, name: string): string => {
  const value = row?.[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

const listOf = async (tenancyName: string, name: string): Promise<readonly Row[]> =>
  rowsOf(await ask('GET', `/tenants/${tenancyName}/lists/${name}?pageSize=200`));

const unitText = (unit: Row) => `${shown(unit['id'])} · ${shown(unit['path'] ?? unit['name'])}`;

/** The form of a user. */
export const userForm = async (tenancyName: string, row: Row | undefined): Promise<FormDialog> => {
  const [roles, units] = await Promise.all([
    listOf(tenancyName, 'roles'),
    listOf(tenancyName, 'organization-units'),
  ]);
  const memberOf = textsOf(row?.['organizationUnits']);
  return {
    title: row === undefined ? 'New user' : `Edit ${shown(row['email'])}`,
    action: row === undefined ? 'Create user' : 'Save',
    fields: [
      {
        kind: 'text',
        type: 'email',
        name: 'email',
        label: 'E-mail',
        value: textOf(row, 'email'),
        isRequired: true,
      },
      {
        kind: 'text',
        name: 'firstName',
        label: 'First name',
        value: textOf(row, 'firstName'),
        isRequired: true,
      },
      {
        kind: 'text',
        name: 'lastName',
        label: 'Last name',
        value: textOf(row, 'lastName'),
        isRequired: true,
      },
      {
        kind: 'choice',
        name: 'type',
        label: 'Type',
        options: ['UserPass', 'DirectoryAD', 'DirectoryADExternal', 'MobileID'].map((type) => [type, type]),
        value: textOf(row, 'type') || 'UserPass',
      },
      {
        kind: 'many',
        name: 'roles',
        label: 'Roles',
        options: roles.map((role) => shown(role['name'])),
        values: textsOf(row?.['roles']),
      },
      {
        kind: 'many',
        name: 'organizationUnits',
        label: 'Units',
        options: units.map(unitText),
        values: units.filter((unit) => memberOf.includes(shown(unit['id']))).map(unitText),
      },
    ],
    submit: ({ organizationUnits, ...values }) => {
      const body = {
        ...values,
        organizationUnits: textsOf(organizationUnits).map((text) => text.split(' · ')[0]),
      };
      return row === undefined
        ? ask('POST', `/tenants/${tenancyName}/v1/users`, body)
        : ask('PATCH', `/tenants/${tenancyName}/v1/users/${shown(row['id'])}`, changesOf(row, body));
    },
  };
};

interface Rule {
  readonly kind: 'all' | 'equals' | 'username';
  readonly column?: string;
  readonly value?: string;
}

/** The rule of a row of the list of roles, as the portal answered it. */
const ruleOf = (row: Row | undefined): Rule | null => (row?.['rule'] ?? null) as Rule | null;

/** Which rows a role opens, in a few words. */
export const ruleText = (row: Row): string => {
  if (row['type'] !== 'RLS') return '–';
  const rule = ruleOf(row);
  if (rule === null) return 'none: it has no rule';
  if (rule.kind === 'all') return 'all';
  return rule.kind === 'equals' ? `${rule.column} = ${rule.value}` : `${rule.column} = the viewer`;
};

const isRls = (values: FormValues) => values['type'] === 'RLS';

/** The values that rows have, and the one that a seed or a program has given the rule. */
const valuesOf = (column: keyof typeof ruleValues, rule: Rule | null): readonly string[] => [
  ...new Set([
    ...ruleValues[column],
    ...(rule?.column === column && rule.value !== undefined ? [rule.value] : []),
  ]),
];

const ruleFields = (rule: Rule | null): readonly FormField[] => [
  {
    kind: 'choice',
    name: 'rule',
    label: 'Rows it opens',
    options: [
      ['none', 'None'],
      ['all', 'All rows'],
      ['equals', 'Rows where a column has a value'],
      ['username', 'Rows of the viewer: owner = USERNAME()'],
    ],
    value: rule?.kind ?? 'none',
    shownIf: isRls,
  },
  {
    kind: 'choice',
    name: 'column',
    label: 'Column',
    options: [
      ['region', 'Region'],
      ['product', 'Product'],
    ],
    value: rule?.column ?? 'region',
    shownIf: (values) => isRls(values) && values['rule'] === 'equals',
  },
  ...(['region', 'product'] as const).map(
    (column): FormField => ({
      kind: 'choice',
      name: column,
      label: 'Value',
      options: valuesOf(column, rule).map((value) => [value, value]),
      value: (rule?.column === column ? rule.value : undefined) ?? ruleValues[column][0],
      shownIf: (values) => isRls(values) && values['rule'] === 'equals' && values['column'] === column,
    }),
  ),
];

const readRule = ({ rule, column, region, product }: FormValues): object | null => {
  switch (String(rule)) {
    case 'all':
      return { kind: 'all' };
    case 'equals':
      return { kind: 'equals', column, value: region ?? product };
    case 'username':
      return { kind: 'username', column: 'owner' };
    default:
      return null;
  }
};

/** The form of a role, with the rule of the rows that it opens. */
export const roleForm = (tenancyName: string, row: Row | undefined): Promise<FormDialog> =>
  Promise.resolve({
    title: row === undefined ? 'New role' : `Edit ${shown(row['name'])}`,
    action: row === undefined ? 'Create role' : 'Save',
    fields: [
      { kind: 'text', name: 'name', label: 'Name', value: textOf(row, 'name'), isRequired: true },
      {
        kind: 'choice',
        name: 'type',
        label: 'Type',
        // A role keeps the type it was made with.
        options: (row === undefined ? ['RLS', 'Report', 'System'] : [textOf(row, 'type')]).map((type) => [
          type,
          type,
        ]),
      },
      {
        kind: 'text',
        name: 'code',
        label: 'Code',
        value: textOf(row, 'code'),
        isRequired: true,
        hint: 'What roleNames of CreateEncryptedKey names.',
        shownIf: isRls,
      },
      { kind: 'text', name: 'description', label: 'Description', value: textOf(row, 'description') },
      ...ruleFields(ruleOf(row)),
    ],
    submit: async (values) => {
      const { name, type, code, description } = values;
      const hasRule = type === 'RLS';
      const path = `/tenants/${tenancyName}`;
      const id =
        row === undefined
          ? (await ask('POST', `${path}/v1/roles`, { name, type, description, ...(hasRule && { code }) }))[
              'id'
            ]
          : row['id'];
      const body = { name, description, ...(hasRule && { code, rule: readRule(values) }) };
      await ask('PATCH', `${path}/roles/${shown(id)}`, row === undefined ? body : changesOf(row, body));
    },
  });

/** The form of a unit. */
export const unitForm = async (tenancyName: string, row: Row | undefined): Promise<FormDialog> => {
  const units = await listOf(tenancyName, 'organization-units');
  const path = `/tenants/${tenancyName}`;
  return {
    title: row === undefined ? 'New unit' : `Edit ${shown(row['path'])}`,
    action: row === undefined ? 'Create unit' : 'Save',
    fields: [
      { kind: 'text', name: 'name', label: 'Name', value: textOf(row, 'name'), isRequired: true },
      {
        kind: 'choice',
        name: 'parentId',
        label: 'Below',
        options: [
          ['root', 'the top'],
          ...units
            .filter(({ id }) => id !== row?.['id'])
            .map((unit) => [shown(unit['id']), shown(unit['path'] ?? unit['name'])] as const),
        ],
        value: textOf(row, 'parentId') || 'root',
      },
      {
        kind: 'text',
        name: 'directoryGroupId',
        label: 'Directory group (GUID)',
        value: textOf(row, 'directoryGroupId'),
        hint: 'Leave it empty for a unit whose members nobody synchronizes.',
      },
    ],
    submit: ({ directoryGroupId, ...values }) => {
      const body = { ...values, directoryGroupId: directoryGroupId === '' ? null : directoryGroupId };
      return row === undefined
        ? ask('POST', `${path}/v1/organization-units`, body)
        : ask('PATCH', `${path}/organization-units/${shown(row['id'])}`, changesOf(row, body));
    },
  };
};
