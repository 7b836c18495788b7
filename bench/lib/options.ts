import { parseArgs } from 'node:util';

/** Command-line options of every bench script. */
export interface BenchOptions {
  /** A smoke run with few, short rounds. It only proves that the script works; its figures mean nothing. */
  readonly quick: boolean;
  /** File to write the figures to as JSON, `-` for standard output after the tables. */
  readonly json: string | undefined;
  /** Number of rounds or trials; each script has its own default. */
  readonly rounds: number | undefined;
  /** Measures only the parts, designs or packages whose names contain one of these. */
  readonly only: readonly string[];
}

const wholeNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new Error(`--rounds needs a whole number above 0, got "${text}".`);
  }
  return value;
};

/** Reads `--quick`, `--json <file>`, `--rounds <n>` and `--only <name>` (repeatable). */
export const readOptions = (args: readonly string[] = process.argv.slice(2)): BenchOptions => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      rounds: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
    },
  });
  return {
    quick: values.quick,
    json: values.json,
    rounds: values.rounds === undefined ? undefined : wholeNumber(values.rounds),
    only: values.only,
  };
};

/** Whether `--only` includes this name. */
export const isWanted = (options: BenchOptions, name: string): boolean =>
  options.only.length === 0 || options.only.some((part) => name.includes(part));
