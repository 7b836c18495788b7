import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type ListPage, type ListQuery, pageSize, type Row, shown, tenantList } from './api.ts';
import { useChange, useConsole } from './context.tsx';
import { RowDetails, shownOnce } from './dialogs.tsx';
import { Fields, FormDialog } from './Form.tsx';
import { bodyOf, type FormField, valuesOf } from './fields.ts';
import { Button, Card } from './parts.tsx';
import { type Column, Table } from './Table.tsx';

/** What is done with a row, or with a list. A sentence that it returns is shown. */
export interface ListAction {
  readonly text: string;
  readonly isOffered?: (row: Row) => boolean;
  /** The question before a loss, or what it does to others. */
  readonly effectOf?: (row: Row) => string;
  /** `path` is that of the tenant. */
  readonly act: (path: string, row: Row) => Promise<unknown>;
}

/** The form for new and edited rows. */
export interface ListForm {
  readonly fields: (row: Row | undefined, tenancyNames: readonly string[]) => readonly FormField[];
  /** What the form shows of a row. Default: its fields. */
  readonly valuesOf?: (row: Row) => Row;
  /** What is sent for the values of a form. Default: the values. */
  readonly bodyOf?: (body: Row) => Row;
  /** Verb of creation. Default: "Create". */
  readonly verb?: string;
  /** Creates a row. What it returns beyond the `id` is shown once. */
  readonly create: (path: string, body: Row) => Promise<Row>;
  /** Changes a row; without it, rows do not change. */
  readonly change?: (path: string, row: Row, changes: Row) => Promise<unknown>;
}

/** A list: its columns, its form, and how its rows change. Paths are those of the tenant. */
export interface ListDefinition {
  /** Name in the address and of the list: `users`. */
  readonly name: string;
  readonly title: string;
  /** Singular noun: `user`. */
  readonly one: string;
  readonly hint?: string | undefined;
  readonly columns: readonly Column[];
  /** Field with the name of a row, in questions and titles. */
  readonly nameField: string;
  /** Default: a list of the tenant. */
  readonly read?: (query: ListQuery, tenancyName: string) => Promise<ListPage>;
  /** Whether it is read every second. */
  readonly isLive?: true;
  readonly filters?: readonly FormField[];
  /** What is done with the list; they get its query. */
  readonly tools?: readonly ListAction[];
  readonly actions?: readonly ListAction[];
  readonly form?: ListForm;
}

const firstQuery: ListQuery = { page: 1, search: '', sort: '' };
/** A page that no list has. */
const beyond = 100_000;
const searchField: FormField = {
  name: 'search',
  label: 'Search',
  kind: 'text',
  type: 'search',
  placeholder: 'Any text',
};

const upperFirst = (text: string) => text.replace(/^./, (first) => first.toUpperCase());

