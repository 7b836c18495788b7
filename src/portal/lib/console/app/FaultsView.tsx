import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, type Row, rowsOf, shown } from './api.ts';
import { useChange, useConsole } from './context.tsx';
import { FormDialog } from './Form.tsx';
import { type FormField, type Values, valuesOf } from './fields.ts';
import { Button, Card, Labeled, Nothing, Select, Table } from './parts.tsx';

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

const mint = '/api/services/app/ItemLinks/CreateEncryptedKey';

/** Common faults, by name; the form sets any other. */
const presets: readonly (readonly [name: string, fault: object])[] = [
  ['Service is down (503)', { effect: { kind: 'status', status: 503, retryAfterSeconds: 5 } }],
  ['Rate limit (429)', { effect: { kind: 'status', status: 429, retryAfterSeconds: 10 } }],
  ['API key is refused (401)', { effect: { kind: 'status', status: 401 } }],
  ['Keys arrive 3 seconds late', { effect: { kind: 'delay', delayMs: 3000 }, path: mint }],
  ['Key requests hang', { effect: { kind: 'hang' }, path: mint }],
  ['Connections drop', { effect: { kind: 'drop' } }],
  ['Responses are cut short', { effect: { kind: 'truncate' } }],
  ['Responses are HTML pages', { effect: { kind: 'wrongType' } }],
  ['Headers with a dot are dropped', { effect: { kind: 'dropDottedHeaders' }, path: mint }],
  ['Keys expire after 20 seconds', { effect: { kind: 'endKeyEarly', afterMs: 20_000 }, path: mint }],
  ['Lists return the previous page', { effect: { kind: 'stalePage' } }],
  ['Webhooks arrive 10 seconds late', { effect: { kind: 'webhookDelay', delayMs: 10_000 } }],
  ['Webhooks arrive twice', { effect: { kind: 'webhookTwice' } }],
  ['Webhooks arrive out of order', { effect: { kind: 'webhookOutOfOrder' } }],
  ['Webhooks are lost', { effect: { kind: 'webhookLost' } }],
];

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
    placeholder: '/v1/users*',
    hint: 'A trailing * matches any path with this prefix.',
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

const chanceOf = (chance: unknown) => (chance === '' || chance === '100' ? undefined : Number(chance) / 100);

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
    ...entered({ probability: chanceOf(chance) }),
  };
};

/** The active faults, with presets. */
export const FaultsView = () => {
  const { tenants, say } = useConsole();
  const runChange = useChange();
  const { data, error, isPending } = useQuery({
    queryKey: ['faults'],
    queryFn: async () => rowsOf(await ask('GET', '/faults')),
  });
  const [preset, setPreset] = useState('0');
  const [tenancyName, setTenant] = useState('');
  const [chance, setChance] = useState('100');
  const [times, setTimes] = useState('');
  const [isOpen, setOpen] = useState(false);
  const names = tenants.map((tenant) => tenant.tenancyName);
  const add = () => {
    if (!(Number(chance) >= 0 && Number(chance) <= 100))
      return say('Chance must be a number from 0 to 100 %.');
    if (times !== '' && !/^[1-9]\d*$/.test(times)) return say('Times must be a whole number, 1 or more.');
    const fault = {
      ...presets[Number(preset)]?.[1],
      ...entered({ tenancyName, probability: chanceOf(chance) }),
      ...numbersIn({ times }),
    };
    return runChange(() => ask('POST', '/faults', fault));
  };
  const fields = faultFields(names);
  return (
    <Card
      title="Faults"
      aside={<Button onPress={() => runChange(() => ask('DELETE', '/faults'))}>Remove all</Button>}
    >
      <p className="hint">What this portal does wrong on purpose, so that a host can be tried.</p>
      <div className="row">
        <Select
          label="Fault"
          options={presets.map(([name], place) => [String(place), name])}
          value={preset}
          onChange={setPreset}
        />
        <Select
          label="For"
          options={[['', 'all tenants'], ...names.map((name) => [name, name] as const)]}
          value={tenancyName}
          onChange={setTenant}
        />
        <Labeled text="Chance, %">
          <input
            type="number"
            min="0"
            max="100"
            value={chance}
            onChange={({ target }) => setChance(target.value)}
          />
        </Labeled>
        <Labeled text="Times">
          <input
            type="number"
            min="1"
            placeholder="always"
            value={times}
            onChange={({ target }) => setTimes(target.value)}
          />
        </Labeled>
        <Button isMain onPress={add}>
          Add
        </Button>
        <Button onPress={() => setOpen(true)}>Any fault…</Button>
      </div>
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
