import { isPortalError } from '@vitrine/portal-client';
import { plainText } from './plainText.ts';
import { portalErrorText } from './portalErrorText.ts';
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
  const text = isPortalError(error)
    ? portalErrorText(error)
    : plainText(error instanceof Error ? error.message : 'The command failed.', { keepLines: true });
  return text.split('\n');
};
