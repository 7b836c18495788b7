import { maxPageSize } from '@vitrine/contract/service';
import { useState } from 'react';
import { auditCauses } from '../../auditCauses.ts';
import { askList, type Row, saveFile, shown } from './api.ts';
import { useChange, useConsole } from './context.tsx';
import { SearchField } from './Form.tsx';
import { labelOf } from './fields.ts';
import { Button, Card, type Column, Details, Labeled, Select } from './parts.tsx';
import { firstState, PagedTable, SearchBox } from './ResourceView.tsx';

const columns: readonly Column[] = [
  { title: 'Time (UTC)', field: 'timestamp', isTime: true },
  { title: labelOf('actionType'), field: 'actionType' },
  { title: 'Description', field: 'description' },
  { title: labelOf('userEmail'), field: 'userEmail' },
  { title: 'Result', field: 'result' },
  { title: '', render: (row) => <Details title={`Event ${shown(row['id'])}`} row={row} /> },
];

/** A cell of a CSV file. A text that a spreadsheet would run as a formula is text. */
const csvCell = (value: unknown): string => {
  const text = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const csvOf = (rows: readonly Row[]): string => {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => row[name]))];
  return `\uFEFF${lines.map((cells) => cells.map(csvCell).join(',')).join('\r\n')}\r\n`;
};

/** The audit log of the tenant, with filters and export. */
export const AuditView = () => {
  const { tenant, say } = useConsole();
  const runChange = useChange();
  const [state, setState] = useState(firstState);
  const [actionType, setType] = useState('');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [userId, setUser] = useState('');
  const dateRange = from === '' && to === '' ? '' : `${from || '..'}/${to || '..'}`;
  const filter = { actionType, userId, dateRange };
  const narrow = (apply: () => void) => {
    apply();
    setState({ ...state, page: 1 });
  };
  const exportRows = () =>
    runChange(async () => {
      const rows: Row[] = [];
      for (let page = 1, total = 1; rows.length < total; page += 1) {
        const answer = await askList(tenant.tenancyName, 'audit-logs', {
          ...filter,
          search: state.search,
          page,
          pageSize: maxPageSize,
        });
        rows.push(...answer.items);
        total = answer.items.length === 0 ? 0 : answer.totalCount;
      }
      if (rows.length === 0) say('There is nothing to export.');
      else saveFile(`audit-log-${tenant.tenancyName}.csv`, csvOf(rows), 'text/csv');
    });
  return (
    <Card title="Audit log" aside={<Button onPress={exportRows}>Export CSV</Button>}>
      <div className="row">
        <SearchBox state={state} onState={setState} />
        <Select
          label="Event"
          options={[
            ['', 'all'],
            ...Object.keys(auditCauses)
              .sort()
              .map((type) => [type, type] as const),
          ]}
          value={actionType}
          onChange={(type) => narrow(() => setType(type))}
        />
        <Labeled text="From (UTC)">
          <input type="date" value={from} onChange={({ target }) => narrow(() => setFrom(target.value))} />
        </Labeled>
        <Labeled text="To (UTC)">
          <input type="date" value={to} onChange={({ target }) => narrow(() => setTo(target.value))} />
        </Labeled>
        <SearchField
          field={{
            name: 'userId',
            label: 'Person',
            kind: 'search',
            source: 'users',
            options: [['', 'anyone']],
          }}
          values={{}}
          value={userId}
          onChange={(id) => narrow(() => setUser(String(id)))}
        />
      </div>
      <PagedTable
        name="audit-logs"
        label="events"
        columns={columns}
        state={state}
        onState={setState}
        filter={filter}
      />
    </Card>
  );
};
