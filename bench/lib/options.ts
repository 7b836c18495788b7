import { parseArgs } from 'node:util';

/** Command-line options of every bench script. */
export interface BenchOptions {
  /** A smoke run with few, short rounds. It only proves that the script works; its figures mean nothing. */
  readonly quick: boolean;
  /** Number of rounds or trials; each script has its own default. */
  readonly rounds: number | undefined;
  /** Measures only the parts, designs or packages whose names contain one of these. */
  readonly only: readonly string[];
}

/** Reads `--quick`, `--rounds <n>` and `--only <name>` (repeatable). */
export const readOptions = (args: readonly string[] = process.argv.slice(2)): BenchOptions => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
    },
  });
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (rounds !== undefined && !(Number.isSafeInteger(rounds) && rounds > 0))
    throw new Error(`--rounds needs a whole number above 0, got "${values.rounds}".`);
  return { quick: values.quick, rounds, only: values.only };
};

/** Whether `--only` includes this name. */
export const isWanted = (options: BenchOptions, name: string): boolean =>
  options.only.length === 0 || options.only.some((part) => name.includes(part));
