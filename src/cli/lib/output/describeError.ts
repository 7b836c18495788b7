import { isPortalError } from '@vitrine/portal-client';
import { plainText } from './plainText.ts';
import { wrapWords } from './wrapWords.ts';

/** Where an error is shown. */
export interface ErrorPlace {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** A line that goes on stands deeper, where it was indented to begin with. */
const wrapLine = (line: string, columns: number): string => {
  const margin = line.startsWith('  ') ? '  ' : '';
  return wrapWords(line.trimStart(), columns - 2 * margin.length)
    .map((part, place) => `${margin}${place > 0 ? margin : ''}${part}`)
    .join('\n');
};

/**
 * An error as a person reads it: what was wrong, the fields refused, the identifier support will ask for. Lines are
 * broken between words on a terminal, and nowhere else.
 */
export const describeError = (error: unknown, { isTTY = false, columns = 80 }: ErrorPlace = {}): string =>
  isTTY
    ? linesOf(error)
        .map((line) => wrapLine(line, columns))
        .join('\n')
    : linesOf(error).join('\n');

const linesOf = (error: unknown): readonly string[] => {
  if (!isPortalError(error))
    return plainText(error instanceof Error ? error.message : 'The command failed.', {
      keepLines: true,
    }).split('\n');
  const fields = error.validationErrors.map(
    ({ field, message }) => `  ${field === '' ? '·' : `${field}:`} ${message}`,
  );
  const requestId = error.requestId === undefined ? [] : [`  request ${error.requestId}`];
  return [error.message, ...fields, ...requestId].map((line) => plainText(line));
};