const countText = (page: number, { items, totalCount, searchedRows }: ListPage): string => {
  const from = (page - 1) * pageSize + 1;
  const range = `${from}–${from + items.length - 1} of ${totalCount ?? 'more'}`;
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
  const { name, title, one, hint, nameField, filters = [], tools = [], actions = [], form } = definition;
  const { tenant, tenants, say, show } = useConsole();
  const { tenancyName } = tenant;
  const client = useQueryClient();
  const runChange = useChange();
  const [query, setQuery] = useState<ListQuery>({ ...valuesOf(filters), ...firstQuery });
  const [created, setCreated] = useState<unknown>();
  const { page, search, sort } = query;
  const { read = (asked) => tenantList(tenancyName, name, asked) } = definition;
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: [name, tenancyName, query],
    queryFn: () => read(query, tenancyName),
    placeholderData: keepPreviousData,
    refetchInterval: definition.isLive === true && 1000,
  });
  const rows = data?.items ?? [];
  const pages = Math.max(1, Math.ceil((data?.totalCount ?? (page + 1) * pageSize) / pageSize));
  const isBeyond = data !== undefined && !isPlaceholderData && page > pages;
  if (isBeyond) setQuery({ ...query, page: pages });
  const narrow = (field: string, value: unknown) => setQuery({ ...query, page: 1, [field]: value });
  const path = `/tenants/${tenancyName}`;
  const nameOf = (row: Row) => shown(row[nameField]);

  const edit = (row?: Row) => {
    if (form === undefined) return;
    const { fields: fieldsOf, verb = 'Create', create, change } = form;
    const fields = fieldsOf(
      row,
      tenants.map((one) => one.tenancyName),
    );
    const toBody = (values: Row) => {
      const body = bodyOf(fields, values);
      return form.bodyOf?.(body) ?? body;
    };
    const save = async (values: Row, before: Row): Promise<ReactNode> => {
      let answer: Row = {};
      if (row !== undefined) await change?.(path, row, changesOf(toBody(before), toBody(values)));
      else {
        answer = await create(path, toBody(values));
        // New rows are last: a page beyond the end is the last one.
        setQuery({ ...valuesOf(filters), ...firstQuery, page: beyond });
        setCreated(answer['id']);
      }
      say('');
      await client.invalidateQueries();
      return shownOnce(one, answer);
    };
    show(
      <FormDialog
        title={row === undefined ? `New ${one}` : `Edit ${nameOf(row)}`}
        action={row === undefined ? `${verb} ${one}` : 'Save'}
        fields={fields.filter(({ isFixed }) => row === undefined || isFixed !== true)}
        values={valuesOf(fields, row && (form.valuesOf?.(row) ?? row))}
        onSubmit={save}
      />,
    );
  };
  const press = ({ text, effectOf, act }: ListAction, row: Row, subject: string) => {
    if (effectOf === undefined) return runChange(() => act(path, row));
    const sentences = [`${text} ${subject}?`, effectOf(row), 'This cannot be undone.'].filter(Boolean);
    const actAndRead = async () => {
      await act(path, row);
      say('');
      await client.invalidateQueries();
      return undefined;
    };
    return show(
      <FormDialog title={`${text}?`} question={sentences.join(' ')} action={text} onSubmit={actAndRead} />,
    );
  };
  const details = (row: Row) => {
    show(<RowDetails title={`${upperFirst(one)} ${nameOf(row)}`} row={row} />);
  };
  const buttons: Column = {
    title: '',
    render: (row) => (
      <div className="row-actions">
        <Button onPress={() => details(row)}>Details</Button>
        {form?.change !== undefined && <Button onPress={() => edit(row)}>Edit</Button>}
        {actions
          .filter(({ isOffered }) => isOffered?.(row) !== false)
          .map((action) => (
            // Isolated, because a name may contain characters that change the text direction.
            <Button
              key={action.text}
              onPress={() => press(action, row, `the ${one} \u2068${nameOf(row)}\u2069`)}
            >
              {action.text}
            </Button>
          ))}
      </div>
    ),
  };
  const aside = (
    <>
      {tools.map((tool) => (
        <Button key={tool.text} onPress={() => press(tool, query, 'everything')}>
          {tool.text}
        </Button>
      ))}
      {form !== undefined && (
        <Button isMain onPress={() => edit()}>
          New {one}
        </Button>
      )}
    </>
  );
  return (
    <Card title={title} hint={hint} aside={aside}>
      <div className="row">
        <Fields fields={[searchField, ...filters]} values={query} onChange={narrow} />
      </div>
      <Table
        label={title.toLowerCase()}
        columns={[...definition.columns, buttons]}
        rows={rows}
        sort={sort}
        onSort={(next) => narrow('sort', next)}
        highlighted={created}
      >
        {error !== null ? (
          <p className="nothing" role="alert">
            {error.message}
          </p>
        ) : data === undefined || isBeyond ? (
          <p className="nothing">Loading…</p>
        ) : (
          <p className="nothing">{search === '' ? `No ${one}s yet.` : `No results for “${search}”.`}</p>
        )}
      </Table>
      <div className="pager">
        <output className="count">{data !== undefined && !isBeyond && countText(page, data)}</output>
        {pages > 1 && (
          <>
            <Button isDisabled={page === 1} onPress={() => setQuery({ ...query, page: page - 1 })}>
              Previous
            </Button>
            <Button isDisabled={page === pages} onPress={() => setQuery({ ...query, page: page + 1 })}>
              Next
            </Button>
          </>
        )}
      </div>
    </Card>
  );
};
