import { z } from 'zod';
import { faultEffectSchema, faultSchema } from '../../faults/faultSchema.ts';
import { ask, portalList, type Row, shown } from './api.ts';
import { type FormField, labelOf, plainOptions, withoutEmpty } from './fields.ts';
import type { ListDefinition } from './ListView.tsx';

/** A fault with its numbers: `Respond with a status: 503, retryAfterSeconds 5`. */
const effectText = ({ kind, status, ...details }: Row): string => {
  const others = Object.entries(details).map(([detail, value]) => `${detail} ${shown(value)}`);
  const numbers = [...(status === undefined ? [] : [shown(status)]), ...others].join(', ');
  return [labelOf(String(kind)), numbers].filter(Boolean).join(': ');
};

/** How often a fault fired: `2 times`, or `2 of 5 times` if it has a maximum. */
const firedText = ({ fired, times }: Row): string =>
  `${shown(fired)}${times === undefined ? '' : ` of ${shown(times)}`} ${(times ?? fired) === 1 ? 'time' : 'times'}`;

/** What the schema of a fault does not say about its fields. */
const more: Readonly<Record<string, Partial<FormField>>> = {
  status: { value: '503' },
  delayMs: { label: 'Delay, milliseconds', value: '3000' },
  path: {
    placeholder: 'everywhere',
    hint: 'A trailing * matches any path with this prefix: /v1/users*. Keys are created at /api/services/app/ItemLinks/CreateEncryptedKey.',
  },
  nth: { label: 'Match numbers', placeholder: '1, 3', hint: 'Only these matches, counted from 1.' },
  times: { hint: 'How often it happens at most.' },
  probability: { hint: 'From 0 to 1.' },
};

const fieldsOf = (shape: Readonly<Record<string, z.ZodType>>): readonly FormField[] =>
  Object.entries(shape).map(([name, schema]) => {
    const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
    const field = { name, label: labelOf(name), kind: 'text', isRequired: inner === schema } as const;
    const isNumber = inner instanceof z.ZodNumber;
    const limits = isNumber && {
      type: 'number',
      min: inner.minValue ?? undefined,
      max: inner.maxValue ?? undefined,
    };
    return { ...field, ...limits, ...more[name] };
  });

const effects = faultEffectSchema.options.map(({ shape: { kind, ...shape } }) => ({
  kinds: 'options' in kind ? kind.options : [kind.value],
  fields: fieldsOf(shape),
}));
/** Fields of the effect; the others say when it happens. */
const effectFields: readonly FormField[] = [
  {
    name: 'kind',
    label: 'Fault',
    kind: 'choice',
    options: effects.flatMap(({ kinds }) => kinds.map((kind) => [kind, labelOf(kind)] as const)),
  },
  ...effects.flatMap(({ kinds, fields }) =>
    fields.map((field) => ({ ...field, shownIf: ({ kind }: Row) => kinds.some((one) => one === kind) })),
  ),
];
const { effect: _, tenancyName: __, ...matched } = faultSchema.shape;
const placeFields = (tenancyNames: readonly string[]): readonly FormField[] => [
  {
    name: 'tenancyName',
    label: 'Tenant',
    kind: 'choice',
    options: [['', 'all tenants'], ...plainOptions(tenancyNames)],
  },
  ...fieldsOf(matched),
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
      const { nth, ...place } = entered(placeFields([]), body);
      return ask('POST', '/faults', {
        effect: entered(effectFields, body),
        ...place,
        ...(nth !== undefined && { nth: shown(nth).split(',').map(Number) }),
      });
    },
  },
};
