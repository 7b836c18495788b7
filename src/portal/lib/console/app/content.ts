import { reportTitles } from '../../reports/shared/reportKinds.ts';
import type { Row } from './api.ts';
import { type FormField, fieldsOf } from './fields.ts';
import type { ListDefinition } from './listDefinition.ts';
import { resourceList } from './resourceList.ts';

const isWebhook = ({ kind }: Row) => kind === 'webhook';
/** The values of the form are texts; the portal takes the number of an item. */
const itemField = { name: 'itemId', kind: 'search', source: 'items', type: 'number' } as const;

/** The form of a task. Its secret is written, never read: an empty field keeps it. */
const taskFields = ({ hasSecret, reportId, webhookUrl }: Row = {}): readonly FormField[] => [
  ...fieldsOf('task', { visualNames: null, enabled: null }),
  // The item of a task may have been removed.
  { ...itemField, isRequired: reportId !== null },
  {
    name: 'visualNames',
    kind: 'many',
    source: 'visuals',
    isRequired: true,
    hint: 'Those of the item’s report. A visual with a task is marked "Linked" there.',
    shownIf: isWebhook,
  },
  {
    name: 'webhookUrl',
    kind: 'text',
    type: 'url',
    // A task of a seed may have no address yet; none is taken away.
    isRequired: webhookUrl !== null,
    placeholder: 'http://localhost:3000/api/embed/webhook',
    shownIf: isWebhook,
  },
  {
    name: 'secret',
    label: hasSecret === true ? 'New secret' : 'Secret',
    kind: 'text',
    type: 'password',
    hint: 'Sent in the Authorization header as Bearer <secret>, and never shown again. If this is empty, a secret that is set stays.',
    shownIf: isWebhook,
  },
  {
    name: 'query',
    label: 'DAX query',
    kind: 'long',
    hint: 'The portal stores this query; it does not run it.',
    shownIf: (values) => !isWebhook(values),
  },
  { name: 'enabled', kind: 'check', value: true },
];

/** The lists of what a tenant shows. */
export const contentLists: readonly ListDefinition[] = [
  resourceList('item', {
    name: 'items',
    nameField: 'displayName',
    columns: ['id', 'displayName', 'type', { title: 'Filtered by role', field: 'hasRls' }, 'guid'],
    fields: () => [
      ...fieldsOf('item', {
        type: { value: 'report' },
        workspaceId: { value: crypto.randomUUID() },
        reportId: { value: crypto.randomUUID() },
        roles: {
          source: 'roles',
          hint: "The portal stores these and does not check them: a key's userId and roleNames, and the host's canView, decide who sees what.",
        },
      }),
      { name: 'report', label: 'Report page', kind: 'choice', options: reportTitles },
      { name: 'hasRls', kind: 'check' },
    ],
    removal: { effectOf: () => 'Its links expire, and its tasks are no longer bound to a report.' },
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
    toValues: (row) => ({ ...row, itemId: row['reportId'] }),
  }),
  resourceList('link', {
    name: 'links',
    hint: 'A link opens one report for one user, until it expires. To share a report, create a link and send its address.',
    columns: ['id', 'kind', 'name', { title: 'Item', field: 'reportId' }, 'expiresAt'],
    newRows: 'keys',
    change: undefined,
    fields: () => [
      { ...itemField, isRequired: true },
      { name: 'userId', kind: 'suggested', source: 'emails', isRequired: true },
      { name: 'roleNames', kind: 'many', source: 'codes' },
      { name: 'minutes', kind: 'text', type: 'number', min: 1, max: 1440, value: '60' },
    ],
    toBody: ({ minutes, ...body }) => ({ ...body, lifetimeMs: Number(minutes) * 60_000 }),
    removal: { text: 'Revoke', effectOf: () => 'Its report closes within seconds.' },
  }),
];
