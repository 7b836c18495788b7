import { PortalError } from '../errors/portalError.ts';

/** Rows read from a list, and the service's total. */
export interface PagingFigures {
  readonly path: string;
  readonly collected: number;
  readonly total: number;
}

/** The number of rows differs from the service's total. */
export const countMismatch = ({ path, collected, total }: PagingFigures): PortalError =>
  new PortalError(
    `GET ${path} returned ${collected} different rows on all pages, but reports a total of ${total}. The service may ignore or cap page and pageSize: try a smaller pageSize, or firstPage: 0.`,
    { kind: 'paging', code: 'count_mismatch', request: { method: 'GET', path } },
  );

/** Rows moved between the pages in every pass. */
export const rowsMoved = (path: string, passes: number): PortalError =>
  new PortalError(
    `GET ${path} changed while its pages were read, ${passes} times in a row, so rows may be missing. Try again at a quieter time.`,
    { kind: 'paging', code: 'rows_moved', request: { method: 'GET', path } },
  );

/** The list never ends. */
export const endlessPages = (path: string, pages: number): PortalError =>
  new PortalError(`GET ${path} still returned new rows after ${pages} pages; reading was stopped.`, {
    kind: 'paging',
    code: 'endless',
    request: { method: 'GET', path },
  });
