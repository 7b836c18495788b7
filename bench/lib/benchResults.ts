import { loadavg } from 'node:os';
import { describeMachine } from './machine.ts';
import type { BenchOptions } from './options.ts';

export interface Column {
  readonly title: string;
  /** Alignment: text left, figures right. */
  readonly align?: 'left' | 'right';
}

export type Cell = string | number;

export interface Table {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  readonly notes?: readonly string[];
}

/** One goal, with its limit and the measured figure. */
export interface Goal {
  readonly text: string;
  /** The limit as a number, in the goal's own unit. */
  readonly limit: number;
  readonly sense: 'at most' | 'at least';
  /** The measured figure; undefined if this run did not measure it. */
  readonly seen: number | undefined;
  readonly unit?: string;
}

export type GoalResult = 'met' | 'not met' | 'not measured';

export const goalResultOf = (goal: Goal): GoalResult => {
  const { seen, limit } = goal;
  if (seen === undefined || Number.isNaN(seen)) return 'not measured';
  return (goal.sense === 'at most' ? seen <= limit : seen >= limit) ? 'met' : 'not met';
};

const figure = (value: number): string => {
  if (Number.isNaN(value)) return '–';
  if (Number.isInteger(value)) return value.toLocaleString('en-US').replaceAll(',', ' ');
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits);
};

const text = (cell: Cell): string => (typeof cell === 'number' ? figure(cell) : cell);

/** A table as lines of text, columns aligned. */
export const formatTable = (table: Table): string => {
  const cells = table.rows.map((row) => row.map(text));
  const widths = table.columns.map((column, index) =>
    Math.max(column.title.length, ...cells.map((row) => row[index]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) => {
        const width = widths[index] ?? 0;
        return table.columns[index]?.align === 'right' ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return [
    '',
    table.title,
    line(table.columns.map(({ title }) => title)),
    widths.map((width) => '─'.repeat(width)).join('  '),
    ...cells.map(line),
    ...(table.notes ?? []).map((note) => `  ${note}`),
  ].join('\n');
};

/** Column titles of one table: the first left-aligned, the others right-aligned. */
export const columns = (first: string, ...figures: readonly string[]): Column[] => [
  { title: first },
  ...figures.map((title) => ({ title, align: 'right' as const })),
];

const goalLine = (goal: Goal): string => {
  const unit = goal.unit === undefined ? '' : ` ${goal.unit}`;
  const mark = { met: '✓ met', 'not met': '✗ NOT MET', 'not measured': '· not measured' }[goalResultOf(goal)];
  const seen = goal.seen === undefined ? '' : `, seen ${figure(goal.seen)}${unit}`;
  return `  ${mark.padEnd(14)}  ${goal.text}: ${goal.sense} ${figure(goal.limit)}${unit}${seen}`;
};

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Prints the head of a run, its tables as they arrive, and the goals at the end. */
export const createBenchResults = (name: string, options: BenchOptions, versions: Record<string, string>) => {
  const goals: Goal[] = [];
  say(`${name}${options.quick ? ' (quick: proves that the script runs, its figures mean nothing)' : ''}`);
  say(describeMachine());
  say(Object.entries(versions).flat().join(' '));
  return {
    table: (table: Table) => say(formatTable(table)),
    goals: (some: readonly Goal[]) => void goals.push(...some),
    /** Prints the goals. A missed goal is a finding, not a failure of the script. */
    finish: () => {
      say('\nGoals');
      for (const goal of goals) say(goalLine(goal));
      say(`\nload at the end ${loadavg()[0]?.toFixed(2)}`);
    },
  };
};

export type BenchResults = ReturnType<typeof createBenchResults>;
