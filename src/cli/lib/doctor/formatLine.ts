import type { createColors } from 'picocolors';
import type { StepStatus } from './doctorStep.ts';
import type { DoctorLine } from './runDoctor.ts';

type Colors = ReturnType<typeof createColors>;

const marks: Readonly<Record<StepStatus, string>> = { ok: '✓', warning: '!', failed: '✗', skipped: '–' };
const titleWidth = 21;
const indent = 4 + titleWidth;

const wrap = (text: string, width: number): readonly string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
};

/** One line of the doctor for a terminal; what to do next stands below it. */
export const formatLine = (line: DoctorLine, colors: Colors, columns: number): string => {
  const paint = {
    ok: colors.green,
    warning: colors.yellow,
    failed: colors.red,
    skipped: colors.dim,
  }[line.status];
  const width = Math.max(30, columns - indent);
  const [first = '', ...more] = wrap(line.detail, width);
  const margin = ' '.repeat(indent);
  const rows = [
    `  ${paint(marks[line.status])} ${line.title.padEnd(titleWidth)}${line.status === 'skipped' ? colors.dim(first) : first}`,
    ...more.map((row) => `${margin}${row}`),
    ...(line.next === undefined
      ? []
      : wrap(line.next, width - 2).map((row, at) => `${margin}${at === 0 ? '→ ' : '  '}${row}`)),
  ];
  return `${rows.join('\n')}\n`;
};
