import { describeAnswer, must } from './difference.ts';
import { type Answer, type Outgoing } from './send.ts';

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Unwraps an envelope, if there is one: the interface does not show the envelope of `/v1` (4.8). */
export const unwrap = (body: unknown): unknown => {
  if (!isFields(body)) return body;
  if ('result' in body && ('success' in body || '__abp' in body)) return body['result'];
  return Object.keys(body).length === 1 && isFields(body['data']) ? body['data'] : body;
};

/** A list with the service's total. */
export interface Listing {
  readonly rows: readonly Fields[];
  readonly total: number | undefined;
}

const rowNames = ['items', 'data', 'value', 'results'];
const totalNames = ['totalCount', 'total', 'count'];

const firstOf = <TValue>(names: readonly string[], read: (name: string) => TValue | undefined) =>
  names.map(read).find((value) => value !== undefined);

/** Reads a list in any of the usual shapes; throws a difference if there is none. */
export const readListing = (answer: Answer): Listing => {
  mustSucceed(answer);
  const body = unwrap(answer.json);
  const holder = isFields(body) ? body : {};
  const rows = Array.isArray(body)
    ? (body as unknown[])
    : firstOf(rowNames, (name) => (Array.isArray(holder[name]) ? (holder[name] as unknown[]) : undefined));
  must(rows?.every(isFields) === true, 'a list of objects', describeAnswer(answer));
  const header = answer.headers['x-total-count'];
  const total = firstOf(totalNames, (name) => (typeof holder[name] === 'number' ? holder[name] : undefined));
  return { rows, total: total ?? (header === undefined ? undefined : Number(header)) };
};

/** Whether an answer is a success: a 2xx that is not an envelope with `success: false`. */
export const isSuccess = ({ status, json }: Answer): boolean =>
  status >= 200 && status < 300 && !(isFields(json) && json['success'] === false);

/** Throws unless the answer is a success. */
export const mustSucceed = (answer: Answer, doing = ''): void =>
  must(isSuccess(answer), `success${doing && ` when ${doing}`}`, describeAnswer(answer));

/** Throws unless the answer is a refusal that an application can detect (the interface does not show the statuses). */
export const mustRefuse = (answer: Answer, what: string): void =>
  must(!isSuccess(answer), `a refusal of ${what}`, describeAnswer(answer));

/** The resource in an answer; throws if there is none. */
export const readResource = (answer: Answer): Fields => {
  mustSucceed(answer);
  const resource = unwrap(answer.json);
  must(isFields(resource), 'an object', describeAnswer(answer));
  return resource;
};

/** The identifier for paths: `id`, or another common name. */
export const idOf = (resource: Fields): string => {
  const id = firstOf(['id', 'userId', 'roleId', 'organizationUnitId', 'ouId'], (name) =>
    typeof resource[name] === 'number' || typeof resource[name] === 'string' ? resource[name] : undefined,
  );
  must(id !== undefined, 'an identifier in the resource', resource);
  return String(id);
};

/** A path with every segment encoded. */
export const pathOf = (...segments: readonly string[]): string =>
  `/${segments.map((segment) => encodeURIComponent(segment)).join('/')}`;

/** The query of the parameters that have a value. */
export const queryOf = (parameters: Readonly<Record<string, string | number | undefined>>): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query.toString()}`;
};

/** Joins a base address that may end in a slash with a path. */
export const addressOf = (baseUrl: string, path: string): Outgoing['url'] =>
  `${baseUrl.replace(/\/+$/, '')}${path}`;
