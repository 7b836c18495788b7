import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { type ListPage, labelOf, pageSize, type Row, readList, shown, upperFirst } from './api.ts';
import { useChange, useChosen, useConsole } from './context.tsx';
import { RowDetails, shownOnce } from './dialogs.tsx';
import { Fields, FormDialog } from './Form.tsx';
import { bodyOf, type FormField, valuesOf } from './fields.ts';
import type { Column, ListAction, ListDefinition } from './listDefinition.ts';
import { Button, Card } from './parts.tsx';

/** Line breaks of a cell: none in a short text such as `region-north`, anywhere in a very long word. */
const wrapOf = (content: ReactNode): string | undefined => {
  if (typeof content !== 'string') return undefined;
  return content.length <= 24 ? 'word' : /\S{40}/.test(content) ? 'long' : undefined;
};

const searchField: FormField = { name: 'search', kind: 'text', type: 'search', placeholder: 'Any text' };
const same = (row: Row): Row => row;
/** A page that no list has. */
const beyond = 100_000;

const countText = (page: number, { items, totalCount, searchedRows }: ListPage): string => {
  const from = (page - 1) * pageSize + 1;
  const range = `${from}–${from + items.length - 1} of ${totalCount}`;
  const counted = items.length === totalCount ? `${totalCount} in total` : range;
  return searchedRows === undefined ? counted : `${counted}, among the newest ${searchedRows}`;
};

/** The fields that differ between two states of a form. */
const changesOf = (before: Row, after: Row): Row =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );

