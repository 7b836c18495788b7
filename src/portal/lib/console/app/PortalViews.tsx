import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, portalList, type Row, shown, shownTime } from './api.ts';
import { useChange, useConsole } from './context.tsx';
import { Fields } from './Form.tsx';
import { type FormField, valuesOf, withoutEmpty } from './fields.ts';
import type { ListDefinition } from './ListView.tsx';
import { Button, Card } from './parts.tsx';

/** The tenants of the portal. Their secrets are on the overview, hidden until asked for. */
export const tenantsList: ListDefinition = {
  name: 'tenants',
  title: 'Tenants',
  one: 'tenant',
  nameField: 'tenancyName',
  columns: [
    { title: 'ID', field: 'id' },
    { title: 'Tenancy name', field: 'tenancyName' },
    { title: 'Tenant URL', field: 'tenantUrl' },
    { title: 'Items', field: 'items', isNumber: true },
  ],
  read: (query) =>
    portalList('/tenants', query, {
      complete: (rows) =>
        rows.map(({ tenantId, tenancyName, tenantUrl, items }) => ({
          id: tenantId,
          tenancyName,
          tenantUrl,
          items: [items].flat().length,
        })),
    }),
  form: {
    fields: (row) =>
      row === undefined
        ? [
            {
              name: 'tenancyName',
              label: 'Tenancy name',
              kind: 'text',
              maxLength: 63,
              placeholder: 'assigned by the portal',
              hint: 'A subdomain: lower-case letters, digits and dashes.',
            },
          ]
        : [
            {
              name: 'actionTarget',
              label: 'Address of all webhooks',
              kind: 'text',
              type: 'url',
              hint: 'Replaces the address of every webhook task. Leave empty to keep them.',
            },
            {
              name: 'frameAncestors',
              label: 'Who may frame the reports',
              kind: 'text',
              hint: 'Origins, separated by spaces. Leave empty to keep them.',
            },
          ],
    bodyOf: withoutEmpty,
    create: async (_, body) => ({ id: (await ask('POST', '/tenants', body))['tenantId'] }),
    change: (_, { tenancyName }, changes) => ask('PATCH', `/tenants/${shown(tenancyName)}`, changes),
  },
  tools: [
    {
      text: 'Reset to seed',
      effectOf: () => 'Tenants, logs, clock and faults become those of the seed.',
      act: () => ask('POST', '/reset'),
    },
  ],
  actions: [
    {
      text: 'Remove',
      effectOf: () => 'Its users, reports and audit log are removed too.',
      act: (_, { tenancyName }) => ask('DELETE', `/tenants/${shown(tenancyName)}`),
    },
  ],
};

const steps = { '+1 minute': 60_000, '+10 minutes': 600_000, '+1 hour': 3_600_000, '+1 day': 86_400_000 };
const clockFields: readonly FormField[] = [
  { name: 'speed', label: 'Speed', kind: 'text', type: 'number', value: '60' },
  { name: 'at', label: 'Time (UTC)', kind: 'text', type: 'datetime-local' },
];

const clockText = ({ isFrozen, speed, offsetMs }: Row): string => {
  const offset = Math.round(Number(offsetMs) / 1000);
  return [
    isFrozen === true ? 'Frozen' : 'Running',
    ...(speed === 1 ? [] : [`at ${shown(speed)} × speed`]),
    offset === 0
      ? 'in sync with real time'
      : `${Math.abs(offset)} s ${offset > 0 ? 'ahead of' : 'behind'} real time`,
  ].join(', ');
};

/** The portal's clock, with its controls. */
export const ClockView = () => {
  const { say } = useConsole();
  const runChange = useChange();
  const { data = {} } = useQuery({
    queryKey: ['clock'],
    queryFn: () => ask('GET', '/clock'),
    refetchInterval: 1000,
  });
  const [{ speed, at }, setValues] = useState(valuesOf(clockFields));
  const set = (body: object) => runChange(() => ask('POST', '/clock', body));
  const setTime = () =>
    at === '' ? say('Choose a time first.') : set({ set: new Date(`${String(at)}Z`).toISOString() });
  return (
    <Card title="Clock" hint="Keys, links, the audit log and webhooks use this clock.">
      <p className="clock">{shownTime(data['now'])} UTC</p>
      <p className="hint">{clockText(data)}</p>
      <div className="row">
        <Button onPress={() => set({ freeze: true })}>Freeze</Button>
        <Button onPress={() => set({ resume: true })}>Run</Button>
        {Object.entries(steps).map(([text, advanceMs]) => (
          <Button key={text} onPress={() => set({ advanceMs })}>
            {text}
          </Button>
        ))}
        <Button onPress={() => set({ reset: true })}>Back to real time</Button>
      </div>
      <div className="row">
        <Fields
          fields={clockFields}
          values={{ speed, at }}
          onChange={(name, value) => setValues({ speed, at, [name]: value })}
        />
        <Button onPress={() => set({ speed: Number(speed) })}>Set speed</Button>
        <Button onPress={setTime}>Set time</Button>
      </div>
    </Card>
  );
};
