import { withoutFormulas } from '@vitrine/contract';
import { maxPageSize } from '@vitrine/contract/service';
import { auditActionTypes } from '../../auditTypes.ts';
import { curlCommand, type SentRequest } from '../shared/curlCommand.ts';
import { ask, type ListQuery, portalList, type Row, saveFile, shown, tenantList, wholeList } from './api.ts';
import { columnsOf, plainOptions } from './fields.ts';
import type { ListDefinition } from './ListView.tsx';
import { isFailure, Status } from './parts.tsx';

const csvOf = (rows: readonly Row[]): string => {
  const names = Object.keys(rows[0] ?? {});
  const cells = [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))].map((line) =>
    line.map((value) => {
      const text = withoutFormulas(typeof value === 'string' ? value : JSON.stringify(value));
      return `"${text.replaceAll('"', '""')}"`;
    }),
  );
  return `\uFEFF${cells.map((line) => line.join(',')).join('\r\n')}\r\n`;
};

const readAudit = ({ from, to, ...query }: ListQuery, tenancyName: string) =>
  tenantList(tenancyName, 'audit-logs', {
    ...query,
    dateRange: from === '' && to === '' ? '' : `${shown(from || '..')}/${shown(to || '..')}`,
  });

/** The audit log of a tenant, with filters and export. */
export const auditLog: ListDefinition = {
  name: 'audit-logs',
  title: 'Audit log',
  one: 'event',
  nameField: 'id',
  columns: columnsOf('auditRecord', ['timestamp', 'actionType', 'description', 'userEmail', 'result']),
  read: readAudit,
  filters: [
    {
      name: 'actionType',
      label: 'Event',
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
        const tenancyName = path.replace(/.*\//, '');
        const rows: Row[] = [];
        for (let page = 1, total = 1; rows.length < total; page += 1) {
          const asked = { ...(query as ListQuery), page, pageSize: maxPageSize };
          const { items, totalCount = 0 } = await readAudit(asked, tenancyName);
          rows.push(...items);
          total = items.length === 0 ? 0 : totalCount;
        }
        if (rows.length === 0) return 'There is nothing to export.';
        return saveFile(`audit-log-${tenancyName}.csv`, csvOf(rows), 'text/csv');
      },
    },
  ],
};

const origin = (host = window.location.host) => `${window.location.protocol}//${host}`;

/** The live log of requests. */
export const requestLog: ListDefinition = {
  name: 'requests',
  title: 'Requests',
  one: 'request',
  hint: 'What hosts and reports ask this portal, with bodies and without secrets. Search for “failed” to find failures.',
  nameField: 'path',
  isLive: true,
  columns: [
    { title: 'Time (UTC)', field: 'at', isTime: true },
    { title: 'Tenant', field: 'tenancyName' },
    {
      title: 'Request',
      field: 'path',
      render: ({ method, path, query, notes }) => (
        <>
          {`${shown(method)} ${shown(path)}${query === '' ? '' : `?${shown(query)}`}`}
          {/* Notes are texts. */}
          {(notes as readonly string[]).map((note) => (
            <small key={note} className="hint">
              {note}
            </small>
          ))}
        </>
      ),
    },
    { title: 'Status', field: 'status', render: ({ status }) => <Status value={status} /> },
    { title: 'ms', field: 'durationMs', isNumber: true },
    { title: 'Fault', field: 'fault' },
  ],
  read: (query) =>
    portalList('/requests', query, {
      isLog: true,
      complete: (rows) => rows.map((row) => (isFailure(row['status']) ? { ...row, outcome: 'failed' } : row)),
    }),
  tools: [{ text: 'Clear', act: () => ask('DELETE', '/requests') }],
  actions: [
    {
      text: 'Copy as curl',
      act: async (_, row) => {
        // A row of the log is a LoggedRequest.
        const request = row as unknown as SentRequest;
        await navigator.clipboard.writeText(curlCommand(origin(request.headers['host']), request));
        return 'The request is copied as a curl command, with variables for its secrets.';
      },
    },
  ],
};

/** Adds the names of the tasks to deliveries. */
const withTasks = async (rows: readonly Row[]): Promise<readonly Row[]> => {
  const names = [...new Set(rows.map(({ tenancyName }) => shown(tenancyName)))];
  const lists = await Promise.all(names.map((name) => tenantList(name, 'tasks', { pageSize: wholeList })));
  const tasks = new Map(lists.flatMap(({ items }) => items.map(({ id, name }) => [id, name])));
  return rows.map((row) => ({ ...row, task: tasks.get(row['taskId']) ?? row['taskId'] }));
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
    { title: 'Time (UTC)', field: 'at', isTime: true },
    { title: 'Tenant', field: 'tenancyName' },
    { title: 'Task', field: 'task' },
    { title: 'Visual', field: 'visual' },
    { title: 'To', field: 'url' },
    { title: 'Outcome', field: 'outcome', render: ({ outcome }) => <Status value={outcome} /> },
    { title: 'Status', field: 'status' },
  ],
  read: (query) => portalList('/deliveries', query, { isLog: true, complete: withTasks }),
  tools: [{ text: 'Clear', act: () => ask('DELETE', '/deliveries') }],
  actions: [{ text: 'Send again', act: (_, { id }) => ask('POST', `/deliveries/${shown(id)}/replay`) }],
};
