/** A JSON value of the control interface; the console shows it unchecked. */
export type Row = Readonly<Record<string, unknown>>;

/** A page of a list. */
export interface ListPage {
  readonly items: readonly Row[];
  readonly totalCount: number;
  /** Number of newest rows that a search read, if the list has more. */
  readonly searchedRows?: number | undefined;
}

/** Why the portal refused a request. */
interface Refusal {
  readonly message?: string;
  readonly validationErrors?: readonly { readonly message: string; readonly members: readonly [string] }[];
}

/** Rows of a page. */
export const pageSize = 25;
/** More rows than a list has: its whole content. */
export const wholeList = 999_999_999;

const labels: Readonly<Record<string, string>> = {
  id: 'ID',
  guid: 'GUID',
  at: 'Time (UTC)',
  timestamp: 'Time (UTC)',
  displayName: 'Name',
  organizationUnits: 'Units',
  parentId: 'Below',
  visualNames: 'Visuals',
  roleNames: 'RLS roles',
  hasRls: 'Filters rows by role and user (RLS)',
  webhookUrl: 'Webhook address',
  apiKey: 'API key',
  url: 'Address',
  minutes: 'Lifetime, minutes',
  dateRange: 'From, to (UTC)',
};

/** A text with a capital letter. */
export const upperFirst = (text: string): string => text.replace(/^./, (first) => first.toUpperCase());

/** The title of a field: `firstName` is "First name", `reportId` "Report", `userCount` "Users", `createdAt` "Created (UTC)". */
export const labelOf = (name: string): string =>
  labels[name] ??
  upperFirst(
    name
      .replace(/Id$/, '')
      .replace(/Count$/, 's')
      .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
      .replace(/ at$/, ' (UTC)'),
  );

/** The title of a field of a form: of `additionalData[0].id`, "Additional data 1, ID". */
export const labelOfPath = (path: string): string =>
  path
    .split('.')
    .map((part) => labelOf(part.replace(/\[(\d+)\]$/, (_, place) => ` ${Number(place) + 1}`)))
    .join(', ');

/** Calls the control interface. Rejects with the portal's own message. */
export const ask = async (method: string, path: string, sent?: unknown): Promise<Row> => {
  const response = await fetch(`/_control${path}`, {
    method,
    cache: 'no-store',
    ...(sent !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    }),
  }).catch(() => {
    throw new Error('The portal is not responding.');
  });
  const body = await response.text();
  // Every response of the control interface is a JSON object or empty.
  const answer = (body === '' ? {} : JSON.parse(body)) as Row;
  if (!response.ok) {
    const { message, validationErrors } = (answer['error'] ?? {}) as Refusal;
    const problems = validationErrors?.map((one) => `${labelOfPath(one.members[0])}: ${one.message}`);
    const text = problems?.join(' ') ?? message ?? `The portal responded with ${response.status}.`;
    throw new Error(text, { cause: validationErrors?.[0]?.members[0] });
  }
  return answer;
};

/** A page of a list, by the path of a tenant. Parameters without a value are omitted. */
export const readList = (path: string, name: string, parameters: Row): Promise<ListPage> => {
  const given = Object.entries<unknown>({ pageSize, ...parameters })
    .map(([key, value]) => [key, String(value).trim()])
    .filter(([, value]) => value !== '');
  const query = new URLSearchParams(given);
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

/** The path of a unit for people: a JSON pointer has other characters for a slash and a tilde in a name. */
export const pathText = (path: unknown): string => String(path).replaceAll('~1', '/').replaceAll('~0', '~');

/** Saves a text as a file. */
export const saveFile = (name: string, text: string, type: string): void => {
  const href = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement('a'), { href, download: name }).click();
  URL.revokeObjectURL(href);
};
