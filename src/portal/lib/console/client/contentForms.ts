import { ask, changesOf, type Row, rowsOf, shown } from './api.ts';
import type { FormDialog } from './forms.ts';

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(shown) : []);
const textOf = (row: Row | undefined, name: string): string => {
  const value = row?.[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** The reports that the portal can draw, by the name of their definition. */
const reports = [
  ['sales', 'Sales by region'],
  ['operations', 'Operations board'],
  ['orders', 'Order book'],
  ['summary', 'Executive summary'],
] as const;

/** The form of an item. */
export const itemForm = async (tenancyName: string, row: Row | undefined): Promise<FormDialog> => {
  const path = `/tenants/${tenancyName}`;
  const roles = rowsOf(await ask('GET', `${path}/lists/roles?pageSize=200`));
  return {
    title: row === undefined ? 'New item' : `Edit ${shown(row['displayName'])}`,
    action: row === undefined ? 'Import item' : 'Save',
    fields: [
      {
        kind: 'text',
        name: 'displayName',
        label: 'Name',
        value: textOf(row, 'displayName'),
        isRequired: true,
      },
      {
        kind: 'choice',
        name: 'report',
        label: 'Report page that draws it',
        options: reports,
        value: textOf(row, 'report') || 'sales',
      },
      {
        kind: 'check',
        name: 'hasRls',
        label: 'Filters its rows by role and user (RLS)',
        value: row?.['hasRls'] === true,
      },
      {
        kind: 'many',
        name: 'roles',
        label: 'Roles that apply to it',
        options: roles.filter((role) => role['type'] === 'Report').map((role) => shown(role['name'])),
        values: textsOf(row?.['roles']),
      },
    ],
    submit: async (values) => {
      const { displayName, roles: names } = values;
      const id =
        row === undefined
          ? (
              await ask('POST', `${path}/v1/items`, {
                type: 'report',
                workspaceId: crypto.randomUUID(),
                reportId: crypto.randomUUID(),
                displayName,
                roles: names,
              })
            )['id']
          : row['id'];
      await ask('PATCH', `${path}/items/${shown(id)}`, row === undefined ? values : changesOf(row, values));
    },
  };
};

/** The form of a task. Its secret is written, never read: an empty field keeps it. */
export const taskForm = async (tenancyName: string, row: Row | undefined): Promise<FormDialog> => {
  const path = `/tenants/${tenancyName}`;
  const items = rowsOf(await ask('GET', `${path}/lists/items?pageSize=200`));
  const hasSecret = row?.['hasSecret'] === true;
  return {
    title: row === undefined ? 'New task' : `Edit ${shown(row['name'])}`,
    action: row === undefined ? 'Create task' : 'Save',
    fields: [
      { kind: 'text', name: 'name', label: 'Name', value: textOf(row, 'name'), isRequired: true },
      { kind: 'text', name: 'description', label: 'Description', value: textOf(row, 'description') },
      {
        kind: 'choice',
        name: 'kind',
        label: 'Kind',
        options:
          row === undefined
            ? [
                ['webhook', 'Webhook'],
                ['daxQuery', 'DAX query'],
              ]
            : [[textOf(row, 'kind'), textOf(row, 'kind')]],
        value: textOf(row, 'kind') || 'webhook',
      },
      {
        kind: 'choice',
        name: 'itemId',
        label: 'Item',
        options: [
          ...items.map(
            (item) => [shown(item['id']), `${shown(item['id'])} · ${shown(item['displayName'])}`] as const,
          ),
          // Its item may have been removed.
          ...(row !== undefined && textOf(row, 'reportId') === '' ? [['', 'none'] as const] : []),
        ],
        value: row === undefined ? shown(items[0]?.['id'] ?? '') : textOf(row, 'reportId'),
      },
      {
        kind: 'text',
        name: 'visualNames',
        label: 'Visuals',
        value: textsOf(row?.['visualNames']).join(', '),
        isRequired: true,
        placeholder: 'revenue-by-region, revenue-by-month',
        hint: 'Internal visual IDs, separated by commas. A visual with a task is marked "Linked" in its report.',
        shownIf: (values) => values['kind'] === 'webhook',
      },
      {
        kind: 'text',
        type: 'url',
        name: 'webhookUrl',
        label: 'Webhook address',
        value: textOf(row, 'webhookUrl'),
        isRequired: row === undefined,
        placeholder: 'http://localhost:3000/api/embed/webhook',
        shownIf: (values) => values['kind'] === 'webhook',
      },
      {
        kind: 'text',
        type: 'password',
        name: 'secret',
        label: hasSecret ? 'New secret' : 'Secret',
        hint: hasSecret
          ? 'A secret is set. Leave this empty to keep it; it is never shown.'
          : 'Sent in the Authorization header as Bearer <secret>. It is stored, and never shown again.',
        shownIf: (values) => values['kind'] === 'webhook' && values['removeSecret'] !== true,
      },
      ...(hasSecret
        ? [{ kind: 'check' as const, name: 'removeSecret', label: 'Send no secret any more', value: false }]
        : []),
      {
        kind: 'long',
        name: 'query',
        label: 'DAX query',
        value: textOf(row, 'query'),
        shownIf: (values) => values['kind'] === 'daxQuery',
      },
      { kind: 'check', name: 'enabled', label: 'Enabled', value: row?.['enabled'] !== false },
    ],
    submit: ({ kind, itemId, visualNames, webhookUrl, secret, removeSecret, query, ...rest }) => {
      const body = {
        ...rest,
        ...(itemId !== '' && { itemId: Number(itemId) }),
        ...(typeof visualNames === 'string' && {
          visualNames: visualNames
            .split(',')
            .map((name) => name.trim())
            .filter((name) => name !== ''),
        }),
        ...(webhookUrl !== undefined && webhookUrl !== '' && { webhookUrl }),
        ...(removeSecret === true ? { secret: null } : secret !== undefined && secret !== '' && { secret }),
        ...(query !== undefined && query !== '' && { query }),
      };
      return row === undefined
        ? ask('POST', `${path}/tasks`, { ...body, kind })
        : ask(
            'PATCH',
            `${path}/tasks/${shown(row['id'])}`,
            changesOf({ ...row, itemId: row['reportId'] }, body),
          );
    },
  };
};
