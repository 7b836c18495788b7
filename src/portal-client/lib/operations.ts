import {
  administrationKeyHeader,
  type OperationName,
  resources,
  serviceRoutes,
} from '@vitrine/contract/service';
import { type CallOptions, mayRepeat, runCall } from './call.ts';
import { type ClientSetup, parseHeaders } from './clientOptions.ts';
import { type CallWords, configError, optionError, PortalError } from './errors.ts';
import { type HttpFacts, type HttpResponse, sendOnce } from './http.ts';
import { callAdvice } from './keyAdvice.ts';
import { type PageQuery, type PortalList, portalList } from './paging.ts';
import { readList, unreadable, unwrap } from './responses.ts';
import { type ListOperation, type RowOf, readRow } from './rows.ts';
import { createRedactor, maskKnown, rememberSecret } from './secrets.ts';

/** The promise of every call: await it for the data, or `withResponse()` for the HTTP facts too. */
export type PortalCall<TData> = Promise<TData> & {
  /** The result of the same call, with headers and stats: status, request ID, attempts. */
  readonly withResponse: () => Promise<PortalResponse<TData>>;
};

/** A result with the HTTP facts of its response. */
export type PortalResponse<TData> = HttpFacts & {
  readonly data: TData;
};

/** Options of a list. */
export type ListOptions = CallOptions & {
  /** Rows per page. Default: the client's `pageSize`. */
  readonly pageSize?: number | undefined;
};

/** What a call adds to its operation. */
interface RowCall extends CallOptions {
  readonly ids?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** Default: the client's. */
  readonly maxRetries?: number;
}

/** The operations of the administration API, by their names in the table of routes. */
export type Operations = ReturnType<typeof createOperations>;

/** Creates the {@link Operations} of a client. */
export const createOperations = (setup: ClientSetup) => {
  const send = createSend(setup);
  const call = <TOperation extends OperationName>(operation: TOperation, given: RowCall) =>
    portalCall(send(operation, given), (response) => requireRow(operation, response, unwrap(response.body)));
  return {
    baseUrl: setup.baseUrl,
    list:
      <TOperation extends ListOperation>(operation: TOperation, query?: PageQuery) =>
      (options: ListOptions = {}): PortalList<RowOf<TOperation>> => {
        const { path, list } = serviceRoutes[operation];
        return portalList({
          path,
          isPaged: list === 'paged',
          isAppendOnly: operation === 'listAuditLogs',
          pageSize: options.pageSize ?? setup.pageSize,
          firstPage: setup.firstPage,
          fetchPage: async (page) => {
            const response = await send(operation, options, { ...query, ...page });
            const { headers, stats, body } = response;
            const read = readList(body);
            if (read === undefined)
              throw unreadable(
                `returned ${stats.status}, but its body is not a list.`,
                'no_list',
                body,
                response,
              );
            const rows = read.rows.map((raw) => requireRow(operation, response, raw));
            return { rows, total: read.total, headers, stats };
          },
        });
      },
    call,
    /** A call without a result. */
    remove: (operation: OperationName, given: RowCall): PortalCall<void> =>
      portalCall(send(operation, given), () => undefined),
    /** A call with the patience for a service under load. The returned row; undefined if there is none, which is not a failure. */
    insist: async <TOperation extends OperationName>(operation: TOperation, given: RowCall) => {
      const response = await send(operation, { ...given, maxRetries: 7, timeoutMs: 600_000 });
      return rowOf(operation, unwrap(response.body));
    },
  };
};

/**
 * Sends every request of the administration API. `readOnly` rejects writes here, below every resource, so that no caller
 * can bypass it.
 */
const createSend = (setup: ClientSetup) => {
  const { apiKey: keys = [], passPhrase: phrases = [] } = setup.embedding ?? {};
  const redact = createRedactor([...keys, ...phrases]);
  // Gateways have keys in headers of their own.
  for (const [name, value] of Object.entries(setup.headers))
    if (!/^(?:accept|content|user-agent)/i.test(name)) rememberSecret(value);
  return async (
    operation: OperationName,
    {
      ids = {},
      body,
      headers = {},
      signal,
      timeoutMs = setup.timeoutMs,
      maxRetries = setup.maxRetries,
    }: RowCall,
    query: PageQuery = {},
  ): Promise<HttpResponse> => {
    const { method } = serviceRoutes[operation];
    const address = fillPath(serviceRoutes[operation].path, ids);
    const path = maskKnown(address);
    if (!(timeoutMs > 0)) throw optionError('timeoutMs', 'it is not a number above 0');
    if (setup.readOnly && method !== 'GET')
      throw new PortalError(
        `${method} ${path} was not sent: this client is read-only. Remove {readOnly} to write.`,
        { kind: 'read_only', code: 'read_only' },
      );
    const words: CallWords = {
      label: `${method} ${path}`,
      purpose: 'the request',
      adviceOf: callAdvice,
      redact,
    };
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) params.set(name, String(value));
    const ownHeaders = { ...setup.headers, ...parseHeaders(headers) };
    return runCall({
      method,
      path,
      words,
      signal,
      timeoutMs,
      maxRetries,
      mayRepeat: (error) => mayRepeat(error, { isWrite: method !== 'GET' }),
      attempt: async (running) => {
        const apiKey = await setup.apiKey(running.signal);
        rememberSecret(apiKey);
        return sendOnce(
          setup,
          {
            address: params.size === 0 ? address : `${address}?${params.toString()}`,
            headers: { ...ownHeaders, [administrationKeyHeader]: `Bearer ${apiKey}` },
            body: body === undefined ? null : JSON.stringify(body),
          },
          running,
        );
      },
    });
  };
};

/**
 * Fills the names of a path: every value becomes one percent-encoded segment. Rejects an empty value, `.` and `..`, which
 * would change the path.
 */
const fillPath = (path: string, values: Readonly<Record<string, string | number>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = String(values[name] ?? '');
    if (text === '' || text === '.' || text === '..')
      throw configError(
        'bad_identifier',
        `The ID is ${text === '' ? 'empty' : `"${text}", which no resource has`}. Pass the ID that the portal returned.`,
      );
    return encodeURIComponent(text.toWellFormed());
  });

const rowOf = <TOperation extends OperationName>(
  operation: TOperation,
  value: unknown,
): RowOf<TOperation> | undefined =>
  readRow<(typeof serviceRoutes)[TOperation]['resource']>(serviceRoutes[operation].resource, value);

const requireRow = <TOperation extends OperationName>(
  operation: TOperation,
  response: HttpResponse,
  value: unknown,
): RowOf<TOperation> => {
  const row = rowOf(operation, value);
  if (row !== undefined) return row;
  const { resource, method } = serviceRoutes[operation];
  const { noun } = resources[resource];
  const wrote =
    method === 'GET' ? '' : ' The change may have been made: read the resource before you send it again.';
  throw unreadable(
    `did not return a valid ${noun}.${wrote}`,
    `no_${noun.replaceAll(' ', '_')}`,
    value,
    response,
  );
};

const portalCall = <TData>(
  work: Promise<HttpResponse>,
  read: (response: HttpResponse) => TData,
): PortalCall<TData> => {
  const answered = work.then((response) => ({
    data: read(response),
    headers: response.headers,
    stats: response.stats,
  }));
  const data = answered.then((response) => response.data);
  return Object.assign(data, {
    withResponse: () => {
      // A caller of withResponse() handles the rejection there; the bare promise then needs no handler.
      data.catch(() => undefined);
      return answered;
    },
  });
};
