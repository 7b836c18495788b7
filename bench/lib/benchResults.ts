import { writeFileSync } from 'node:fs';
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
  /** `at most` the limit, or `at least`. */
  readonly sense: 'at most' | 'at least' | 'exactly';
  /** The measured figure; undefined if this run did not measure it. */
  readonly seen: number | undefined;
  readonly unit?: string;
}

export type GoalResult = 'met' | 'not met' | 'not measured';

export const goalResultOf = (goal: Goal): GoalResult => {
  const { seen, limit } = goal;
  if (seen === undefined || Number.isNaN(seen)) return 'not measured';
  switch (goal.sense) {
    case 'at most':
      return seen <= limit ? 'met' : 'not met';
    case 'at least':
      return seen >= limit ? 'met' : 'not met';
    case 'exactly':
      return seen === limit ? 'met' : 'not met';
  }
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

/** Collects the tables and goals of one run, prints them as they arrive, and optionally writes JSON at the end. */
export const createBenchResults = (name: string, options: BenchOptions, versions: Record<string, string>) => {
  const machine = describeMachine();
  const tables: Table[] = [];
  const goals: Goal[] = [];

  say(`${name}${options.quick ? ' (quick: proves that the script runs, its figures mean nothing)' : ''}`);
  say(
    `${machine.date}  ${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.system}, ` +
      `Node ${machine.node}, commit ${machine.commit}, load ${machine.loadBefore.toFixed(2)}`,
  );
  say(
    Object.entries(versions)
      .map(([what, version]) => `${what} ${version}`)
      .join(', '),
  );

  return {
    say,
    table(table: Table) {
      tables.push(table);
      say(formatTable(table));
    },
    goals(some: readonly Goal[]) {
      goals.push(...some);
    },
    /** Prints the goals and writes the JSON file. A missed goal is a finding, not a failure of the script. */
    finish() {
      if (goals.length > 0) {
        say(options.quick ? '\nGoals (quick run: no result counts)' : '\nGoals');
        for (const goal of goals) say(goalLine(goal));
      }
      say(`\nload at the end ${(loadavg()[0] ?? Number.NaN).toFixed(2)}`);
      if (options.json === undefined) return;
      const results = goals.map((goal) => ({ ...goal, result: goalResultOf(goal) }));
      const json = JSON.stringify(
        { name, quick: options.quick, machine, versions, tables, goals: results },
        undefined,
        2,
      );
      if (options.json === '-') say(json);
      else writeFileSync(options.json, `${json}\n`);
    },
  };
};

export type BenchResults = ReturnType<typeof createBenchResults>;
