import { isPortalError } from '@vitrine/portal-client';
import { plainText } from './plainText.ts';
import { wrapWords } from './wrapWords.ts';

/** Where an error is shown. */
export interface ErrorPlace {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** A wrapped line is indented further when its start is indented. */
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
  return [withOptionNames(error.message), ...fields, ...requestId].map((line) => plainText(line));
};

/** The client names its options as code does; people at a terminal know them by these names. */
const optionNames: Readonly<Record<string, string>> = {
  allowAdministratorRoleLoss: '--allow-administrator-role-loss',
  allowEmpty: '--allow-empty',
  allowRemovals: '--allow-removals',
  baseUrl: '--base-url',
  columns: '--map',
  concurrency: '--concurrency',
  emptyClears: '--empty-clears',
  ignoreColumns: '--ignore-columns',
  maxRemovalPercent: '--max-removal-percent',
  maxRemovals: '--max-removals',
  planSync: '`vitrine sync plan --out`',
  readOnly: '--read-only',
  requestsPerSecond: '--rate',
  timeoutMs: '--timeout',
};

/** A message of the client with the names that the options have here. */
export const withOptionNames = (message: string): string =>
  message
    // "the columns option" of the client is one word among others; alone, "columns" are those of a file.
    .replaceAll(/\bthe (\w+) option\b/g, (text, name: string) => optionNames[name] ?? text)
    .replaceAll(/\b[a-z]+[A-Z]\w*\b/g, (name) => optionNames[name] ?? name);
