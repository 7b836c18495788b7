import { blankComments, importPlace } from './sourcePlaces.ts';

/** A change to one file of the app. */
export interface Edit {
  readonly file: string;
  /** Returns the new text of the file; undefined if there is no place for the change: see `byHand`. */
  readonly apply: (before: string | undefined) => string | undefined;
  /** Instructions for a file that cannot be changed automatically. */
  readonly byHand: (before: string) => string;
}

/** Whether a file already uses Vitrine: an earlier run created it, and it may have been edited since. */
const usesVitrine = (text: string): boolean => /@vitrine\/|\/src\/vitrine\./.test(text);

/** Creates a file. Never overwrites an existing one. */
export const create = (file: string, text: string): Edit => ({
  file,
  apply: (before) => (before === undefined ? text : usesVitrine(before) ? before : undefined),
  byHand: () => `${file} already exists. Rename it, or add this to your own file:\n\n${text}`,
});

/** The line ending of a text. */
export const lineEndOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** What `insert` adds, and its position. */
interface Insertion {
  /** Matches a text that already has it. */
  readonly done: RegExp;
  /** Matches a text that has something else with the same name, such as a route. */
  readonly taken?: RegExp;
  /** Global pattern of the position after which `code` goes, including its indentation. */
  readonly pattern: RegExp;
  /** Whether a position is right, by the text before it. */
  readonly isRight?: (before: string) => boolean;
  readonly importLine: string;
  readonly code: string;
}

/** Adds an import to a script, and code at the only match of a pattern outside comments. */
export const insert = (
  file: string,
  { done, taken, pattern, isRight = () => true, importLine, code }: Insertion,
): Edit => ({
  file,
  apply: (before) => {
    if (before === undefined) return before;
    const script = blankComments(before);
    if (done.test(script)) return before;
    const [place, ...others] = [...script.matchAll(pattern)].filter(({ index }) =>
      isRight(script.slice(0, index)),
    );
    if (taken?.test(script) || place === undefined || others.length > 0) return undefined;
    const lineEnd = lineEndOf(before);
    const [indentation = ''] = /^[ \t]*/.exec(place[0]) ?? [];
    const start = importPlace(before);
    const end = place.index + place[0].length;
    return `${before.slice(0, start)}${importLine}${lineEnd}${before.slice(start, end)}${code.replaceAll('\n', lineEnd + indentation)}${before.slice(end)}`;
  },
  byHand: (before) => {
    const [own] = taken?.exec(blankComments(before)) ?? [];
    const reason =
      own === undefined
        ? `Could not find where to add this to ${file}. Add it yourself,`
        : `${file} already has ${own}. Add this yourself under another name,`;
    return `${reason} and run vitrine init again for the rest:\n\n${importLine}\n${code.trim()}`;
  },
});

/** Adds lines to a file that are not covered by existing ones. */
export const addLines = (file: string, lines: readonly (readonly [line: string, same: RegExp])[]): Edit => ({
  file,
  apply: (before = '') => {
    const missing = lines.flatMap(([line, same]) => (same.test(before) ? [] : [line]));
    if (missing.length === 0) return before;
    const lineEnd = lineEndOf(before);
    const gap = before === '' || before.endsWith('\n') ? '' : lineEnd;
    return `${before}${gap}${missing.join(lineEnd)}${lineEnd}`;
  },
  byHand: () => '',
});
