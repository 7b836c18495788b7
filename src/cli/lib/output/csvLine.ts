import { stringify } from 'csv-stringify/sync';

/**
 * One line of CSV (RFC 4180). Text that a spreadsheet would run as a formula starts with a single quote; numbers stay
 * numbers.
 */
export const csvLine = (cells: readonly (string | number)[]): string =>
  stringify([[...cells]], { record_delimiter: 'windows', escape_formulas: true });
