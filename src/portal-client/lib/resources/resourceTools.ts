import type { CallOptions, HttpCall, HttpResponse, Send } from '../http/http.ts';
import { type PageQuery, type PortalList, portalList } from '../paging/paging.ts';
import { readList, unreadable, unwrap } from '../responses/success.ts';
import { type PortalCall, portalCall, toResponse } from './portalCall.ts';

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
  portalList({
    path: list.path,
    isPaged: list.isPaged,
    isAppendOnly: list.isAppendOnly ?? false,
    pageSize: list.pageSize ?? tools.pageSize,
    firstPage: tools.firstPage,
    idOf: list.reader.idOf,
    readRow: (raw, response) => list.reader.read(raw) ?? fail(list.reader, response, raw),
    fetchPage: async (query) => {
      const response = await tools.send({
        method: 'GET',
        path: list.path,
        query: { ...list.query, ...query },
        ...options,
      });
      const page = readList(response.body);
      if (page !== undefined) return { response, page };
      const { body, stats, status } = response;
      throw unreadable(`returned ${status}, but its body is not a list.`, { code: 'no_list', body, stats });
    },
  });

/** A call that returns one row. */
export const rowCall = <TRow>(
  tools: ResourceTools,
  call: HttpCall,
  reader: RowReader<TRow>,
): PortalCall<TRow> =>
  portalCall(
    tools.send(call).then((response) => {
      const row = reader.read(unwrap(response.body));
      return toResponse(response, row ?? fail(reader, response, response.body));
    }),
  );

/** A call whose response is ignored, such as DELETE. */
export const emptyCall = (tools: ResourceTools, call: HttpCall): PortalCall<void> =>
  portalCall(tools.send(call).then((response) => toResponse(response, undefined)));

const fail = <TRow>({ noun }: RowReader<TRow>, { stats }: HttpResponse, body: unknown): never => {
  const wrote =
    stats.method === 'GET'
      ? ''
      : ' The change may have been made: read the resource before you send it again.';
  throw unreadable(`did not return a valid ${noun}.${wrote}`, {
    code: `no_${noun.replaceAll(' ', '_')}`,
    body,
    stats,
  });
};

/** `list` and `create` of a resource with an unpaged list. */
export const listAndCreate = <TRow, TInput extends object>(
  tools: ResourceTools,
  { path, reader }: { readonly path: string; readonly reader: RowReader<TRow> },
) => ({
  list: (options: CallOptions = {}): PortalList<TRow> =>
    listOf(tools, { path, reader, isPaged: false }, options),
  create: (input: TInput, options?: CallOptions): PortalCall<TRow> =>
    rowCall(tools, { method: 'POST', path, body: input, ...options }, reader),
});
