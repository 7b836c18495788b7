/** A JSON value of the control interface; the console shows it unchecked. */
export type Row = Readonly<Record<string, unknown>>;

/** A page of a list. */
export interface ListPage {
  readonly items: readonly Row[];
  readonly totalCount: number;
  /** Number of newest rows that a search read, if the list has more. */
  readonly searchedRows?: number | undefined;
}

/** Rows of a page. */
export const pageSize = 25;
/** More rows than a list has: its whole content. */
export const wholeList = 999_999_999;

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

/** A page of a list, by the path of a tenant. Parameters without a value are omitted. */
export const readList = (path: string, name: string, parameters: Row): Promise<ListPage> => {
  const given = Object.entries<unknown>({ pageSize, ...parameters }).filter(([, value]) => value !== '');
  const query = new URLSearchParams(given.map(([key, value]) => [key, String(value)]));
  // The control interface answers with this type.
  return ask('GET', `${path}/lists/${name}?${query}`) as Promise<unknown> as Promise<ListPage>;
};

/** A value as text for a cell; a time to the second, in UTC. */
export const shown = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(shown).join(', ');
  if (typeof value !== 'string') return JSON.stringify(value);
  return value.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d{3}Z$/, '$1 $2');
};

/** Saves a text as a file. */
export const saveFile = (name: string, text: string, type: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
};