/** A list with search, pages, details, and a form for new and edited rows. */
export const ListView = ({ definition }: { readonly definition: ListDefinition }) => {
  const { name, title, one, hint, nameField = 'id', filters = [], tools = [], actions = [] } = definition;
  const { create, change } = definition;
  const { shapeOf = same, parametersOf = same, toValues = same, toBody = same } = definition;
  const { tenant, show } = useConsole();
  const path = `/tenants/${tenant.tenancyName}`;
  const runChange = useChange();
  const firstQuery = { ...valuesOf(filters), page: '1', search: '', sort: '' };
  const [query, setQuery] = useChosen(firstQuery);
  const [created, setCreated] = useState<unknown>();
  const { search, sort } = query;
  const page = Number(query.page);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: [name, path, query],
    queryFn: () => readList(path, name, parametersOf(query)),
    placeholderData: keepPreviousData,
    // A list that failed recovers by itself.
    refetchInterval: ({ state }) => (definition.isLive === true || state.error !== null) && 1000,
  });
  const pages = Math.max(1, Math.ceil((data?.totalCount ?? 0) / pageSize));
  const isBeyond = data !== undefined && !isPlaceholderData && page > pages;
  useEffect(() => {
    if (isBeyond) setQuery({ ...query, page: pages });
  });
  const columns = definition.columns.map((column) =>
    typeof column === 'string' ? { title: labelOf(column), field: column } : column,
  );
  const narrow = (field: string, value: unknown) => setQuery({ ...query, page: '1', [field]: value });
  const nameOf = (row: Row) => shown(row[nameField]);

  const edit = (row?: Row) => {
    const fields = definition.fields?.(row) ?? [];
    let seen = row;
    const save = async (values: Row, before: Row) => {
      const body = toBody(bodyOf(fields, values));
      if (seen !== undefined) {
        const changes = changesOf(toBody(bodyOf(fields, before)), body);
        const { items } = await readList(path, name, parametersOf(query));
        const now = items.map(shapeOf).find(({ id }) => id === row?.['id']) ?? seen;
        const others = changesOf(toValues(seen), toValues(now));
        const both = Object.keys(changes).find((field) => field in others);
        seen = now;
        if (both === undefined) return change?.(path, now, changes);
        const text = `${labelOf(both)} was changed by someone else meanwhile: it is ${shown(others[both])}.`;
        throw new Error(`${text} Save again to replace that.`, { cause: both });
      }
      const answer = (await create?.(path, body)) ?? {};
      // New rows are last: a page beyond the end is the last one.
      setQuery({ ...firstQuery, page: beyond });
      setCreated(answer['id']);
      return shownOnce(one, answer);
    };
    show(
      <FormDialog
        title={row === undefined ? `New ${one}` : `Edit ${nameOf(row)}`}
        action={row === undefined ? `Create ${one}` : 'Save'}
        fields={fields.filter(({ isFixed }) => row === undefined || isFixed !== true)}
        values={valuesOf(fields, row && toValues(row))}
        onSubmit={save}
      />,
    );
  };
  const press = ({ text, effectOf, act }: ListAction, row: Row, subject: string) => {
    if (effectOf === undefined) return runChange(() => act(path, row));
    const question = `${effectOf(row)} This cannot be undone.`.trim();
    const shape = { title: `${text}${subject}?`, question, action: text };
    return show(<FormDialog {...shape} onSubmit={() => act(path, row)} />);
  };
  const details = (row: Row) => show(<RowDetails title={`${upperFirst(one)} ${nameOf(row)}`} row={row} />);
  const buttonsOf = (row: Row) => (
    <>
      <Button onClick={() => details(row)}>Details</Button>
      {change !== undefined && <Button onClick={() => edit(row)}>Edit</Button>}
      {actions
        .filter(({ isOffered }) => isOffered?.(row) !== false)
        .map((action) => (
          // Isolated, because a name may contain characters that change the text direction.
          <Button
            key={action.text}
            onClick={() => press(action, row, ` the ${one} \u2068${nameOf(row)}\u2069`)}
          >
            {action.text}
          </Button>
        ))}
    </>
  );
  const headOf = ({ title: text, field }: Exclude<Column, string>) => {
    const isSorted = field !== undefined && sort.replace('-', '') === field;
    const order = isSorted ? (sort === field ? 'ascending' : 'descending') : undefined;
    const next = { ascending: `-${field}`, descending: '', none: field }[order ?? 'none'];
    return (
      <th key={text} scope="col" aria-sort={order}>
        {field === undefined ? text : <Button onClick={() => narrow('sort', next)}>{text}</Button>}
      </th>
    );
  };
  /** A row keeps its place and selected text while others come and go. */
  const lineOf = (row: Row) => {
    const isNew = created !== undefined && shown(row['id']) === shown(created);
    return (
      <tr
        key={shown(row['id'])}
        className={isNew ? 'new' : undefined}
        ref={isNew ? (line) => line?.scrollIntoView({ block: 'center' }) : undefined}
      >
        {columns.map(({ title: text, field = '', render = (one: Row) => shown(one[field]) }) => (
          <td key={text} className={wrapOf(render(row))} data-title={text}>
            {render(row)}
          </td>
        ))}
        <td>
          <div className="line">{buttonsOf(row)}</div>
        </td>
      </tr>
    );
  };
  const aside = (
    <>
      {tools.map((tool) => (
        <Button key={tool.text} onClick={() => press(tool, parametersOf(query), '')}>
          {tool.text}
        </Button>
      ))}
      {create !== undefined && (
        <Button className="main" onClick={() => edit()}>
          New {one}
        </Button>
      )}
    </>
  );
  const isReading = data === undefined || isBeyond;
  const rows = data?.items.map(shapeOf) ?? [];
  const nothing = search === '' ? `No ${one}s yet.` : `No results for “${search}”.`;
  return (
    <Card title={title} hint={hint} aside={aside}>
      <div className="row">
        <Fields fields={[searchField, ...filters]} values={query} onChange={narrow} />
      </div>
      <section className="scroll" aria-label={title.toLowerCase()}>
        {rows.length > 0 && (
          <table>
            <thead>
              <tr>
                {columns.map(headOf)}
                <th scope="col">
                  <span className="hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>{rows.map(lineOf)}</tbody>
          </table>
        )}
      </section>
      <div className="line">
        <output className={`${error === null ? '' : 'bad'} ${rows.length === 0 ? 'nothing' : ''}`}>
          {error?.message ?? (isReading ? 'Loading…' : rows.length === 0 ? nothing : countText(page, data))}
        </output>
        {pages > 1 && (
          <>
            <Button disabled={page === 1} onClick={() => setQuery({ ...query, page: page - 1 })}>
              Previous
            </Button>
            <Button disabled={page === pages} onClick={() => setQuery({ ...query, page: page + 1 })}>
              Next
            </Button>
          </>
        )}
      </div>
    </Card>
  );
};
