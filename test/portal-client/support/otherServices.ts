import type { Adapt } from '@vitrine/portal-client';
import type { Rewrite } from '../../support/rewritingProxy.ts';

/** A JSON object of the portal. */
type Row = Readonly<Record<string, any>>;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or a text that is sent as it is; `undefined`: no body. */
  readonly body: any;
}

const ask = (request: Request) => {
  const url = new URL(request.url);
  const [, , tag = '', , action] = url.pathname.split('/');
  return { url, tag, isChange: request.method !== 'GET', isSync: action === 'sync' };
};
type Asked = ReturnType<typeof ask>;

/** Changes each response of `/v1`. */
const answering =
  (change: (answer: Answer, asked: Asked) => Partial<Answer>): Rewrite =>
  async (request, pass) => {
    const response = await pass(request);
    const text = await response.text();
    const answer: Answer = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: text === '' ? undefined : JSON.parse(text),
    };
    const { status, headers, body } = { ...answer, ...change(answer, ask(request)) };
    const sent = typeof body === 'string' || body === undefined ? (body ?? null) : JSON.stringify(body);
    return new Response(sent, { status, headers });
  };

/** Changes the query of each request. */
const asking =
  (change: (query: URLSearchParams) => void): Rewrite =>
  (request, pass) => {
    const url = new URL(request.url);
    change(url.searchParams);
    return pass(new Request(url, request));
  };

/** Several differences at once; the first is the nearest to the portal. */
const allOf = (...rewrites: readonly Rewrite[]): Rewrite =>
  rewrites.reduce((inner, outer) => (request, pass) => outer(request, (changed) => inner(changed, pass)));

const isList = ({ status, body }: Answer) => status < 300 && Array.isArray(body?.items);
const isRow = ({ status, body }: Answer, { isSync }: Asked) =>
  status < 300 && body !== undefined && body.items === undefined && !isSync;

const lists = (change: (body: Row, answer: Answer, asked: Asked) => Partial<Answer>): Rewrite =>
  answering((answer, asked) => (isList(answer) ? change(answer.body, answer, asked) : {}));

/** Changes every row, in lists and alone. */
const rows = (tag: string, change: (row: Row) => Row): Rewrite =>
  answering((answer, asked) => {
    if (tag !== '*' && tag !== asked.tag) return {};
    if (isList(answer)) return { body: { ...answer.body, items: answer.body.items.map(change) } };
    return isRow(answer, asked) ? { body: change(answer.body) } : {};
  });

