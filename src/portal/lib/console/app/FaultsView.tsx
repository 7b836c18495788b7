import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, type Row, rowsOf, shown } from './api.ts';
import { useChange, useConsole } from './context.tsx';
import { FormDialog } from './Form.tsx';
import { type FormField, type Values, valuesOf } from './fields.ts';
import { Button, Card, Nothing, Table } from './parts.tsx';

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

/** A fault as the control interface lists it. */
interface ActiveFault {
  readonly fired: number;
  readonly fault: {
    readonly effect: Readonly<Record<string, unknown>>;
    readonly path?: string;
    readonly tenancyName?: string;
    readonly times?: number;
  };
}

// The control interface answers with this type.
const faultOf = (row: Row): ActiveFault => row as unknown as ActiveFault;

/** A fault with its numbers: `Respond with a status: 503, retryAfterSeconds 5`. */
const effectText = ({ kind, status, ...details }: Readonly<Record<string, unknown>>): string => {
  const name = effects.find(([one]) => one === kind)?.[1] ?? shown(kind);
  const numbers = [
    ...(status === undefined ? [] : [shown(status)]),
    ...Object.entries(details).map(([detail, value]) => `${detail} ${shown(value)}`),
  ];
  return numbers.length === 0 ? name : `${name}: ${numbers.join(', ')}`;
};

/** How often a fault fired: `2 times`, or `2 of 5 times` if it has a maximum. */
const firedText = ({ fired, fault: { times } }: ActiveFault): string =>
  `${fired}${times === undefined ? '' : ` of ${times}`} ${(times ?? fired) === 1 ? 'time' : 'times'}`;

const numberField = (
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

const faultFields = (tenancyNames: readonly string[]): readonly FormField[] => [
  { name: 'kind', label: 'Fault', kind: 'choice', options: effects },
  numberField('status', 'Status', ['status'], { value: '503', min: 400, max: 599 }),
  {
    name: 'message',
    label: 'Message',
    kind: 'text',
    placeholder: 'default',
    shownIf: ({ kind }) => kind === 'status',
  },
  numberField('retryAfterSeconds', 'Retry-After, seconds', ['status']),
  numberField('delayMs', 'Delay, milliseconds', ['delay', 'webhookDelay'], { value: '3000' }),
  numberField('bytes', 'Bytes to send', ['truncate']),
  numberField('afterMs', 'After, milliseconds', ['endKeyEarly'], { value: '20000' }),
  {
    name: 'tenancyName',
    label: 'Tenant',
    kind: 'choice',
    options: [['', 'all tenants'], ...tenancyNames.map((name) => [name, name] as const)],
  },
  {
    name: 'method',
    label: 'Method',
    kind: 'choice',
    options: [['', 'any'], ...['GET', 'POST', 'PATCH', 'DELETE'].map((name) => [name, name] as const)],
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
  numberField('times', 'Maximum number of times', [], { min: 1 }),
  numberField('chance', 'Chance, %', [], { value: '100', min: 0, max: 100 }),
];

/** Omits empty fields. */
const entered = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''));

const numbersIn = (values: Values): Values =>
  Object.fromEntries(Object.entries(entered(values)).map(([name, value]) => [name, Number(value)]));

const faultBody = ({
  kind,
  message,
  tenancyName,
  method,
  path,
  nth,
  times,
  chance,
  ...numbers
}: Values): Values => {
  const matches = String(nth)
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(Number);
  const own = faultFields([]).filter(({ name, shownIf }) => name in numbers && shownIf?.({ kind }) !== false);
  return {
    effect: entered({
      kind,
      ...(kind === 'status' && { message }),
      ...numbersIn(Object.fromEntries(own.map(({ name }) => [name, numbers[name]]))),
    }),
    ...entered({ tenancyName, method, path, nth: matches.length === 0 ? undefined : matches }),
    ...numbersIn({ times }),
    ...(chance !== '' && chance !== '100' && { probability: Number(chance) / 100 }),
  };
};

/** The active faults, with presets. */
export const FaultsView = () => {
  const { tenants } = useConsole();
  const runChange = useChange();
  const { data, error, isPending } = useQuery({
    queryKey: ['faults'],
    queryFn: async () => rowsOf(await ask('GET', '/faults')),
  });
  const [isOpen, setOpen] = useState(false);
  const fields = faultFields(tenants.map((tenant) => tenant.tenancyName));
  return (
    <Card
      title="Faults"
      aside={
        <div className="row-actions">
          <Button onPress={() => runChange(() => ask('DELETE', '/faults'))}>Remove all</Button>
          <Button isMain onPress={() => setOpen(true)}>
            New fault
          </Button>
        </div>
      }
    >
      <p className="hint">What this portal does wrong on purpose, so that a host can be tried.</p>
      {data === undefined || data.length === 0 ? (
        <Nothing error={error} isLoading={isPending}>
          No faults: the portal works as it should.
        </Nothing>
      ) : (
        <Table
          label="faults"
          rows={data}
          columns={[
            { title: 'ID', field: 'id' },
            { title: 'Fault', render: (row) => effectText(faultOf(row).fault.effect) },
            { title: 'Where', render: (row) => faultOf(row).fault.path ?? 'everywhere' },
            { title: 'Tenant', render: (row) => faultOf(row).fault.tenancyName ?? 'all' },
            { title: 'Fired', render: (row) => firedText(faultOf(row)), isNumber: true },
            {
              title: '',
              render: ({ id }) => (
                <div className="row-actions">
                  <Button onPress={() => runChange(() => ask('DELETE', `/faults/${shown(id)}`))}>
                    Remove
                  </Button>
                </div>
              ),
            },
          ]}
        />
      )}
      {isOpen && (
        <FormDialog
          title="New fault"
          action="Add fault"
          fields={fields}
          values={valuesOf(fields, undefined)}
          onSubmit={async (values) => {
            await ask('POST', '/faults', faultBody(values));
            setOpen(false);
            await runChange(async () => {});
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </Card>
  );
};
