import { type Fields, isFields } from '../../../src/cli/lib/conformance/readers.ts';
import type { Answer } from '../../../src/cli/lib/conformance/send.ts';
import type { PassedRequest, Spoiler } from './spoiledService.ts';

/** Whether a request has a path, whatever its query. */
export const isTo = ({ method, url }: PassedRequest, wanted: string): boolean => {
  const [verb, path = ''] = wanted.split(' ');
  const pattern = new RegExp(`^${path.replaceAll('*', '[^/]+')}$`);
  return method === verb && pattern.test(new URL(url).pathname);
};

/** A response with another JSON body. */
export const withJson = (answer: Answer, json: unknown): Answer => ({
  ...answer,
  json,
  text: JSON.stringify(json),
});

/** A fabricated response. */
export const made = (status: number, json?: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  json,
  text: json === undefined ? '' : JSON.stringify(json),
});

/** Changes the JSON object of a response. */
export const changing = (wanted: string, change: (body: Fields) => unknown): Spoiler => ({
  answer: (answer, request) =>
    isTo(request, wanted) && isFields(answer.json) && answer.status < 300
      ? withJson(answer, change(answer.json))
      : answer,
});

/** Changes the rows of a list; the total stays. */
export const changingRows = (
  wanted: string,
  change: (rows: readonly Fields[]) => readonly unknown[],
): Spoiler => changing(wanted, (body) => ({ ...body, items: change(body['items'] as Fields[]) }));

/** Changes every row of a list. */
export const changingRow = (wanted: string, change: Fields): Spoiler =>
  changingRows(wanted, (rows) => rows.map((row) => ({ ...row, ...change })));

/** Removes a query parameter before the request reaches the service. */
export const ignoring = (wanted: string, parameter: string): Spoiler => ({
  request: (request) => {
    if (!isTo(request, wanted)) return request;
    const url = new URL(request.url);
    url.searchParams.delete(parameter);
    return { ...request, url: url.href };
  },
});

/** Answers without calling the service. */
export const pretending = (wanted: string, answer: (request: PassedRequest) => Answer): Spoiler => ({
  request: (request) => (isTo(request, wanted) ? answer(request) : request),
});

/** Corrects the JSON body of a request, so that the service accepts what it should reject. */
export const correcting = (
  wanted: string,
  correct: (body: Fields, target: Parameters<NonNullable<Spoiler['request']>>[1]) => Fields,
): Spoiler => ({
  request: (request, target) => {
    if (!isTo(request, wanted) || request.body === undefined) return request;
    const body: unknown = JSON.parse(request.body);
    return isFields(body) ? { ...request, body: JSON.stringify(correct(body, target)) } : request;
  },
});

/** Sets request headers, so that the service accepts what it should reject. */
export const authorizing = (
  wanted: string,
  headers: (
    target: Parameters<NonNullable<Spoiler['request']>>[1],
    request: PassedRequest,
  ) => Readonly<Record<string, string>>,
): Spoiler => ({
  request: (request, target) =>
    isTo(request, wanted)
      ? { ...request, headers: { ...request.headers, ...headers(target, request) } }
      : request,
});
