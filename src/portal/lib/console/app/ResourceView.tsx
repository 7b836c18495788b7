import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { askList, changesOf, type ListPage, type Row, shown } from './api.ts';
import { useChange, useConsole } from './context.tsx';
import { FormDialog } from './Form.tsx';
import { bodyOf, valuesOf } from './fields.ts';
import { Button, Card, type Column, Details, Labeled, Nothing, Popup, Table, Values } from './parts.tsx';
import type { ResourceDefinition } from './resourceViews.ts';

const pageSize = 25;
/** A page that no list has. */
const beyond = 100_000;

const upperFirst = (text: string) => text.replace(/^./, (first) => first.toUpperCase());

/** Which rows of a list are shown. */
export interface ListState {
  readonly page: number;
  readonly search: string;
  readonly sort: string;
}

const countText = (page: number, { items, totalCount, searchedRows }: ListPage): string => {
  const from = (page - 1) * pageSize + 1;
  const counted =
    totalCount === 0
      ? 'None'
      : items.length === totalCount
        ? `${totalCount} in total`
        : `${from}–${from + items.length - 1} of ${totalCount}`;
  return searchedRows === undefined ? counted : `${counted}, among the newest ${searchedRows}`;
};

/** A page of a list of the tenant, with its search, its count and the way to other pages. */
export const PagedTable = ({
  name,
  label,
  columns,
  state,
  onState,
  filter = {},
  highlighted,
}: {
  readonly name: string;
  readonly label: string;
  readonly columns: readonly Column[];
  readonly state: ListState;
  readonly onState: (state: ListState) => void;
  readonly filter?: Readonly<Record<string, string>>;
  readonly highlighted?: unknown;
}) => {
  const { tenant } = useConsole();
  const { page, search, sort } = state;
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['list', tenant.tenancyName, name, state, filter],
    queryFn: () => askList(tenant.tenancyName, name, { page, pageSize, search, sort, ...filter }),
    placeholderData: keepPreviousData,
  });
  const rows = data?.items ?? [];
  const pages = Math.max(1, Math.ceil((data?.totalCount ?? 0) / pageSize));
  const isBeyond = data !== undefined && !isPlaceholderData && page > pages;
  useEffect(() => {
    if (isBeyond) onState({ ...state, page: pages });
  }, [isBeyond, onState, state, pages]);
  return (
    <>
      {rows.length === 0 ? (
        <Nothing error={error} isLoading={data === undefined || isBeyond}>
          {search === '' ? `No ${label} yet.` : `No results for “${search}”.`}
        </Nothing>
      ) : (
        <Table
          label={label}
          columns={columns}
          rows={rows}
          sorting={{ sort, onSort: (next) => onState({ ...state, page: 1, sort: next }) }}
          highlighted={highlighted}
        />
      )}
      <div className="pager">
        <output className="count">{data !== undefined && countText(page, data)}</output>
        {pages > 1 && (
          <>
            <Button isDisabled={page === 1} onPress={() => onState({ ...state, page: page - 1 })}>
              Previous
            </Button>
            <Button isDisabled={page === pages} onPress={() => onState({ ...state, page: page + 1 })}>
              Next
            </Button>
          </>
        )}
      </div>
    </>
  );
};

/** The search of a list. */
export const SearchBox = ({
  state,
  onState,
}: {
  readonly state: ListState;
  readonly onState: (state: ListState) => void;
}) => (
  <Labeled text="Search">
    <input
      type="search"
      placeholder="Any text"
      value={state.search}
      onChange={({ target }) => onState({ ...state, page: 1, search: target.value })}
    />
  </Labeled>
);

/** What a list shows first. */
export const firstState: ListState = { page: 1, search: '', sort: '' };

const titles: Readonly<Record<string, string>> = {
  apiKey: 'API key',
  url: 'Address',
  key: 'Key',
  expiresAt: 'Expires',
};

