/**
 * Places where a reader of cells separated by commas, semicolons or tabs sees the start of a cell that it would run as a
 * formula. Such a reader honors a quotation mark only at the start of its own cell, so quotes do not help.
 */
const formulaStarts = /(^|[,;\t\r\n])([\s"']*)(?=[=+\-@＝＋－＠])/g;

const isNumber = /^-?\d+(?:\.\d+)?$/;

/**
 * A text for a cell of a CSV: a single quote stands before everything that a spreadsheet would run as a formula, whatever
 * separates its cells. A number stays as it is.
 */
export const withoutFormulas = (text: string): string =>
  isNumber.test(text) ? text : text.replaceAll(formulaStarts, "$1$2'");
