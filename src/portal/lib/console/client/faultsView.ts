import { ask, rowsOf, shown } from './ask.ts';
import { effectText, faultForm, firedText } from './faultForm.ts';
import { openForm } from './forms.ts';
import { liveTable } from './liveTable.ts';
import type { LiveView } from './logViews.ts';
import { onceAtATime } from './onceAtATime.ts';
import { button, card, field, input, labeled, row, select } from './uiParts.ts';

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

/** The view of active faults, with presets. */
export const faultsView = (
  tenancyNames: () => readonly string[],
  showMessage: (message: string) => void,
): LiveView => {
  const faults = liveTable(
    [
      field('ID', 'id'),
      {
        title: 'Fault',
        read: (row) => effectText((row['fault'] as { effect: Readonly<Record<string, unknown>> }).effect),
      },
      { title: 'Where', read: (row) => shown((row['fault'] as { path?: string }).path ?? 'everywhere') },
      {
        title: 'Tenant',
        read: (row) => shown((row['fault'] as { tenancyName?: string }).tenancyName ?? 'all'),
      },
      { title: 'Fired', read: firedText, isNumber: true },
      {
        title: '',
        read: (row) =>
          button('Remove', () => void ask('DELETE', `/faults/${shown(row['id'])}`).then(refresh)),
      },
    ],
    { label: 'faults' },
  );
  const refresh = onceAtATime(async () => {
    faults.update(rowsOf(await ask('GET', '/faults')));
  });
  const preset = select(presets.map(([name], place) => [String(place), name]));
  const tenant = select([['', 'all tenants'], ...tenancyNames().map((name) => [name, name] as const)]);
  const chance = input({ type: 'number', min: '0', max: '100', step: 'any', value: '100' });
  const times = input({ type: 'number', min: '1', placeholder: 'always' });
  const add = () => {
    const fault = presets[Number(preset.value)]?.[1];
    if (fault === undefined) return;
    if (!chance.checkValidity()) return showMessage('Chance must be a number from 0 to 100 %.');
    if (!times.checkValidity()) return showMessage('Times must be a whole number, 1 or more.');
    void ask('POST', '/faults', {
      ...fault,
      ...(tenant.value !== '' && { tenancyName: tenant.value }),
      ...(chance.value !== '' && chance.value !== '100' && { probability: Number(chance.value) / 100 }),
      ...(times.value !== '' && { times: Number(times.value) }),
    })
      .then(refresh)
      .then(() => showMessage(''));
  };
  return {
    root: card(
      'Faults',
      row(
        labeled('Fault', preset),
        labeled('For', tenant),
        labeled('Chance, %', chance),
        labeled('Times', times),
        button('Add', add, true),
        button('Any fault…', () => {
          const form = faultForm(tenancyNames());
          openForm({ ...form, submit: (...values) => form.submit(...values).then(refresh) });
        }),
        button('Remove all', () => void ask('DELETE', '/faults').then(refresh)),
      ),
      faults.root,
    ),
    refresh,
  };
};