/** A list of the tenant with search, pages, details, and a form for new and edited rows. */
export const ResourceView = ({ definition }: { readonly definition: ResourceDefinition }) => {
  const { name, title, one, columns, nameOf, fields, create, change, action, ofPortal } = definition;
  const { createVerb = 'Create', verb = 'Remove' } = definition;
  const { tenant, tenants, confirm, say } = useConsole();
  const runChange = useChange();
  const [state, setState] = useState(firstState);
  const [edited, setEdited] = useState<Row | 'new'>();
  const [created, setCreated] = useState<Row>();
  const path = `/tenants/${tenant.tenancyName}`;

  const remove = (row: Row) => {
    // Isolated, because a name may contain characters that change the text direction.
    const question = `${verb} the ${one} \u2068${nameOf(row)}\u2069?`;
    const effect = definition.effectOf?.(row) ?? '';
    confirm({
      text: [question, effect, 'This cannot be undone.'].filter(Boolean).join(' '),
      action: verb,
      act: () => runChange(async () => definition.remove?.(path, row)),
    });
  };
  const actions: Column = {
    title: '',
    render: (row) => (
      <div className="row-actions">
        <Details title={`${upperFirst(one)} ${nameOf(row)}`} row={row} />
        {action?.isOffered(row) === true && (
          <Button
            onPress={async () => {
              let result = '';
              await runChange(async () => {
                result = await action.act(path, row);
              });
              if (result !== '') say(result);
            }}
          >
            {action.text}
          </Button>
        )}
        {change !== undefined && <Button onPress={() => setEdited(row)}>Edit</Button>}
        {definition.remove !== undefined && definition.isRemovable?.(row) !== false && (
          <Button onPress={() => remove(row)}>{verb}</Button>
        )}
      </div>
    ),
  };
  const save = async (row: Row | undefined, values: Row, before: Row): Promise<void> => {
    const toBody = (one: Row) => {
      const body = bodyOf(fields?.(row) ?? [], one);
      return definition.bodyOf?.(body) ?? body;
    };
    if (row !== undefined) {
      await change?.(path, row, changesOf(toBody(before), toBody(values)));
      setEdited(undefined);
    } else {
      const answer = (await create?.(path, toBody(values))) ?? {};
      // New rows are last: a page beyond the end is the last one.
      setState({ ...firstState, page: beyond });
      setCreated(answer);
      setEdited(undefined);
    }
    await runChange(async () => {});
  };
  const secrets = Object.entries(created ?? {}).filter(([key]) => key in titles);
  const row = edited === 'new' ? undefined : edited;
  const editedFields = edited === undefined ? [] : (fields?.(row) ?? []);
  const values = row === undefined ? undefined : (definition.valuesOf?.(row) ?? row);
  return (
    <Card
      title={title}
      aside={
        create !== undefined && (
          <Button isMain onPress={() => setEdited('new')}>
            New {one}
          </Button>
        )
      }
    >
      <div className="row">
        <SearchBox state={state} onState={setState} />
      </div>
      {ofPortal === undefined ? (
        <PagedTable
          name={name}
          label={title.toLowerCase()}
          columns={[...columns, actions]}
          state={state}
          onState={setState}
          highlighted={created?.['id']}
        />
      ) : (
        <Table
          label={title.toLowerCase()}
          columns={[...columns, actions]}
          rows={ofPortal(tenants).filter((row) => shown(row['tenancyName']).includes(state.search))}
          highlighted={created?.['id']}
        />
      )}
      {edited !== undefined && (
        <FormDialog
          title={row === undefined ? `New ${one}` : `Edit ${nameOf(row)}`}
          action={row === undefined ? `${createVerb} ${one}` : 'Save'}
          fields={editedFields.filter(({ isFixed }) => row === undefined || isFixed !== true)}
          values={valuesOf(editedFields, values)}
          onSubmit={(entered, before) => save(row, entered, before)}
          onClose={() => setEdited(undefined)}
        />
      )}
      {secrets.length > 0 && (
        <Popup title={`The new ${one}`} onClose={() => setCreated({ id: created?.['id'] })}>
          <p>It is shown now and never again: copy what you need.</p>
          <Values
            rows={secrets.map(([key, value]) => ({
              title: titles[key] ?? key,
              value: shown(value),
              isSecret: key !== 'expiresAt',
            }))}
          />
          <div className="actions">
            <Button isMain onPress={() => setCreated({ id: created?.['id'] })}>
              Close
            </Button>
          </div>
        </Popup>
      )}
    </Card>
  );
};
