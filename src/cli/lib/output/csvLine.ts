import { stringify } from 'csv-stringify/sync';

/**
 * Places where a reader of cells separated by commas, semicolons or tabs sees the start of a cell that it would run as a
 * formula. Such a reader honors a quotation mark only at the start of its own cell, so quotes do not help.
 */
const formulaStarts = /(^|[,;\t\r\n])([\s"']*)(?=[=+\-@＝＋－＠])/g;

const isNumber = /^-?\d+(?:\.\d+)?$/;

/**
 * One line of CSV (RFC 4180). A single quote stands before everything in a text that a spreadsheet would run as a
 * formula, whatever separates its cells; numbers stay numbers.
 */
export const csvLine = (cells: readonly (string | number)[]): string =>
  stringify([cells.map((cell) => (typeof cell === 'string' ? withoutFormulas(cell) : cell))], {
    record_delimiter: 'windows',
  });

const withoutFormulas = (text: string): string =>
  isNumber.test(text) ? text : text.replaceAll(formulaStarts, "$1$2'");
