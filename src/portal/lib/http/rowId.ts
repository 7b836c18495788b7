import { notFound } from './portalFailure.ts';

/** Largest number of a row: that of a 4-byte integer column. */
export const maxRowId = 2_147_483_647;

/** The number of a row as an address or a caller gives it, or 404: anything else names none. */
export const rowId = (given: unknown, what: string, field: string): number => {
  const id = /^[1-9]\d{0,9}$/.test(String(given)) ? Number(given) : 0;
  if (id === 0 || id > maxRowId) throw notFound(what, field);
  return id;
};
