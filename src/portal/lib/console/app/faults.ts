import { z } from 'zod';
import { faultEffectSchema, faultSchema } from '../../faults/faultSchema.ts';
import { ask, labelOf, type Row, shown } from './api.ts';
import { type FormField } from './fields.ts';
import type { ListDefinition } from './listDefinition.ts';

/** What comes first, and the details that are set: `Status, status 503, retry after seconds 5`. */
const withDetails = (first: string, details: Row): string =>
  Object.entries(details)
    .filter(([, value]) => value !== undefined)
    .reduce((text, [name, value]) => `${text}, ${labelOf(name).toLowerCase()} ${shown(value)}`, first);

const effectText = ({ kind, ...details }: Row): string => withDetails(labelOf(String(kind)), details);

/** What the schema of a fault does not say about its fields. */
const more: Readonly<Record<string, Partial<FormField>>> = {
  status: { value: '503' },
  delayMs: { label: 'Delay, milliseconds', value: '3000' },
  path: {
    placeholder: 'everywhere',
    hint: 'A trailing * matches any path with this prefix: /v1/users*. Keys are created at /api/services/app/ItemLinks/CreateEncryptedKey.',
  },
  nth: {
    label: 'Only the requests',
    placeholder: '1, 3',
    hint: 'Of those that match, by number: 1 is the next one.',
  },
  times: { hint: 'How often it happens at most.' },
  probability: { hint: 'From 0 to 1.' },
};

const fieldsOf = (shape: Readonly<Record<string, z.ZodType>>): readonly FormField[] =>
  Object.entries(shape).map(([name, schema]) => {
    const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
    const limits = inner instanceof z.ZodNumber && {
      type: 'number',
      min: inner.minValue ?? undefined,
      max: inner.maxValue ?? undefined,
    };
    return { name, kind: 'text', isRequired: inner === schema, ...limits, ...more[name] };
  });

const effects = faultEffectSchema.options.map(({ shape: { kind, ...shape } }) => ({
  kinds: 'options' in kind ? kind.options : [kind.value],
  fields: fieldsOf(shape),
}));
const { effect: _, tenancyName: __, ...place } = faultSchema.shape;

/** The faults of the portal. */
export const faultList: ListDefinition = {
  name: 'faults',
  title: 'Faults',
  one: 'fault',
  hint: 'What this portal does wrong on purpose, so that a host can be tried.',
  isLive: true,
  columns: [
    'id',
    // A fault always has an effect.
    { title: 'Fault', render: ({ effect }) => effectText(effect as Row) },
    { title: 'Where', render: ({ path, method, nth }) => withDetails(shown(path), { method, nth }) },
    { title: 'Tenant', render: ({ tenancyName }) => shown(tenancyName) },
    'fired',
    { title: 'At most', render: ({ times, probability }) => withDetails(shown(times), { probability }) },
  ],
  shapeOf: ({ fault, ...row }) => ({ path: 'everywhere', tenancyName: 'all', ...row, ...(fault as Row) }),
  tools: [{ text: 'Remove all', act: () => ask('DELETE', '/faults') }],
  actions: [{ text: 'Remove', act: (_, { id }) => ask('DELETE', `/faults/${shown(id)}`) }],
  fields: () => [
    {
      name: 'kind',
      label: 'Fault',
      kind: 'choice',
      options: effects.flatMap(({ kinds }) => kinds.map((kind) => [kind, labelOf(kind)] as const)),
    },
    ...effects.flatMap(({ kinds, fields }) =>
      fields.map((field) => ({ ...field, shownIf: ({ kind }: Row) => kinds.some((one) => one === kind) })),
    ),
    {
      name: 'tenancyName',
      label: 'Tenant',
      kind: 'search',
      source: 'tenants',
      options: [['', 'all tenants']],
    },
    ...fieldsOf(place),
  ],
  create: (_, { nth, ...body }) => {
    const [effect, others] = [false, true].map((isOther) =>
      Object.fromEntries(Object.entries(body).filter(([name]) => name in faultSchema.shape === isOther)),
    );
    const numbers = nth === undefined ? {} : { nth: shown(nth).split(',').map(Number) };
    return ask('POST', '/faults', { effect, ...others, ...numbers });
  },
};
