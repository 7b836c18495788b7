import { type Fields, isFields } from '../../../src/conformance/lib/readers.ts';
import type { Answer } from '../../../src/conformance/lib/send.ts';
import type { Breakage, PassedRequest } from './startBrokenService.ts';

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
export const changing = (wanted: string, change: (body: Fields) => unknown): Breakage => ({
  answer: (answer, request) =>
    isTo(request, wanted) && isFields(answer.json) && answer.status < 300
      ? withJson(answer, change(answer.json))
      : answer,
});

/** Changes the rows of a list; the total stays. */
export const changingRows = (
  wanted: string,
  change: (rows: readonly Fields[]) => readonly unknown[],
): Breakage => changing(wanted, (body) => ({ ...body, items: change(body['items'] as Fields[]) }));

/** Changes every row of a list. */
export const changingRow = (wanted: string, change: Fields): Breakage =>
  changingRows(wanted, (rows) => rows.map((row) => ({ ...row, ...change })));

/** Removes a query parameter before the request reaches the service. */
export const ignoring = (wanted: string, parameter: string): Breakage => ({
  request: (request) => {
    if (!isTo(request, wanted)) return request;
    const url = new URL(request.url);
    url.searchParams.delete(parameter);
    return { ...request, url: url.href };
  },
});

/** Answers without calling the service. */
export const pretending = (wanted: string, answer: (request: PassedRequest) => Answer): Breakage => ({
  request: (request) => (isTo(request, wanted) ? answer(request) : request),
});

/** Corrects the JSON body of a request, so that the service accepts what it should reject. */
export const correcting = (
  wanted: string,
  correct: (body: Fields, target: Parameters<NonNullable<Breakage['request']>>[1]) => Fields,
): Breakage => ({
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
    target: Parameters<NonNullable<Breakage['request']>>[1],
    request: PassedRequest,
  ) => Readonly<Record<string, string>>,
): Breakage => ({
  request: (request, target) =>
    isTo(request, wanted)
      ? { ...request, headers: { ...request.headers, ...headers(target, request) } }
      : request,
});

/** Adds to each report page what differs from page to page besides the rows. */
export const otherValues: Breakage = {
  answer: (answer, request) =>
    isTo(request, 'GET /report/*') && answer.status === 200
      ? {
          ...answer,
          text: `${answer.text}<!-- ${crypto.randomUUID()} ${Date.now()} ${new Date().toISOString()} ${request.url} -->`,
        }
      : answer,
};
