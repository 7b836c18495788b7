import { element } from '../../ui/element.ts';
import { curlCommand, type SentRequest } from '../shared/curlCommand.ts';
import { ask, type Row, rowsOf, shown } from './api.ts';
import { copyButton } from './copyButton.ts';
import { liveTable } from './liveTable.ts';
import { onceAtATime } from './onceAtATime.ts';
import { button, card, field, input, labelled, showDetails, statusBadge, timeField } from './parts.ts';

/** A view that can be brought up to date. */
export interface LiveView {
  readonly root: HTMLElement;
  readonly refresh: () => Promise<void>;
}

/** Rows of a log that are shown at first, and with each "Show more". */
const pageSize = 60;

const curlOf = (row: Row): string => {
  // The log wrote them: a row of its list is a LoggedRequest.
  const request = row as unknown as SentRequest;
  return curlCommand(
    `${window.location.protocol}//${request.headers['host'] ?? window.location.host}`,
    request,
  );
};

const requestCell = (row: Row): HTMLElement => {
  const query = row['query'] === '' ? '' : `?${shown(row['query'])}`;
  const notes = Array.isArray(row['notes']) ? row['notes'].map(shown) : [];
  return element('div', {
    children: [
      document.createTextNode(`${shown(row['method'])} ${shown(row['path'])}${query}`),
      ...notes.map((text) => element('small', { class: 'hint', text })),
    ],
  });
};

/** Requests as they come, newest first. */
export const requestsView = (): LiveView => {
  let limit = pageSize;
  const search = input({ type: 'search', placeholder: 'Bodies and notes' });
  const requests = liveTable(
    [
      timeField('Time', 'at'),
      field('Tenant', 'tenancyName'),
      { title: 'Request', read: requestCell },
      { title: 'Status', read: (row) => statusBadge(row['status']) },
      { title: 'ms', read: (row) => shown(row['durationMs']), isNumber: true },
      field('Fault', 'fault'),
      { title: '', read: (row) => copyButton('Copy as curl', () => curlOf(row)) },
    ],
    { label: 'requests', onOpen: (row) => showDetails('Request', row) },
  );
  const refresh = onceAtATime(async () => {
    const query = new URLSearchParams({
      limit: String(limit),
      ...(search.value !== '' && { text: search.value }),
    });
    const rows = rowsOf(await ask('GET', `/requests?${query.toString()}`));
    requests.update(rows.toReversed());
    more.hidden = rows.length < limit;
  });
  const more = button('Show more', () => {
    limit += pageSize;
    void refresh();
  });
  search.addEventListener('input', () => void refresh());
  const clear = button('Clear', () => void ask('DELETE', '/requests').then(refresh));
  return {
    root: card(
      'Requests',
      element('div', { class: 'row', children: [labelled('Search', search), clear] }),
      requests.root,
      more,
    ),
    refresh,
  };
};

/** Webhooks as they go, newest first, each of which can be sent again. */
export const deliveriesView = (): LiveView => {
  let limit = pageSize;
  const search = input({ type: 'search', placeholder: 'Address, visual, body' });
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
    const query = new URLSearchParams({
      limit: String(limit),
      ...(search.value !== '' && { text: search.value }),
    });
    const rows = rowsOf(await ask('GET', `/deliveries?${query.toString()}`));
    deliveries.update(rows.toReversed());
    more.hidden = rows.length < limit;
  });
  const more = button('Show more', () => {
    limit += pageSize;
    void refresh();
  });
  search.addEventListener('input', () => void refresh());
  return {
    root: card(
      'Webhook deliveries',
      element('p', {
        class: 'hint',
        text: 'Pick a point in a visual that is marked "Linked", and its webhook shows here.',
      }),
      element('div', { class: 'row', children: [labelled('Search', search)] }),
      deliveries.root,
      more,
    ),
    refresh,
  };
};