const without = (row: Row, ...names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

const envelope = (result: unknown) => ({
  result,
  targetUrl: null,
  success: true,
  error: null,
  unAuthorizedRequest: false,
  __abp: true,
});

const inEnvelope = answering((answer, asked) =>
  isRow(answer, asked) ? { body: envelope(answer.body) } : {},
);
const inData = answering((answer, asked) => (isRow(answer, asked) ? { body: { data: answer.body } } : {}));
export const withoutBodyAfterChanges = answering((answer, asked) =>
  isRow(answer, asked) && asked.isChange ? { body: undefined } : {},
);
/** Another status instead of 201, 204 (with an empty object), or that of a synchronization. */
const statusOf = (before: number, status: number): Rewrite =>
  answering((answer) =>
    answer.status === before
      ? { status, ...(before === 204 && { body: {} }), ...(status === 204 && { body: undefined }) }
      : {},
  );
const emptySync = answering((_, { isSync }) => (isSync ? { body: undefined } : {}));

const bareLists = lists(({ items }) => ({ body: items }));
const listsIn = (name: string): Rewrite =>
  lists(({ items, ...rest }) => ({ body: { [name]: items, ...rest } }));
const listsInEnvelope = lists(({ items, totalCount }) => ({ body: envelope({ items, totalCount }) }));

const totalAs = (name: string): Rewrite =>
  lists((body) => ({ body: { ...without(body, 'totalCount'), [name]: body['totalCount'] } }));
const withoutTotal = lists((body) => ({ body: without(body, 'totalCount') }));
const totalInHeader = lists((body, { headers }) => ({
  headers: { ...headers, 'x-total-count': String(body['totalCount']) },
  body: without(body, 'totalCount'),
}));
const linksToPages = lists((body, { headers }, { url }) => {
  const last = Math.max(1, Math.ceil(body['totalCount'] / body['pageSize']));
  const link = (page: number, relation: string) => {
    const query = new URLSearchParams(url.search);
    query.set('page', String(page));
    return `<${url.pathname}?${query.toString()}>; rel="${relation}"`;
  };
  const next = body['page'] < last ? [link(body['page'] + 1, 'next')] : [];
  return {
    headers: { ...headers, link: [...next, link(1, 'first'), link(last, 'last')].join(', ') },
    body: without(body, 'totalCount'),
  };
});

const pagesFromZero = allOf(
  asking((query) => {
    if (query.has('page')) query.set('page', String(Number(query.get('page')) + 1));
  }),
  lists((body) => ({ body: { ...body, page: body['page'] - 1 } })),
);
const smallerPages = asking((query) => {
  if (Number(query.get('pageSize')) > 2) query.set('pageSize', '2');
});
export const withoutPaging = asking((query) => {
  query.delete('page');
  query.set('pageSize', '200');
});
/** Cuts lists to so many rows if no page is requested, whatever their total. */
const cappedAt = (count: number): Rewrite =>
  lists((body, _, { url }) =>
    url.searchParams.has('page') || url.searchParams.has('pageSize')
      ? {}
      : { body: { ...body, items: body['items'].slice(0, count) } },
  );

const userIdNamed = rows('users', ({ id, ...user }) => ({ userId: id, ...user }));
const userIdAsText = rows('users', (user) => ({ ...user, id: String(user['id']) }));
const unknownFields = rows('*', (row) => ({ ...row, etag: 'W/"1"', links: { self: '/v1' } }));
export const unknownUserTypes = rows('users', (user) => ({ ...user, type: 'FederatedID' }));
const rolesWithoutCode = rows('roles', (role) => (role['code'] === null ? without(role, 'code') : role));
const unitNumber = (id: unknown) => (id === 'root' || id === null ? id : Number(id));
const unitIdAsNumber = rows('organization-units', (unit) => ({
  ...unit,
  id: Number(unit['id']),
  parentId: unitNumber(unit['parentId']),
}));
const noParentAtTheTop = rows('organization-units', (unit) => ({
  ...unit,
  parentId: unit['parentId'] === 'root' ? null : unit['parentId'],
}));
export const itemNumbersOnly = rows('items', (item) => without(item, 'guid'));
export const itemGuidsOnly = rows('items', ({ guid, ...item }) => ({ ...item, id: guid }));
/** Other names of the fields of an audit record. */
const auditNames = (names: Readonly<Record<string, string>>): Rewrite =>
  rows('audit-logs', (record) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [names[name] ?? name, value])),
  );
const auditDetailsAsText = rows('audit-logs', (record) => ({
  ...record,
  details: JSON.stringify(record['details']),
}));

/** Changes each refusal. */
const errors = (
  change: (
    error: { code: string; message: string; validationErrors?: object },
    answer: Answer,
  ) => Partial<Answer>,
): Rewrite => answering((answer) => (answer.status >= 400 ? change(answer.body.error, answer) : {}));

