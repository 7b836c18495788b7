import { asCount, firstMember, isRecord, type JsonRecord, member } from '../dialect/jsonValues.ts';
import { readNextLink } from '../dialect/readNextLink.ts';
import { unwrap } from '../dialect/unwrap.ts';
import { PortalError } from '../errors/portalError.ts';
import type { HttpResponse } from './http.ts';

/** One page of the service. */
export interface RawPage {
  readonly rows: readonly unknown[];
  /** Total number of rows, if the service states it unambiguously. */
  readonly total: number | undefined;
  /** Query of the next page from a `Link` header; null if the header has no next page; undefined without the header. */
  readonly next: Readonly<Record<string, string>> | null | undefined;
}

/**
 * Reads a list in every shape of `gaps.md`: a bare array, `items`/`data`/`value`/`results`, the envelope around any,
 * the total as `totalCount`/`total`/`count` or `X-Total-Count`, and `Link` (RFC 8288).
 */
export const readList = (response: HttpResponse, listPath: string): RawPage => {
  const { body, headers } = response;
  const inner = unwrap(body);
  const rows = rowsOf(inner);
  if (rows === undefined)
    throw new PortalError(
      `GET ${listPath} returned ${response.status}, but its body is not a list. Check that {baseUrl} is the address of the administration API.`,
      {
        kind: 'invalid_response',
        code: 'no_list',
        status: response.status,
        requestId: response.stats.requestId,
        attempts: response.stats.attempts,
        request: { method: 'GET', path: listPath },
      },
    );
  const records = [inner, body].filter(isRecord);
  return {
    rows,
    total: totalOf(records, rows.length) ?? asCount(headers['x-total-count']),
    next: readNextLink(headers['link']),
  };
};

const rowNames = ['items', 'data', 'value', 'results', 'Resources', 'records', 'rows'];

const rowsOf = (body: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(body)) return body;
  if (!isRecord(body)) return undefined;
  const named = firstMember(body, rowNames, (value) => (Array.isArray(value) ? value : undefined));
  if (named !== undefined) return named;
  // {users: [...], totalCount}: any other name is accepted if it is the only list.
  const lists = Object.values(body).filter((value) => Array.isArray(value));
  return lists.length === 1 ? lists[0] : undefined;
};

const totalOf = (records: readonly JsonRecord[], rowCount: number): number | undefined => {
  for (const record of records) {
    const total = firstMember(record, ['totalCount', 'total', 'totalResults', 'totalItems'], asCount);
    if (total !== undefined) return total;
    // `count` is the total in one dialect and the rows of this page in another: ignore it if it equals the page's.
    const count = asCount(member(record, 'count'));
    if (count !== undefined && count !== rowCount) return count;
  }
  return undefined;
};
