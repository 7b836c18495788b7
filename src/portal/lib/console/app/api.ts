import { compareTexts } from '../../reports/shared/compareTexts.ts';

/** A JSON value of the control interface; the console shows it unchecked. */
export type Row = Readonly<Record<string, unknown>>;

/** Which rows of a list are shown: of a search, in an order (`-name` is descending), and of the list's own filters. */
export interface ListQuery extends Row {
  readonly page: number;
  readonly search: string;
  readonly sort: string;
}

/** A page of a list. */
export interface ListPage {
  readonly items: readonly Row[];
  /** Undefined if it is only known that there are more. */
  readonly totalCount: number | undefined;
  /** Number of newest rows that a search read, if the list has more. */
  readonly searchedRows?: number | undefined;
}

/** Rows of a page. */
export const pageSize = 25;
/** More rows than a list has: its whole content, which a search in the browser then narrows. */
export const wholeList = 100_000;

/** Calls the control interface. Rejects with the portal's own message. */
export const ask = async (method: string, path: string, body?: unknown): Promise<Row> => {
  const response = await fetch(`/_control${path}`, {
    method,
    cache: 'no-store',
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  }).catch(() => {
    throw new Error('The portal is not responding.');
  });
  const text = await response.text();
  // Every response of the control interface is a JSON object or empty.
  const answer = (text === '' ? {} : JSON.parse(text)) as Row;
  if (!response.ok) {
    const error = answer['error'] as { readonly message?: string } | undefined;
    throw new Error(error?.message ?? `The portal responded with ${response.status}.`);
  }
  return answer;
};

/** The rows of a list response. */
export const rowsOf = (answer: Row): readonly Row[] => (answer['items'] ?? []) as readonly Row[];

/** A page of a tenant's list. Parameters without a value are omitted. */
export const tenantList = (
  tenancyName: string,
  name: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<ListPage> => {
  const given = Object.entries<unknown>({ pageSize, ...parameters }).filter(([, value]) => value !== '');
  const query = new URLSearchParams(given.map(([key, value]) => [key, String(value)]));
  // The control interface answers with this type.
  return ask(
    'GET',
    `/tenants/${tenancyName}/lists/${name}?${query}`,
  ) as Promise<unknown> as Promise<ListPage>;
};

/** Number of newest rows of a log that a search reads. */
const maxSearched = 1000;

/** A page of a list of the whole portal, which is searched and sorted here. A log is listed from its newest row. */
export const portalList = async (
  path: string,
  { page, search, sort }: ListQuery,
  {
    isLog = false,
    complete = (rows) => rows,
  }: {
    readonly isLog?: boolean;
    /** What the list shows of its rows. */
    readonly complete?: (rows: readonly Row[]) => readonly Row[] | Promise<readonly Row[]>;
  } = {},
): Promise<ListPage> => {
  const limit = search === '' && sort === '' ? page * pageSize + 1 : maxSearched;
  const read = rowsOf(await ask('GET', isLog ? `${path}?limit=${limit}` : path));
  const isWhole = !isLog || read.length < limit;
  const rows = await complete(isLog ? read.toReversed() : read);
  const found = rows.filter((row) => JSON.stringify(row).toLowerCase().includes(search.toLowerCase()));
  const field = sort.replace('-', '');
  const ordered =
    sort === ''
      ? found
      : found.toSorted((one, other) => compareTexts(shown(one[field]), shown(other[field])));
  const directed = sort.startsWith('-') ? ordered.toReversed() : ordered;
  return {
    items: directed.slice((page - 1) * pageSize, page * pageSize),
    totalCount: isWhole || limit === maxSearched ? found.length : undefined,
    searchedRows: !isWhole && limit === maxSearched ? maxSearched : undefined,
  };
};

/** A value as text for a cell. */
export const shown = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(shown).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** A time to the second, in UTC. */
export const shownTime = (value: unknown): string => shown(value).slice(0, 19).replace('T', ' ');

/** Saves a text as a file. */
export const saveFile = (name: string, text: string, type: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
};
