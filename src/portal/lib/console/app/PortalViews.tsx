import { useQuery } from '@tanstack/react-query';
import { ask, type Row, shown } from './api.ts';
import { useChange } from './context.tsx';
import type { FormField } from './fields.ts';
import type { ListDefinition } from './listDefinition.ts';
import { Button, Card } from './parts.tsx';

const newTenantFields: readonly FormField[] = [
  {
    name: 'tenancyName',
    kind: 'text',
    maxLength: 63,
    placeholder: 'assigned by the portal',
    hint: 'A subdomain: lower-case letters, digits and dashes.',
  },
];
const tenantFields: readonly FormField[] = [
  {
    name: 'actionTarget',
    label: 'Address of all webhooks',
    kind: 'text',
    type: 'url',
    hint: 'The new address of every webhook task without a secret of its own. If this is empty, nothing changes.',
  },
  {
    name: 'frameAncestors',
    label: 'Who may frame the reports',
    kind: 'text',
    placeholder: "* or 'self' https://app.example",
    hint: 'The new origins, separated by spaces. If this is empty, nothing changes.',
  },
];

/** The tenants of the portal. Their secrets are on the overview, hidden until asked for. */
export const tenantsList: ListDefinition = {
  name: 'tenants',
  title: 'Tenants',
  one: 'tenant',
  nameField: 'tenancyName',
  columns: [
    { title: 'ID', field: 'tenantId' },
    'tenancyName',
    { title: 'Tenant URL', field: 'tenantUrl' },
    { title: 'Items', render: ({ items }) => shown(items) },
  ],
  shapeOf: ({ tenantId, tenancyName, tenantUrl, items }) => ({
    id: tenantId,
    tenantId,
    tenancyName,
    tenantUrl,
    items: [items].flat().length,
  }),
  fields: (row) => (row === undefined ? newTenantFields : tenantFields),
  create: async (_, body) => {
    const tenant = await ask('POST', '/tenants', body);
    return { ...tenant, id: tenant['tenantId'] };
  },
  change: (_, { tenancyName }, changes) => ask('PATCH', `/tenants/${shown(tenancyName)}`, changes),
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

/** Commands of the clock, by the text of their buttons. */
const commands = {
  Freeze: { freeze: true },
  Run: { resume: true },
  '60 × speed': { speed: 60 },
  '+1 minute': { advanceMs: 60_000 },
  '+10 minutes': { advanceMs: 600_000 },
  '+1 hour': { advanceMs: 3_600_000 },
  '+1 day': { advanceMs: 86_400_000 },
  'Back to real time': { reset: true },
};
const clockText = ({ isFrozen, speed, offsetMs }: Row): string =>
  `${isFrozen === true ? 'Frozen' : 'Running'} at ${shown(speed)} × speed, ${Math.round(Number(offsetMs) / 1000)} s from real time.`;

/** The portal's clock, with its controls. */
export const ClockView = () => {
  const runChange = useChange();
  const { data } = useQuery({
    queryKey: ['clock'],
    queryFn: () => ask('GET', '/clock'),
    refetchInterval: 1000,
  });
  return (
    <Card title="Clock" hint="Keys, links, the audit log and webhooks use this clock.">
      <strong>{data === undefined ? 'Loading…' : `${shown(data['now'])} UTC`}</strong>
      <p className="hint">{data && clockText(data)}</p>
      <div className="line">
        {Object.entries(commands).map(([text, command]) => (
          <Button key={text} onClick={() => runChange(() => ask('POST', '/clock', command))}>
            {text}
          </Button>
        ))}
      </div>
    </Card>
  );
};
