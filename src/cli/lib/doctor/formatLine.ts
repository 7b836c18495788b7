import type { Colors } from '../output/createColors.ts';
import { wrapWords } from '../output/wrapWords.ts';
import type { CheckStatus } from './doctorCheck.ts';
import type { DoctorLine } from './runDoctor.ts';

const marks: Readonly<Record<CheckStatus, string>> = { ok: '✓', warning: '!', failed: '✗', skipped: '–' };
/** That of the longest title, and a space. */
const titleWidth = 28;
const indent = 4 + titleWidth;

/** Formats one line of the doctor for a terminal, with its advice below. */
export const formatLine = (line: DoctorLine, colors: Colors, columns: number): string => {
  const paint = {
    ok: colors.green,
    warning: colors.yellow,
    failed: colors.red,
    skipped: colors.dim,
  }[line.status];
  const width = Math.max(30, columns - indent);
  const [first = '', ...more] = wrapWords(line.detail, width);
  const margin = ' '.repeat(indent);
  const rows = [
    `  ${paint(marks[line.status])} ${line.title.padEnd(titleWidth)}${line.status === 'skipped' ? colors.dim(first) : first}`,
    ...more.map((row) => `${margin}${row}`),
    ...(line.next === undefined
      ? []
      : wrapWords(line.next, width - 2).map((row, at) => `${margin}${at === 0 ? '→ ' : '  '}${row}`)),
  ];
  return `${rows.join('\n')}\n`;
};
