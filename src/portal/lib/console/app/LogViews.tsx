import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { curlCommand, type SentRequest } from '../shared/curlCommand.ts';
import { ask, askList, type Row, rowsOf, shown, wholeList } from './api.ts';
import { useChange } from './context.tsx';
import {
  Button,
  Card,
  type Column,
  CopyButton,
  Details,
  isFailure,
  Labeled,
  Nothing,
  Status,
  Table,
} from './parts.tsx';

/** Number of rows shown first, and added by "Show more". */
const pageSize = 60;
/** Number of newest rows that a search reads. */
const searchedRows = 1000;

/** A live log, newest first. A search finds the texts of a row, and "failed" what failed. */
const LogView = ({
  title,
  name,
  columns,
  failure,
  hint,
  complete = async (rows) => rows,
}: {
  readonly title: string;
  /** Path of the log in the control interface, and of its events. */
  readonly name: 'requests' | 'deliveries';
  readonly columns: readonly Column[];
  /** Field that says whether a row is a failure. */
  readonly failure: string;
  readonly hint: ReactNode;
  /** Adds to the rows what the log does not have. */
  readonly complete?: (rows: readonly Row[]) => Promise<readonly Row[]>;
}) => {
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(pageSize);
  const runChange = useChange();
  const read = search === '' ? limit : searchedRows;
  const { data, error, isPending } = useQuery({
    queryKey: [name, read],
    queryFn: async () => complete(rowsOf(await ask('GET', `/${name}?limit=${read}`)).toReversed()),
    placeholderData: keepPreviousData,
  });
  const wanted = search.toLowerCase();
  const textOf = (row: Row) =>
    `${JSON.stringify(row)} ${isFailure(row[failure]) ? 'failed' : ''}`.toLowerCase();
  const found = (data ?? []).filter((row) => wanted === '' || textOf(row).includes(wanted));
  return (
    <Card
      title={title}
      aside={<Button onPress={() => runChange(() => ask('DELETE', `/${name}`))}>Clear</Button>}
    >
      <p className="hint">{hint}</p>
      <div className="row">
        <Labeled text="Search">
          <input
            type="search"
            placeholder="Any text, or failed"
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
        </Labeled>
      </div>
      {found.length === 0 ? (
        <Nothing error={error} isLoading={isPending}>
          {search === ''
            ? `No ${title.toLowerCase()} yet.`
            : `Nothing among the newest ${searchedRows} contains “${search}”.`}
        </Nothing>
      ) : (
        <Table label={name} columns={columns} rows={found.slice(0, limit)} />
      )}
      {(data?.length ?? 0) >= limit && <Button onPress={() => setLimit(limit + pageSize)}>Show more</Button>}
    </Card>
  );
};

const curlOf = (row: Row): string => {
  // A row of the log is a LoggedRequest.
  const request = row as unknown as SentRequest;
  return curlCommand(
    `${window.location.protocol}//${request.headers['host'] ?? window.location.host}`,
    request,
  );
};

/** The live log of requests. */
export const RequestsView = () => (
  <LogView
    title="Requests"
    name="requests"
    failure="status"
    hint="What hosts and reports ask this portal, with bodies and without secrets."
    columns={[
      { title: 'Time (UTC)', field: 'at', isTime: true },
      { title: 'Tenant', field: 'tenancyName' },
      {
        title: 'Request',
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
      { title: 'Status', render: ({ status }) => <Status value={status} /> },
      { title: 'ms', field: 'durationMs', isNumber: true },
      { title: 'Fault', field: 'fault' },
      {
        title: '',
        render: (row) => (
          <div className="row-actions">
            <CopyButton text="Copy as curl" read={() => curlOf(row)} />
            <Details title="Request" row={row} />
          </div>
        ),
      },
    ]}
  />
);

/** Adds the names of the tasks to deliveries. */
const withTasks = async (rows: readonly Row[]): Promise<readonly Row[]> => {
  const names = [...new Set(rows.map(({ tenancyName }) => shown(tenancyName)))];
  const lists = await Promise.all(names.map((name) => askList(name, 'tasks', { pageSize: wholeList })));
  const tasks = new Map(lists.flatMap(({ items }) => items.map(({ id, name }) => [id, name])));
  return rows.map((row) => ({ ...row, task: tasks.get(row['taskId']) ?? row['taskId'] }));
};

/** The live log of webhooks, each of which can be sent again. */
export const DeliveriesView = () => {
  const runChange = useChange();
  return (
    <LogView
      title="Webhooks"
      name="deliveries"
      failure="outcome"
      hint="Click a point in a visual that is marked “Linked”: its webhook appears here."
      complete={withTasks}
      columns={[
        { title: 'Time (UTC)', field: 'at', isTime: true },
        { title: 'Tenant', field: 'tenancyName' },
        { title: 'Task', field: 'task' },
        { title: 'Visual', field: 'visual' },
        { title: 'To', field: 'url' },
        { title: 'Outcome', render: ({ outcome }) => <Status value={outcome} /> },
        { title: 'Status', field: 'status' },
        {
          title: '',
          render: (row) => (
            <div className="row-actions">
              <Button onPress={() => runChange(() => ask('POST', `/deliveries/${shown(row['id'])}/replay`))}>
                Send again
              </Button>
              <Details title="Webhook" row={row} />
            </div>
          ),
        },
      ]}
    />
  );
};
