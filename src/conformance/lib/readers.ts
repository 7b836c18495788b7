import { describeAnswer, must } from './difference.ts';
import type { Answer } from './send.ts';

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

/** Reads a list, bare or a member of any name, with its total, if any; throws a difference if there is none. */
export const readListing = (answer: Answer): Listing => {
  mustSucceed(answer);
  const body = unwrap(answer.json);
  const members = Object.entries(isFields(body) ? body : {});
  const rows: unknown = Array.isArray(body) ? body : members.find(([, value]) => Array.isArray(value))?.[1];
  must(Array.isArray(rows) && rows.every(isFields), 'a list of objects', describeAnswer(answer));
  const [, stated = answer.headers['x-total-count']] =
    members.find(([name, value]) => /^(total|count|totalCount)$/.test(name) && Number.isInteger(value)) ?? [];
  return { rows, total: stated === undefined ? undefined : Number(stated) };
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

/** The identifier for paths: `id`, or `userId`. */
export const idOf = (resource: Fields): string => {
  const id = resource['id'] ?? resource['userId'];
  must(typeof id === 'number' || typeof id === 'string', 'an identifier in the resource', resource);
  return String(id);
};

/** A path with every segment encoded. */
export const pathOf = (...segments: readonly string[]): string =>
  `/${segments.map((segment) => encodeURIComponent(segment)).join('/')}`;

/** Joins a base address that may end in a slash with a path. */
export const addressOf = (baseUrl: string, path: string): string => `${baseUrl.replace(/\/+$/, '')}${path}`;
