import { ask, type Row, shown } from './ask.ts';
import type { FormDialog, FormField, FormValues } from './forms.ts';

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

/** Describes a fault with its numbers: `Respond with a status: 503, retryAfterSeconds 5`. */
export const effectText = ({ kind, status, ...details }: Readonly<Record<string, unknown>>): string => {
  const name = effects.find(([one]) => one === kind)?.[1] ?? shown(kind);
  const numbers = [
    ...(status === undefined ? [] : [shown(status)]),
    ...Object.entries(details).map(([detail, value]) => `${detail} ${shown(value)}`),
  ];
  return numbers.length === 0 ? name : `${name}: ${numbers.join(', ')}`;
};

/** How often a fault fired: `2 times`, or `2 of 5 times` if it has a maximum. */
export const firedText = (row: Row): string => {
  const { times } = row['fault'] as { times?: number };
  const fired = shown(row['fired']);
  if (times !== undefined) return `${fired} of ${times} ${times === 1 ? 'time' : 'times'}`;
  return `${fired} ${row['fired'] === 1 ? 'time' : 'times'}`;
};

const isOneOf =
  (...kinds: readonly string[]) =>
  (values: FormValues) =>
    kinds.includes(String(values['kind']));

const number = (field: {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly min?: number;
  readonly max?: number;
}): FormField => ({
  kind: 'text',
  type: 'number',
  ...field,
});

const given = (value: unknown): number | undefined =>
  typeof value === 'string' && value !== '' ? Number(value) : undefined;

/** Omits empty fields. */
const entered = (values: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''));

/** The form of a fault: its effect, requests and frequency. */
export const faultForm = (tenancyNames: readonly string[]): FormDialog => ({
  title: 'New fault',
  action: 'Add fault',
  fields: [
    { kind: 'choice', name: 'kind', label: 'Fault', options: effects },
    {
      ...number({ name: 'status', label: 'Status', value: '503', min: 400, max: 599 }),
      shownIf: isOneOf('status'),
    },
    {
      kind: 'text',
      name: 'message',
      label: 'Message',
      placeholder: 'default',
      shownIf: isOneOf('status'),
    },
    {
      ...number({ name: 'retryAfterSeconds', label: 'Retry-After, seconds' }),
      shownIf: isOneOf('status'),
    },
    {
      ...number({ name: 'delayMs', label: 'Delay, milliseconds', value: '3000' }),
      shownIf: isOneOf('delay', 'webhookDelay'),
    },
    { ...number({ name: 'bytes', label: 'Bytes to send' }), shownIf: isOneOf('truncate') },
    {
      ...number({ name: 'afterMs', label: 'After, milliseconds', value: '20000' }),
      shownIf: isOneOf('endKeyEarly'),
    },
    {
      kind: 'choice',
      name: 'tenancyName',
      label: 'Tenant',
      options: [['', 'all tenants'], ...tenancyNames.map((name) => [name, name] as const)],
    },
    {
      kind: 'choice',
      name: 'method',
      label: 'Method',
      options: [['', 'any'], ...['GET', 'POST', 'PATCH', 'DELETE'].map((name) => [name, name] as const)],
    },
    {
      kind: 'text',
      name: 'path',
      label: 'Path',
      placeholder: '/v1/users*',
      hint: 'A trailing * matches any path with this prefix.',
    },
    {
      kind: 'text',
      name: 'nth',
      label: 'Only on match number',
      placeholder: '1, 3',
      hint: 'Counted from 1, separated by commas.',
    },
    number({ name: 'times', label: 'Maximum number of times', min: 1 }),
    number({ name: 'chance', label: 'Chance, %', value: '100', min: 0, max: 100 }),
  ],
  submit: (values) => {
    const { kind, status, message, retryAfterSeconds, delayMs, bytes, afterMs } = values;
    const chance = given(values['chance']);
    const nth = String(values['nth'] ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(Number);
    return ask('POST', '/faults', {
      effect: entered({
        kind,
        status: given(status),
        message,
        retryAfterSeconds: given(retryAfterSeconds),
        delayMs: given(delayMs),
        bytes: given(bytes),
        afterMs: given(afterMs),
      }),
      ...entered({
        tenancyName: values['tenancyName'],
        method: values['method'],
        path: values['path'],
        nth: nth.length === 0 ? undefined : nth,
        times: given(values['times']),
        probability: chance === undefined || chance === 100 ? undefined : chance / 100,
      }),
    });
  },
});
