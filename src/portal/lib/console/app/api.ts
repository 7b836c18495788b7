/** A JSON value of the control interface; the console shows it unchecked. */
export type Row = Readonly<Record<string, unknown>>;

/** A page of a list. */
export interface ListPage {
  readonly items: readonly Row[];
  readonly totalCount: number;
  /** Number of rows that a search read, if the list has more. */
  readonly searchedRows?: number;
}

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
export const askList = (
  tenancyName: string,
  name: string,
  parameters: Readonly<Record<string, string | number>>,
): Promise<ListPage> => {
  const given = Object.entries(parameters).filter(([, value]) => value !== '');
  const query = new URLSearchParams(given.map(([key, value]) => [key, String(value)]));
  // The control interface answers with this type.
  return ask(
    'GET',
    `/tenants/${tenancyName}/lists/${name}?${query}`,
  ) as Promise<unknown> as Promise<ListPage>;
};

/** More rows than a list has: its whole content, which a search in the browser then narrows. */
export const wholeList = 100_000;

/** The fields that differ between two states of a form. */
export const changesOf = (before: Row, after: Row): Row =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );

/** A value as text for a cell. */
export const shown = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(shown).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** A time to the second, in UTC. */
export const shownTime = (value: unknown): string => {
  const text = shown(value);
  return text.includes('T') ? `${text.slice(0, 10)} ${text.slice(11, 19)}` : text;
};

/** Saves a text as a file. */
export const saveFile = (name: string, text: string, type: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
};
