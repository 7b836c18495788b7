import { notFound } from './portalFailure.ts';

/** Maximum number of a row: that of a 4-byte integer column. */
export const maxRowId = 2_147_483_647;

/** Parses the number of a row; 404 for anything else. */
export const rowId = (given: unknown, what: string, field: string): number => {
  const id = /^[1-9]\d{0,9}$/.test(String(given)) ? Number(given) : 0;
  if (id === 0 || id > maxRowId) throw notFound(what, field);
  return id;
};