const flatErrors = errors(({ code, message }) => ({ body: { code, message } }));
const errorsInEnvelope = errors(({ message, validationErrors = null }, { status }) => ({
  body: {
    ...envelope(null),
    success: false,
    error: { code: status, message, details: null, validationErrors },
  },
}));
const problems = errors(({ message }, { status, headers }) => ({
  headers: { ...headers, 'content-type': 'application/problem+json' },
  body: { type: 'about:blank', title: message, status, detail: message },
}));
const errorsWithStatusCode = errors(({ code, message }, { status }) => ({
  body: { statusCode: status, message, error: code },
}));
const errorPages = errors((_, { status, headers }) => ({
  headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><title>${status}</title><h1>${status}</h1>`,
}));
const errorTexts = errors(({ message }, { headers }) => ({
  headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
  body: message,
}));
const emptyErrors = errors((_, { headers: { 'content-type': _type, ...headers } }) => ({
  headers,
  body: undefined,
}));
/** Another status of the refusals with this code. */
const refusing = (code: string, status: number): Rewrite =>
  errors((error) => (error.code === code ? { status } : {}));

const auditEvents = { actionType: 'eventType', timestamp: 'eventTime' };
const auditActivities = { actionType: 'type', timestamp: 'createdAt', details: 'properties' };

/** Services whose choices, where the interface is silent, are read without help: one choice each, and many at once. */
export const otherServices: Readonly<Record<string, Rewrite>> = {
  'the portal itself': (request, pass) => pass(request),
  'an envelope around a resource': inEnvelope,
  '200 for a created resource': statusOf(201, 200),
  '200 for a removal': statusOf(204, 200),
  'bare lists': bareLists,
  'lists in an envelope': listsInEnvelope,
  'the number of rows in total': totalAs('total'),
  'the number of rows only in X-Total-Count': totalInHeader,
  'links to the other pages': linksToPages,
  'no number of rows': withoutTotal,
  'pages from zero': pagesFromZero,
  'pages from zero, and no number of rows': allOf(withoutTotal, pagesFromZero),
  'smaller pages than requested': smallerPages,
  'no paging': withoutPaging,
  'capped lists': cappedAt(3),
  'capped lists, and no number of rows': allOf(cappedAt(3), withoutTotal),
  'capped lists, no number of rows, and pages from zero': allOf(cappedAt(3), withoutTotal, pagesFromZero),
  'bare capped lists, and X-Total-Count': allOf(cappedAt(2), totalInHeader, bareLists),
  'the ID of a user as text': userIdAsText,
  'unknown fields': unknownFields,
  'flat errors': flatErrors,
  'errors in an envelope': errorsInEnvelope,
  'errors as problem documents': problems,
  'errors with a statusCode': errorsWithStatusCode,
  'errors as HTML pages': errorPages,
  'errors as text': errorTexts,
  'errors without a body': emptyErrors,
  '422 for what is invalid or taken': allOf(refusing('validation_failed', 422), refusing('conflict', 422)),
  '400 for what is taken': refusing('conflict', 400),
  'roles without a code': rolesWithoutCode,
  'the ID of a unit as a number': unitIdAsNumber,
  'no parent at the top': noParentAtTheTop,
  'the ID of a unit as a number, and no parent at the top': allOf(unitIdAsNumber, noParentAtTheTop),
  'no body after a synchronization': emptySync,
  '204 after a synchronization': allOf(emptySync, statusOf(202, 204)),
  'much in envelopes': allOf(
    userIdAsText,
    unitIdAsNumber,
    noParentAtTheTop,
    unknownFields,
    cappedAt(4),
    totalAs('total'),
    inEnvelope,
    listsInEnvelope,
    errorsInEnvelope,
    statusOf(201, 200),
    statusOf(204, 200),
  ),
  'as little as possible': allOf(
    pagesFromZero,
    smallerPages,
    withoutTotal,
    bareLists,
    refusing('conflict', 400),
    emptySync,
    statusOf(202, 204),
    statusOf(201, 202),
    errorPages,
  ),
};

/** Changes the rows of a response, in a list or alone. */
const eachRow =
  (path: string, change: (row: Row) => Row): Adapt =>
  ({ body, status, ...response }) => {
    const isOurs =
      response.path.startsWith(path) && status < 300 && typeof body === 'object' && body !== null;
    if (!isOurs) return body;
    const { items, ...rest } = body as { items?: Row[] };
    return items === undefined ? change(rest) : { ...rest, items: items.map(change) };
  };
const listIn =
  (name: string): Adapt =>
  ({ body }) => {
    const { [name]: items, ...rest } = (body ?? {}) as Row;
    return Array.isArray(items) ? { ...rest, items } : body;
  };
const renamed = (row: Row, names: Readonly<Record<string, string>>): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [names[name] ?? name, value]));

/** Services with other shapes, each with the function that returns a usual one. */
export const adaptedServices: Readonly<Record<string, readonly [Rewrite, Adapt]>> = {
  'a resource in data': [inData, ({ body }) => (body as Row | undefined)?.['data'] ?? body],
  'lists in data': [listsIn('data'), listIn('data')],
  'lists in value': [listsIn('value'), listIn('value')],
  'lists in results': [listsIn('results'), listIn('results')],
  'the number of rows in count': [
    totalAs('count'),
    ({ body }) => (body === undefined ? body : { ...body, totalCount: (body as Row)['count'] }),
  ],
  'the ID of a user in userId': [
    userIdNamed,
    eachRow('/v1/users', (user) => renamed(user, { userId: 'id' })),
  ],
  'audit records with eventType and eventTime': [
    auditNames(auditEvents),
    eachRow('/v1/audit-logs', (record) =>
      renamed(record, { eventType: 'actionType', eventTime: 'timestamp' }),
    ),
  ],
  'audit records with type, createdAt and properties as text': [
    allOf(auditDetailsAsText, auditNames(auditActivities)),
    eachRow('/v1/audit-logs', (record) => renamed(record, { type: 'actionType', createdAt: 'timestamp' })),
  ],
};
