import { element } from '../../ui/element.ts';
import { curlCommand, type SentRequest } from '../shared/curlCommand.ts';
import { ask, type Row, rowsOf, shown } from './ask.ts';
import { copyButton } from './copyButton.ts';
import { type LiveTable, liveTable } from './liveTable.ts';
import { onceAtATime } from './onceAtATime.ts';
import {
  button,
  card,
  field,
  hint,
  input,
  labeled,
  row,
  showDetails,
  statusBadge,
  timeField,
} from './uiParts.ts';

/** A view that can be refreshed. */
export interface LiveView {
  readonly root: HTMLElement;
  readonly refresh: () => Promise<void>;
}

interface LogParts {
  /** Path of the rows. */
  readonly path: string;
  readonly rows: LiveTable;
  /** Label of the search: the searched fields. */
  readonly searches: string;
  readonly above?: readonly Node[];
  /** Controls in the same row as the search. */
  readonly nextToSearch?: readonly Node[];
}

/** Number of log rows shown initially, and added by "Show more". */
const pageSize = 60;

const curlOf = (row: Row): string => {
  // A row of the log's list is a LoggedRequest.
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

/** The live view of a log, newest first. */
const logView = (
  title: string,
  { path, rows, searches, above = [], nextToSearch = [] }: LogParts,
): LiveView => {
  let limit = pageSize;
  const search = input({ type: 'search', placeholder: searches });
  const refresh = onceAtATime(async () => {
    const query = new URLSearchParams({
      limit: String(limit),
      ...(search.value !== '' && { text: search.value }),
    });
    const found = rowsOf(await ask('GET', `${path}?${query.toString()}`));
    rows.update(found.toReversed());
    more.hidden = found.length < limit;
  });
  const more = button('Show more', () => {
    limit += pageSize;
    void refresh();
  });
  search.addEventListener('input', () => void refresh());
  return {
    root: card(title, ...above, row(labeled('Search', search), ...nextToSearch), rows.root, more),
    refresh,
  };
};

/** The live view of requests. */
export const requestsView = (): LiveView => {
  const view = logView('Requests', {
    path: '/requests',
    searches: 'Bodies and notes',
    rows: liveTable(
      [
        timeField('Time', 'at'),
        field('Tenant', 'tenancyName'),
        { title: 'Request', read: requestCell },
        { title: 'Status', read: ({ status }) => statusBadge(status) },
        { title: 'ms', read: ({ durationMs }) => shown(durationMs), isNumber: true },
        field('Fault', 'fault'),
        { title: '', read: (request) => copyButton('Copy as curl', () => curlOf(request)) },
      ],
      { label: 'requests', onOpen: (request) => showDetails('Request', request) },
    ),
    nextToSearch: [button('Clear', () => void ask('DELETE', '/requests').then(() => view.refresh()))],
  });
  return view;
};

/** The live view of webhooks, each of which can be resent. */
export const deliveriesView = (): LiveView => {
  const replay = (id: unknown) => ask('POST', `/deliveries/${shown(id)}/replay`).then(() => view.refresh());
  const view = logView('Webhook deliveries', {
    path: '/deliveries',
    searches: 'Address, visual, body',
    rows: liveTable(
      [
        timeField('Time', 'at'),
        field('Tenant', 'tenancyName'),
        field('Visual', 'visual'),
        field('To', 'url'),
        { title: 'Outcome', read: ({ outcome }) => statusBadge(outcome) },
        field('Status', 'status'),
        { title: '', read: ({ id }) => button('Send again', () => void replay(id)) },
      ],
      { label: 'deliveries', onOpen: (delivery) => showDetails('Delivery', delivery) },
    ),
    above: [hint('Click a point in a visual that is marked "Linked": its webhook appears here.')],
  });
  return view;
};
