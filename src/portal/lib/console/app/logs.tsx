import { withoutFormulas } from '@vitrine/contract';
import { auditActionTypes } from '../../auditTypes.ts';
import { curlCommand, type SentRequest } from '../shared/curlCommand.ts';
import { ask, type Row, readList, saveFile, shown, wholeList } from './api.ts';
import { plainOptions } from './fields.ts';
import type { ListDefinition } from './listDefinition.ts';

const cellOf = (value: unknown): string => {
  const text = withoutFormulas(
    typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value),
  );
  return `"${text.replaceAll('"', '""')}"`;
};
/** Rows with the same fields as CSV, with a mark that tells spreadsheets it is UTF-8. */
const csvOf = (rows: readonly Row[]): string => {
  const lines = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))];
  return `\uFEFF${lines.map((line) => `${line.map(cellOf).join(',')}\r\n`).join('')}`;
};

const outcome = (result: unknown, text = result) => (
  <strong className={/fail|lost/.test(shown(result)) ? 'bad' : 'good'}>{shown(text)}</strong>
);

/** The audit log of a tenant, with filters and export. */
export const auditLog: ListDefinition = {
  name: 'audit-logs',
  title: 'Audit log',
  one: 'event',
  columns: [
    'timestamp',
    'actionType',
    'description',
    { title: 'By', field: 'userEmail' },
    { title: 'Result', field: 'result', render: ({ result }) => outcome(result) },
  ],
  parametersOf: ({ from, to, ...query }) => ({
    ...query,
    dateRange: from === '' && to === '' ? '' : `${shown(from || '..')}/${shown(to || '..')}`,
  }),
  filters: [
    {
      name: 'actionType',
      kind: 'choice',
      options: [['', 'all'], ...plainOptions(auditActionTypes.toSorted())],
    },
    { name: 'from', label: 'From (UTC)', kind: 'text', type: 'date' },
    { name: 'to', label: 'To (UTC)', kind: 'text', type: 'date' },
    { name: 'userId', label: 'Person', kind: 'search', source: 'users', options: [['', 'anyone']] },
  ],
  tools: [
    {
      text: 'Export CSV',
      act: async (path, query) => {
        const { items } = await readList(path, 'audit-logs', { ...query, page: 1, pageSize: wholeList });
        if (items.length === 0) return 'There is nothing to export.';
        return saveFile(`audit-log-${path.replace(/.*\//, '')}.csv`, csvOf(items), 'text/csv');
      },
    },
  ],
};

/** Copies a request with variables for its secrets. */
const copyCurl = async (...request: Parameters<typeof curlCommand>) => {
  await navigator.clipboard.writeText(curlCommand(...request));
  return 'The request is copied as a curl command, with variables for its secrets.';
};

/** The live log of requests. */
export const requestLog: ListDefinition = {
  name: 'requests',
  title: 'Requests',
  one: 'request',
  hint: 'What hosts and reports ask this portal, with bodies and without secrets. Search for “failed” to find failures.',
  nameField: 'path',
  isLive: true,
  columns: [
    'at',
    { title: 'Tenant', field: 'tenancyName' },
    {
      title: 'Request',
      field: 'path',
      render: ({ method, path, query, notes }) =>
        // Notes are texts.
        [
          `${shown(method)} ${shown(path)}${query === '' ? '' : `?${shown(query)}`}`,
          ...(notes as string[]),
        ].join(' · '),
    },
    {
      title: 'Status',
      field: 'status',
      render: (row) => outcome(row['outcome'], row['status'] === 0 ? 'no response' : row['status']),
    },
    { title: 'ms', field: 'durationMs' },
    'fault',
  ],
  tools: [{ text: 'Clear', act: () => ask('DELETE', '/requests') }],
  actions: [
    {
      text: 'Copy as curl',
      act: async (_, row) => {
        // A row of the log is a LoggedRequest.
        const request = row as unknown as SentRequest;
        const { protocol, host } = window.location;
        return copyCurl(`${protocol}//${request.headers['host'] ?? host}`, request);
      },
    },
  ],
};

/** The live log of webhooks, each of which can be sent again. */
export const webhookLog: ListDefinition = {
  name: 'deliveries',
  title: 'Webhooks',
  one: 'webhook',
  hint: 'Click a point in a visual that is marked “Linked”: its webhook appears here.',
  nameField: 'visual',
  isLive: true,
  columns: [
    'at',
    { title: 'Tenant', field: 'tenancyName' },
    { title: 'Task', field: 'taskName' },
    'visual',
    { title: 'To', field: 'url' },
    { title: 'Outcome', field: 'outcome', render: (row) => outcome(row['outcome']) },
    'status',
  ],
  tools: [{ text: 'Clear', act: () => ask('DELETE', '/deliveries') }],
  actions: [
    {
      text: 'Copy as curl',
      isOffered: ({ url }) => URL.canParse(shown(url)),
      act: async (_, { url, body }) => {
        const { origin, pathname } = new URL(shown(url));
        return copyCurl(origin, {
          method: 'POST',
          path: pathname,
          query: '',
          headers: { 'content-type': 'application/json', authorization: 'Bearer $VITRINE_WEBHOOK_SECRET' },
          requestBody: shown(body),
        });
      },
    },
    { text: 'Send again', act: (_, { id }) => ask('POST', `/deliveries/${shown(id)}/replay`) },
  ],
};
