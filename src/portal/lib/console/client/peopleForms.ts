import { ruleValues } from '../../reports/shared/ruleValues.ts';
import { ask, changesOf, type Row, rowsOf, shown } from './ask.ts';
import { fieldsOf, optionsOf, textOf, titlesOf } from './formFields.ts';
import type { FormDialog, FormField, FormValues } from './forms.ts';

/** The form of a user. */
export const userForm = async (tenancyName: string, row: Row | undefined): Promise<FormDialog> => {
  const path = `/tenants/${tenancyName}/v1`;
  const [roles, units] = await Promise.all([
    ask('GET', `${path}/roles`),
    ask('GET', `${path}/organization-units`),
  ]);
  const { text, choice, many } = fieldsOf(row);
  return {
    ...titlesOf(row, 'user', 'email'),
    fields: [
      text('email', 'Email', { type: 'email', isRequired: true }),
      text('firstName', 'First name', { isRequired: true }),
      text('lastName', 'Last name', { isRequired: true }),
      choice('type', 'Type', {
        options: optionsOf(['UserPass', 'DirectoryAD', 'DirectoryADExternal', 'MobileID']),
      }),
      many('roles', 'Roles', { options: optionsOf(rowsOf(roles).map((role) => shown(role['name']))) }),
      many('organizationUnits', 'Units', {
        options: rowsOf(units).map(({ id, path: place }) => [shown(id), `${shown(id)} · ${shown(place)}`]),
      }),
    ],
    submit: (values, before) =>
      row === undefined
        ? ask('POST', `${path}/users`, values)
        : ask('PATCH', `${path}/users/${shown(row['id'])}`, changesOf(before, values)),
  };
};

interface Rule {
  readonly kind: 'all' | 'equals' | 'username';
  readonly column?: string;
  readonly value?: string;
}

/** The rule of a role in the list, from the portal. */
const ruleOf = (row: Row | undefined): Rule | null => (row?.['rule'] ?? null) as Rule | null;

/** Describes the rows that a role opens. */
export const ruleText = (row: Row): string => {
  if (row['type'] !== 'RLS') return '–';
  const rule = ruleOf(row);
  if (rule === null) return 'none (no rule)';
  if (rule.kind === 'all') return 'all';
  return rule.kind === 'equals' ? `${rule.column} = ${rule.value}` : `${rule.column} = the viewer`;
};

const isRls = (values: FormValues) => values['type'] === 'RLS';

/** Existing values of rows, plus a rule's value from a seed or a program. */
const valuesOf = (column: keyof typeof ruleValues, rule: Rule | null): readonly string[] => [
  ...new Set([
    ...ruleValues[column],
    ...(rule?.column === column && rule.value !== undefined ? [rule.value] : []),
  ]),
];

const ruleFields = (rule: Rule | null): readonly FormField[] => {
  const { choice } = fieldsOf(undefined);
  const isEquals = (values: FormValues) => isRls(values) && values['rule'] === 'equals';
  return [
    choice('rule', 'Visible rows', {
      options: [
        ['none', 'None'],
        ['all', 'All rows'],
        ['equals', 'Rows where a column has a value'],
        ['username', 'Rows of the viewer: owner = USERNAME()'],
      ],
      value: rule?.kind ?? 'none',
      shownIf: isRls,
    }),
    choice('column', 'Column', {
      options: [
        ['region', 'Region'],
        ['product', 'Product'],
      ],
      value: rule?.column ?? 'region',
      shownIf: isEquals,
    }),
    ...(['region', 'product'] as const).map((column) =>
      choice(column, 'Value', {
        options: optionsOf(valuesOf(column, rule)),
        value: (rule?.column === column ? rule.value : undefined) ?? ruleValues[column][0],
        shownIf: (values) => isEquals(values) && values['column'] === column,
      }),
    ),
  ];
};

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

const roleBody = (values: FormValues): Row => ({
  name: values['name'],
  description: values['description'],
  ...(isRls(values) && { code: values['code'], rule: readRule(values) }),
});

/** The form of a role, with its row rule. */
export const roleForm = async (tenancyName: string, row: Row | undefined): Promise<FormDialog> => {
  const { text, choice } = fieldsOf(row);
  return {
    ...titlesOf(row, 'role', 'name'),
    fields: [
      text('name', 'Name', { isRequired: true }),
      // The type of a role cannot change.
      choice('type', 'Type', {
        options: optionsOf(row === undefined ? ['RLS', 'Report', 'System'] : [textOf(row, 'type')]),
      }),
      text('code', 'Code', {
        isRequired: true,
        hint: 'The value for roleNames of CreateEncryptedKey.',
        shownIf: isRls,
      }),
      text('description', 'Description'),
      ...ruleFields(ruleOf(row)),
    ],
    submit: async (values, before) => {
      const path = `/tenants/${tenancyName}`;
      const body = roleBody(values);
      const created = { ...body, type: values['type'], rule: undefined };
      const { id } = row ?? (await ask('POST', `${path}/v1/roles`, created));
      const changed = row === undefined ? body : changesOf(roleBody(before), body);
      await ask('PATCH', `${path}/roles/${shown(id)}`, changed);
    },
  };
};

const unitBody = ({ directoryGroupId, ...values }: FormValues): Row => ({
  ...values,
  directoryGroupId: directoryGroupId === '' ? null : directoryGroupId,
});

/** The form of a unit. */
export const unitForm = async (tenancyName: string, row: Row | undefined): Promise<FormDialog> => {
  const path = `/tenants/${tenancyName}`;
  const units = rowsOf(await ask('GET', `${path}/v1/organization-units`));
  const { text, choice } = fieldsOf(row);
  return {
    ...titlesOf(row, 'unit', 'path'),
    fields: [
      text('name', 'Name', { isRequired: true }),
      choice('parentId', 'Below', {
        options: [
          ['root', 'the top'],
          ...units
            .filter(({ id }) => id !== row?.['id'])
            .map((unit) => [shown(unit['id']), shown(unit['path'])] as const),
        ],
      }),
      text('directoryGroupId', 'Directory group (GUID)', {
        hint: 'Leave empty for a unit without synchronized members.',
      }),
    ],
    submit: (values, before) =>
      row === undefined
        ? ask('POST', `${path}/v1/organization-units`, unitBody(values))
        : ask(
            'PATCH',
            `${path}/organization-units/${shown(row['id'])}`,
            changesOf(unitBody(before), unitBody(values)),
          ),
  };
};
