import { isRecord } from '../dialect/jsonValues.ts';
import { unwrap } from '../dialect/unwrap.ts';
import { PortalError } from '../errors/portalError.ts';
import type { CallOptions, HttpCall, HttpResponse, Send } from '../http/http.ts';
import { readList } from '../http/readList.ts';
import { type PortalList, portalList } from '../paging/portalList.ts';
import type { PageQuery } from '../paging/readPages.ts';
import { type PortalCall, type PortalResponse, portalCall, toResponse } from './portalCall.ts';

/** Dependencies of every resource. */
export interface ResourceTools {
  readonly send: Send;
  readonly pageSize: number;
  readonly firstPage: 0 | 1;
}

/** Reads rows that the service returns. */
export interface RowReader<TRow> {
  /** Name of a row in messages: `user`, `role`. */
  readonly noun: string;
  /** The row, or undefined if the value is not one. */
  readonly read: (value: unknown) => TRow | undefined;
  readonly idOf: (row: TRow) => string | undefined;
}

/** One list endpoint. */
export interface ListCall<TRow> {
  readonly path: string;
  readonly reader: RowReader<TRow>;
  readonly isPaged: boolean;
  readonly isAppendOnly?: boolean;
  readonly query?: PageQuery | undefined;
  readonly pageSize?: number | undefined;
}

/** Creates the list of an endpoint. */
export const listOf = <TRow>(
  tools: ResourceTools,
  list: ListCall<TRow>,
  options: CallOptions,
): PortalList<TRow> =>
  portalList(() => ({
    path: list.path,
    isPaged: list.isPaged,
    isAppendOnly: list.isAppendOnly ?? false,
    pageSize: list.pageSize ?? tools.pageSize,
    firstPage: tools.firstPage,
    idOf: list.reader.idOf,
    readRow: (raw) => list.reader.read(raw) ?? fail(list.reader, { method: 'GET', path: list.path }),
    fetchPage: async (query) => {
      const response = await tools.send({
        method: 'GET',
        path: list.path,
        query: { ...list.query, ...query },
        ...options,
      });
      return { response, page: readList(response, list.path) };
    },
  }));

/** A call that returns one row. */
export const rowCall = <TRow>(
  tools: ResourceTools,
  call: HttpCall,
  reader: RowReader<TRow>,
): PortalCall<TRow> => portalCall(tools.send(call).then((response) => readRow(response, call, reader)));

/** How to find the row of a write with an empty response. */
export interface RereadRow<TRow> {
  readonly reader: RowReader<TRow>;
  /** Whether a single row can be read by its path, so that `Location` can be followed. */
  readonly hasPathOfOne: boolean;
  readonly reread: () => Promise<TRow | undefined>;
}

/**
 * A write whose response may be empty. The row is then read from `Location`, or by `reread`, and never derived from the
 * sent fields.
 */
export const writeCall = <TRow>(
  tools: ResourceTools,
  call: HttpCall,
  how: RereadRow<TRow>,
): PortalCall<TRow> =>
  portalCall(
    tools.send(call).then(async (response) => {
      const row = how.reader.read(unwrap(response.body));
      if (row !== undefined) return toResponse(response, row);
      if (response.body !== undefined && !isEmptyResult(response.body))
        return fail(how.reader, call, response);
      const located = how.hasPathOfOne ? locationPath(response.headers['location'], call.path) : undefined;
      const { signal, timeoutMs } = call;
      const found =
        located === undefined
          ? await how.reread()
          : how.reader.read(
              unwrap((await tools.send({ method: 'GET', path: located, signal, timeoutMs })).body),
            );
      return toResponse(response, found ?? fail(how.reader, call, response));
    }),
  );

/** One endpoint that creates. */
export interface CreateCall<TRow> {
  readonly path: string;
  readonly body: object;
  readonly reader: RowReader<TRow>;
  /** As in {@link RereadRow}. */
  readonly hasPathOfOne: boolean;
  /** Where to look for a row that is not in the response. */
  readonly list: () => AsyncIterable<TRow>;
  /** Whether it is the created row. */
  readonly isCreated: (row: TRow) => boolean;
}

/** A POST that creates a row, sent once. */
export const createCall = <TRow>(
  tools: ResourceTools,
  { path, body, reader, hasPathOfOne, list, isCreated }: CreateCall<TRow>,
  options: CallOptions = {},
): PortalCall<TRow> =>
  writeCall(
    tools,
    { method: 'POST', path, body, ...options },
    {
      reader,
      hasPathOfOne,
      reread: async () => {
        for await (const row of list()) if (isCreated(row)) return row;
        return undefined;
      },
    },
  );

/** A call whose response is ignored, such as DELETE. */
export const emptyCall = (tools: ResourceTools, call: HttpCall): PortalCall<void> =>
  portalCall(tools.send(call).then((response) => toResponse(response, undefined)));

const readRow = <TRow>(
  response: HttpResponse,
  call: HttpCall,
  reader: RowReader<TRow>,
): PortalResponse<TRow> =>
  toResponse(response, reader.read(unwrap(response.body)) ?? fail(reader, call, response));

const isEmptyResult = (body: unknown): boolean => {
  const inner = unwrap(body);
  return inner === null || (isRecord(inner) && Object.keys(inner).length === 0);
};

/** Path of a `Location` below its collection; anything else is not followed. */
const locationPath = (location: string | undefined, collection: string): string | undefined => {
  if (location === undefined || !URL.canParse(location, 'https://relative.invalid')) return undefined;
  const { pathname } = new URL(location, 'https://relative.invalid');
  const id = /\/([^/]+)\/?$/.exec(pathname)?.[1];
  const isBelow = id !== undefined && pathname.includes(`${collection}/`);
  return isBelow ? `${collection}/${id}` : undefined;
};

const fail = <TRow>(
  reader: RowReader<TRow>,
  call: { readonly method: string; readonly path: string },
  response?: HttpResponse,
): never => {
  const wrote =
    call.method === 'GET'
      ? ''
      : ' The change may have been made: read the resource before you send it again.';
  throw new PortalError(
    `${call.method} ${call.path} did not return a valid ${reader.noun}: the response has no ID.${wrote}`,
    {
      kind: 'invalid_response',
      code: `no_${reader.noun.replaceAll(' ', '_')}`,
      status: response?.status,
      requestId: response?.stats.requestId,
      attempts: response?.stats.attempts,
      request: { method: call.method, path: call.path },
    },
  );
};

/** `list` and `create` of a resource with an unpaged list and without single reads. */
export const listAndCreate = <TRow, TInput extends object>(
  tools: ResourceTools,
  resource: {
    readonly path: string;
    readonly reader: RowReader<TRow>;
    /** Whether a row was created from the input; used if the response is empty. */
    readonly isCreated: (row: TRow, input: TInput) => boolean;
  },
) => {
  const { path, reader, isCreated } = resource;
  const list = (options: CallOptions = {}): PortalList<TRow> =>
    listOf(tools, { path, reader, isPaged: false }, options);
  const create = (input: TInput, options?: CallOptions): PortalCall<TRow> =>
    createCall(
      tools,
      {
        path,
        body: input,
        reader,
        hasPathOfOne: false,
        list: () => list(options),
        isCreated: (row) => isCreated(row, input),
      },
      options,
    );
  return { list, create };
};
