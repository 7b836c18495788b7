/** How one file of the app changes. */
export interface Edit {
  readonly file: string;
  /** The text of the file afterwards; undefined when it has no place for the change, which `byHand` then describes. */
  readonly apply: (before: string | undefined) => string | undefined;
  /** What to do where the file cannot be changed automatically. */
  readonly byHand: string;
}

/** Whether a file uses Vitrine already: it was created here, and maybe edited since. */
const usesVitrine = (text: string): boolean => /@vitrine\/|\/src\/vitrine\./.test(text);

/** Creates a file. One that is there already is never overwritten. */
export const create = (file: string, text: string): Edit => ({
  file,
  apply: (before) => (before === undefined ? text : usesVitrine(before) ? before : undefined),
  byHand: `${file} already exists. Rename it, or add this to your own file:\n\n${text}`,
});

/** Adds an import and something at the first place that `pattern` matches, unless the text names `mark` already. */
export const insert = (
  file: string,
  { mark, pattern, importLine, code }: { mark: string; pattern: RegExp; importLine: string; code: string },
): Edit => ({
  file,
  apply: (before) => {
    if (before === undefined || before.includes(mark)) return before;
    if (!pattern.test(before)) return undefined;
    const lineEnd = before.includes('\r\n') ? '\r\n' : '\n';
    const text = before.replace(pattern, (place) => place + code.replaceAll('\n', lineEnd));
    return importLine === '' ? text : importLine + lineEnd + text;
  },
  byHand: `Could not find where to add this to ${file}. Add it yourself:\n\n${importLine}\n${code.trim()}`,
});

/** Adds lines to a file that do not stand there yet. */
export const addLines = (file: string, lines: readonly string[]): Edit => ({
  file,
  apply: (before = '') => {
    const missing = lines.filter((line) => !before.split(/\r?\n/).includes(line));
    if (missing.length === 0) return before;
    const gap = before === '' || before.endsWith('\n') ? '' : '\n';
    return `${before}${gap}${missing.join('\n')}\n`;
  },
  byHand: '',
});
