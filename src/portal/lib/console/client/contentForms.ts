import { reportTitles } from '../../reports/shared/reportKinds.ts';
import { ask, changesOf, type Row, rowsOf, shown } from './ask.ts';
import { fieldsOf, optionsOf, textOf, textsOf, titlesOf } from './formFields.ts';
import type { FormDialog, FormValues } from './forms.ts';

/** The form of an item. */
export const itemForm = async (tenancyName: string, row: Row | undefined): Promise<FormDialog> => {
  const path = `/tenants/${tenancyName}`;
  const roles = rowsOf(await ask('GET', `${path}/v1/roles`));
  const { text, choice, many } = fieldsOf(row);
  return {
    ...titlesOf(row, 'item', 'displayName'),
    ...(row === undefined && { action: 'Import item' }),
    fields: [
      text('displayName', 'Name', { isRequired: true }),
      choice('report', 'Report page', { options: reportTitles }),
      {
        kind: 'check',
        name: 'hasRls',
        label: 'Filters rows by role and user (RLS)',
        value: row?.['hasRls'] === true,
      },
      many('roles', 'Roles', {
        options: optionsOf(
          roles.filter((role) => role['type'] === 'Report').map((role) => shown(role['name'])),
        ),
        hint: "Stored and returned, and read nowhere: a key's userId and roleNames, and the host's canView, decide who sees what.",
      }),
    ],
    submit: async (values, before) => {
      const imported = {
        type: 'report',
        workspaceId: crypto.randomUUID(),
        reportId: crypto.randomUUID(),
        displayName: values['displayName'],
        roles: values['roles'],
      };
      const { id } = row ?? (await ask('POST', `${path}/v1/items`, imported));
      const changed = row === undefined ? values : changesOf(before, values);
      await ask('PATCH', `${path}/items/${shown(id)}`, changed);
    },
  };
};

const isWebhook = (values: FormValues) => values['kind'] === 'webhook';

const taskBody = ({
  kind,
  itemId,
  visualNames,
  webhookUrl,
  secret,
  removeSecret,
  query,
  ...rest
}: FormValues): Row => ({
  ...rest,
  ...(itemId !== '' && { itemId: Number(itemId) }),
  ...(typeof visualNames === 'string' && {
    visualNames: visualNames
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  }),
  ...(webhookUrl !== '' && { webhookUrl }),
  ...(removeSecret === true ? { secret: null } : secret !== '' && { secret }),
  ...(query !== '' && { query }),
});

/** The form of a task. Its secret is written, never read: an empty field keeps it. */
export const taskForm = async (tenancyName: string, row: Row | undefined): Promise<FormDialog> => {
  const path = `/tenants/${tenancyName}`;
  const items = rowsOf(await ask('GET', `${path}/v1/items`));
  const hasSecret = row?.['hasSecret'] === true;
  const { text, choice } = fieldsOf(row);
  return {
    ...titlesOf(row, 'task', 'name'),
    fields: [
      text('name', 'Name', { isRequired: true }),
      text('description', 'Description'),
      choice('kind', 'Kind', {
        options:
          row === undefined
            ? [
                ['webhook', 'Webhook'],
                ['daxQuery', 'DAX query'],
              ]
            : optionsOf([textOf(row, 'kind')]),
      }),
      choice('itemId', 'Item', {
        options: [
          ...items.map(
            (item) => [shown(item['id']), `${shown(item['id'])} · ${shown(item['displayName'])}`] as const,
          ),
          // Its item may have been removed.
          ...(row !== undefined && textOf(row, 'reportId') === '' ? [['', 'none'] as const] : []),
        ],
        value: row === undefined ? shown(items[0]?.['id'] ?? '') : textOf(row, 'reportId'),
      }),
      text('visualNames', 'Visuals', {
        value: textsOf(row?.['visualNames']).join(', '),
        isRequired: true,
        placeholder: 'revenue-by-region, revenue-by-month',
        hint: 'Internal visual IDs, separated by commas. A visual with a task is marked "Linked" in its report.',
        shownIf: isWebhook,
      }),
      text('webhookUrl', 'Webhook address', {
        type: 'url',
        // A task of a seed may have no address yet; none is taken away.
        isRequired: row === undefined || textOf(row, 'webhookUrl') !== '',
        placeholder: 'http://localhost:3000/api/embed/webhook',
        shownIf: isWebhook,
      }),
      text('secret', hasSecret ? 'New secret' : 'Secret', {
        type: 'password',
        hint: hasSecret
          ? 'A secret is set. Leave this empty to keep it; it is never shown.'
          : 'Sent in the Authorization header as Bearer <secret>. The secret is stored and never shown again.',
        shownIf: (values) => isWebhook(values) && values['removeSecret'] !== true,
      }),
      ...(hasSecret
        ? [{ kind: 'check' as const, name: 'removeSecret', label: 'Stop sending the secret', value: false }]
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
    submit: (values, before) =>
      row === undefined
        ? ask('POST', `${path}/tasks`, { ...taskBody(values), kind: values['kind'] })
        : ask('PATCH', `${path}/tasks/${shown(row['id'])}`, changesOf(taskBody(before), taskBody(values))),
  };
};
