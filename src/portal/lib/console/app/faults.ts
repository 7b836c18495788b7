import { ask, portalList, type Row, shown } from './api.ts';
import { type FormField, plainOptions, withoutEmpty } from './fields.ts';
import type { ListDefinition } from './ListView.tsx';

const effects = [
  ['status', 'Respond with a status'],
  ['delay', 'Delay the response'],
  ['hang', 'Never respond'],
  ['drop', 'Drop the connection'],
  ['truncate', 'Cut the response short'],
  ['wrongType', 'Respond with an HTML page'],
  ['stalePage', 'Return the previous page of a list'],
  ['dropDottedHeaders', 'Drop headers with a dot'],
  ['endKeyEarly', 'Expire keys early'],
  ['webhookDelay', 'Delay webhooks'],
  ['webhookTwice', 'Send webhooks twice'],
  ['webhookOutOfOrder', 'Send webhooks out of order'],
  ['webhookLost', 'Drop webhooks'],
] as const;

/** A fault with its numbers: `Respond with a status: 503, retryAfterSeconds 5`. */
const effectText = ({ kind, status, ...details }: Row): string => {
  const others = Object.entries(details).map(([detail, value]) => `${detail} ${shown(value)}`);
  const numbers = [...(status === undefined ? [] : [shown(status)]), ...others].join(', ');
  return [effects.find(([one]) => one === kind)?.[1], numbers].filter(Boolean).join(': ');
};

/** How often a fault fired: `2 times`, or `2 of 5 times` if it has a maximum. */
const firedText = ({ fired, times }: Row): string =>
  `${shown(fired)}${times === undefined ? '' : ` of ${shown(times)}`} ${(times ?? fired) === 1 ? 'time' : 'times'}`;

const number = (
  name: string,
  label: string,
  kinds: readonly string[],
  more: Partial<FormField> = {},
): FormField => ({
  name,
  label,
  kind: 'text',
  type: 'number',
  ...(kinds.length > 0 && { shownIf: ({ kind }) => kinds.includes(String(kind)) }),
  ...more,
});

/** Fields of the effect; the others say when it happens. */
const effectFields: readonly FormField[] = [
  { name: 'kind', label: 'Fault', kind: 'choice', options: effects },
  number('status', 'Status', ['status'], { value: '503', min: 400, max: 599 }),
  number('message', 'Message', ['status'], { type: 'text', placeholder: 'default' }),
  number('retryAfterSeconds', 'Retry-After, seconds', ['status']),
  number('delayMs', 'Delay, milliseconds', ['delay', 'webhookDelay'], { value: '3000' }),
  number('bytes', 'Bytes to send', ['truncate']),
  number('afterMs', 'After, milliseconds', ['endKeyEarly'], { value: '20000' }),
];
const placeFields = (tenancyNames: readonly string[]): readonly FormField[] => [
  {
    name: 'tenancyName',
    label: 'Tenant',
    kind: 'choice',
    options: [['', 'all tenants'], ...plainOptions(tenancyNames)],
  },
  {
    name: 'method',
    label: 'Method',
    kind: 'choice',
    options: [['', 'any'], ...plainOptions(['GET', 'POST', 'PATCH', 'DELETE'])],
  },
  {
    name: 'path',
    label: 'Path',
    kind: 'text',
    placeholder: 'everywhere',
    hint: 'A trailing * matches any path with this prefix: /v1/users*. Keys are created at /api/services/app/ItemLinks/CreateEncryptedKey.',
  },
  {
    name: 'nth',
    label: 'Only on match number',
    kind: 'text',
    placeholder: '1, 3',
    hint: 'Counted from 1, separated by commas.',
  },
  number('times', 'Maximum number of times', [], { min: 1 }),
  number('chance', 'Chance, %', [], { min: 0, max: 100, placeholder: '100' }),
];

/** The values that were entered for some fields, as the portal takes them. */
const entered = (fields: readonly FormField[], values: Row): Row =>
  withoutEmpty(
    Object.fromEntries(
      fields.map(({ name, type }) => {
        const value = values[name] ?? '';
        return [name, type === 'number' && value !== '' ? Number(value) : value];
      }),
    ),
  );

/** The faults of the portal. */
export const faultList: ListDefinition = {
  name: 'faults',
  title: 'Faults',
  one: 'fault',
  hint: 'What this portal does wrong on purpose, so that a host can be tried.',
  nameField: 'id',
  columns: [
    { title: 'ID', field: 'id' },
    // A fault always has an effect.
    { title: 'Fault', render: ({ effect }) => effectText(effect as Row) },
    { title: 'Where', render: ({ path }) => shown(path ?? 'everywhere') },
    { title: 'Tenant', render: ({ tenancyName }) => shown(tenancyName ?? 'all') },
    { title: 'Fired', render: firedText, isNumber: true },
  ],
  read: (query) =>
    portalList('/faults', query, {
      complete: (rows) => rows.map(({ fault, ...row }) => ({ ...row, ...(fault as Row) })),
    }),
  tools: [{ text: 'Remove all', act: () => ask('DELETE', '/faults') }],
  actions: [{ text: 'Remove', act: (_, { id }) => ask('DELETE', `/faults/${shown(id)}`) }],
  form: {
    fields: (_, tenancyNames) => [...effectFields, ...placeFields(tenancyNames)],
    verb: 'Add',
    create: (_, body) => {
      const { chance, nth, ...place } = entered(placeFields([]), body);
      return ask('POST', '/faults', {
        effect: entered(effectFields, body),
        ...place,
        ...(nth !== undefined && { nth: shown(nth).split(',').map(Number) }),
        ...(chance !== undefined && { probability: Number(chance) / 100 }),
      });
    },
  },
};
