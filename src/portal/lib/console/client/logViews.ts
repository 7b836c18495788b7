import { element } from '../../ui/element.ts';
import { ask, rowsOf, shown } from './api.ts';
import { liveTable } from './liveTable.ts';
import { onceAtATime } from './onceAtATime.ts';
import { button, card, field, input, labelled, showDetails, statusBadge, timeField } from './parts.ts';

/** A view that can be brought up to date. */
export interface LiveView {
  readonly root: HTMLElement;
  readonly refresh: () => Promise<void>;
}

/** Requests as they come, newest first. */
export const requestsView = (): LiveView => {
  const search = input({ type: 'search', placeholder: 'a text in the bodies' });
  const requests = liveTable(
    [
      timeField('Time', 'at'),
      field('Tenant', 'tenancyName'),
      {
        title: 'Request',
        read: (row) =>
          `${shown(row['method'])} ${shown(row['path'])}${row['query'] === '' ? '' : `?${shown(row['query'])}`}`,
      },
      { title: 'Status', read: (row) => statusBadge(row['status']) },
      { title: 'ms', read: (row) => shown(row['durationMs']), isNumber: true },
      field('Fault', 'fault'),
    ],
    { label: 'requests', onOpen: (row) => showDetails('Request', row) },
  );
  const refresh = onceAtATime(async () => {
    const query = new URLSearchParams({ limit: '60', ...(search.value !== '' && { text: search.value }) });
    requests.update(rowsOf(await ask('GET', `/requests?${query.toString()}`)).toReversed());
  });
  search.addEventListener('input', () => void refresh());
  const clear = button('Clear', () => void ask('DELETE', '/requests').then(refresh));
  return {
    root: card(
      'Requests',
      element('div', { class: 'row', children: [labelled('Search', search), clear] }),
      requests.root,
    ),
    refresh,
  };
};

/** Webhooks as they go, newest first, each of which can be sent again. */
export const deliveriesView = (): LiveView => {
  const deliveries = liveTable(
    [
      timeField('Time', 'at'),
      field('Tenant', 'tenancyName'),
      field('Visual', 'visual'),
      field('To', 'url'),
      { title: 'Outcome', read: (row) => statusBadge(row['outcome']) },
      field('Status', 'status'),
      {
        title: '',
        read: (row) =>
          button(
            'Send again',
            () => void ask('POST', `/deliveries/${shown(row['id'])}/replay`).then(refresh),
          ),
      },
    ],
    { label: 'deliveries', onOpen: (row) => showDetails('Delivery', row) },
  );
  const refresh = onceAtATime(async () => {
    deliveries.update(rowsOf(await ask('GET', '/deliveries?limit=60')).toReversed());
  });
  return {
    root: card(
      'Webhook deliveries',
      element('p', {
        class: 'hint',
        text: 'Pick a point in a visual that is marked "Linked", and its webhook shows here.',
      }),
      deliveries.root,
    ),
    refresh,
  };
};
