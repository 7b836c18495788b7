import { blankComments, importPlace } from './sourceText.ts';

/** How one file of the app changes. */
export interface Edit {
  readonly file: string;
  /** The text of the file afterwards; undefined when it has no place for the change, which `byHand` then describes. */
  readonly apply: (before: string | undefined) => string | undefined;
  /** What to do where the file, with this text, cannot be changed automatically. */
  readonly byHand: (before: string) => string;
}

/** Whether a file uses Vitrine already: it was created here, and maybe edited since. */
const usesVitrine = (text: string): boolean => /@vitrine\/|\/src\/vitrine\./.test(text);

/** Creates a file. One that is there already is never overwritten. */
export const create = (file: string, text: string): Edit => ({
  file,
  apply: (before) => (before === undefined ? text : usesVitrine(before) ? before : undefined),
  byHand: () => `${file} already exists. Rename it, or add this to your own file:\n\n${text}`,
});

/** The line ends of a text. */
export const lineEndOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** What `insert` adds, and where. */
interface Insertion {
  /** Matches a text that has it already. */
  readonly done: RegExp;
  /** Matches a text that has something else of the same name, such as a route. */
  readonly taken?: RegExp;
  /** Matches, globally, the place after which `code` goes, with the indentation of that place. */
  readonly pattern: RegExp;
  /** Whether a place is right, by the text before it. */
  readonly isRight?: (before: string) => boolean;
  readonly importLine: string;
  readonly code: string;
}

/** Adds an import to a script, and something at the one place that a pattern matches. Comments are no places. */
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
        : `${file} has ${own} already. Add this yourself under another name,`;
    return `${reason} and run vitrine init again for the rest:\n\n${importLine}\n${code.trim()}`;
  },
});

/** Adds lines to a file, unless one that stands there already says the same. */
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
