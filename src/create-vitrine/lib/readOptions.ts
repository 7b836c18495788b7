import { parseArgs } from 'node:util';
import { findStarter, type Starter } from './starters.ts';
import { UsageError } from './usageError.ts';

/** Options of the command line. */
export interface Options {
  readonly folder: string | undefined;
  readonly starter: Starter | undefined;
  /** Use the default for everything that is not given. */
  readonly yes: boolean;
  readonly help: boolean;
}

/** Parses the command line. Throws on an unknown option. */
export const readOptions = (args: readonly string[]): Options => {
  const { values, positionals } = parse(args);
  if (positionals.length > 1)
    throw new UsageError(
      `Expected one folder; received ${positionals.join(', ')}. Write options after --, for example: npm create vitrine@latest my-app -- --kind next`,
    );
  return {
    folder: positionals[0],
    starter: values.kind === undefined ? undefined : findStarter(values.kind),
    yes: values.yes === true,
    help: values.help === true,
  };
};

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        kind: { type: 'string', short: 'k' },
        yes: { type: 'boolean', short: 'y' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (cause) {
    const [first = ''] = (cause instanceof Error ? cause.message : '').split('. ');
    throw new UsageError(`${first}. The options are --kind, --yes and --help.`, { cause });
  }
};
