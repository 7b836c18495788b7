import { isPortalError } from '@vitrine/portal-client';
import { plainText } from './plainText.ts';
import { wrapWords } from './wrapWords.ts';

/** Where an error is shown. */
export interface ErrorPlace {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Wraps a line; continuation lines of an indented line are indented further. */
const wrapLine = (line: string, columns: number): string => {
  const margin = line.startsWith('  ') ? '  ' : '';
  return wrapWords(line.trimStart(), columns - 2 * margin.length)
    .map((part, place) => `${margin}${place > 0 ? margin : ''}${part}`)
    .join('\n');
};

/**
 * Formats an error for display: the message, the rejected fields, the request ID. Lines wrap between words, on a
 * terminal only.
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

/** Names on the command line of the client's options. */
const optionNames: Readonly<Record<string, string>> = {
  allowAdministratorRoleLoss: '--allow-administrator-role-loss',
  allowEmpty: '--allow-empty',
  allowRemovals: '--allow-removals',
  apiKey: 'VITRINE_API_KEY (--api-key-file)',
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

/** Replaces the client's option names in a message by those of the command line. */
export const withOptionNames = (message: string): string =>
  message
    // Only in "the columns option": "columns" alone means the columns of a file.
    .replaceAll(
      /\b[Tt]he (?:option (\w+)(?= cannot)|(\w+) option\b)/g,
      (text, first?: string, last?: string) => optionNames[first ?? last ?? ''] ?? text,
    )
    .replaceAll(/\b[a-z]+[A-Z]\w*\b/g, (name) => optionNames[name] ?? name);
