import { element } from '../../report/client/element.ts';
import { ask, rowsOf, shown } from './api.ts';
import { button, card, field, input, labelled, showDetails, statusBadge, table, timeField } from './parts.ts';

/** A view that can be brought up to date. */
export interface LiveView {
  readonly root: HTMLElement;
  readonly refresh: () => Promise<void>;
}

/** Requests as they come, newest first. */
export const requestsView = (): LiveView => {
  const search = input({ type: 'search', placeholder: 'a text in the bodies' });
  const place = element('div', { attributes: { 'aria-live': 'off' } });
  const refresh = async () => {
    const query = new URLSearchParams({ limit: '60', ...(search.value !== '' && { text: search.value }) });
    const rows = rowsOf(await ask('GET', `/requests?${query.toString()}`));
    place.replaceChildren(
      table(
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
        rows.toReversed(),
        { label: 'requests', onOpen: (row) => showDetails('Request', row) },
      ),
    );
  };
  search.addEventListener('input', () => void refresh());
  const clear = button('Clear', () => void ask('DELETE', '/requests').then(refresh));
  return {
    root: card(
      'Requests',
      element('div', { class: 'row', children: [labelled('Search', search), clear] }),
      place,
    ),
    refresh,
  };
};

/** Webhooks as they go, newest first, each of which can be sent again. */
export const deliveriesView = (): LiveView => {
  const place = element('div');
  const refresh = async () => {
    const rows = rowsOf(await ask('GET', '/deliveries?limit=60'));
    place.replaceChildren(
      table(
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
        rows.toReversed(),
        { label: 'deliveries', onOpen: (row) => showDetails('Delivery', row) },
      ),
    );
  };
  return {
    root: card(
      'Webhook deliveries',
      element('p', {
        class: 'hint',
        text: 'Pick a point in a visual that is marked "Linked", and its webhook shows here.',
      }),
      place,
    ),
    refresh,
  };
};
