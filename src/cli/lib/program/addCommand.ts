import { type Command, Option } from 'commander';
import type { Io } from '../io.ts';
import type { Output } from '../output/createOutput.ts';
import { UsageError } from '../output/usageError.ts';
import { helpWidthOf, wrapWords } from './helpLayout.ts';

/** Context of a command. */
export interface CommandContext {
  readonly io: Io;
  /** Sets the exit code of the process; an uncaught error sets 1. */
  readonly setExitCode: (code: number) => void;
}

/** An example of a command. Tests run it unchanged. */
export interface Example {
  readonly line: string;
  /** What it does, in a few words. */
  readonly note: string;
}

/** The argument of a running command. */
export interface Run extends CommandContext {
  readonly out: Output;
  /** Words after the command's name. */
  readonly args: readonly string[];
  /** The options of the command, by their long names. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** A command, or a group of commands. */
export interface CommandSpec {
  /** Name and arguments: `get <userId>`. */
  readonly usage: string;
  /** The values of its argument. */
  readonly choices?: readonly string[];
  readonly summary: string;
  /** More than the summary, for `--help`. */
  readonly details?: string;
  /** Whether it calls the administration API, and only reads: it has the options for that. */
  readonly api?: 'reads' | 'changes';
  readonly options?: readonly Option[];
  readonly examples?: readonly [Example, ...Example[]];
  readonly run?: (run: Run) => Promise<void>;
  readonly commands?: readonly CommandSpec[];
}

/** Adds a command to the program or to a group, with examples in its help. */
export const addCommand = (parent: Command, context: CommandContext, spec: CommandSpec): void => {
  const { usage, choices, details, api, options = [], examples = [], run, commands = [] } = spec;
  const summary = `${spec.summary}.`;
  const command = parent.command(usage).summary(summary).enablePositionalOptions();
  // Lines wrap at the terminal's width, not at our source's; an empty line separates paragraphs.
  const text = details?.replaceAll(/(?<!\n)\n(?!\n)/g, ' ');
  command.description(text === undefined ? summary : `${summary}\n\n${text}`);
  for (const child of commands) addCommand(command, context, child);
  if (run === undefined) {
    if (commands.length > 0) command.showHelpAfterError(`See: ${pathOf(command)} --help`);
    return;
  }
  if (choices !== undefined) command.registeredArguments[0]?.choices(choices);
  for (const option of [...options, ...(api ? apiOptions(api) : []), ...outputOptions()])
    command.addOption(option);
  const formatted = examples.flatMap(({ line, note }) => [
    ...wrapWords(note, helpWidthOf(context.io) - 4).map((row) => `  # ${row}`),
    `  $ ${line}`,
  ]);
  if (examples.length > 0) command.addHelpText('after', ['\nExamples:', ...formatted].join('\n'));
  command.action(async () => {
    const given = command.opts<Record<string, unknown>>();
    checkWords(command, given);
    // Lazy, because help, the most frequent use, needs no tables.
    const { createOutput } = await import('../output/createOutput.ts');
    const io = await withEnv(context.io, given['env']);
    await run({ ...context, io, out: createOutput(io, given), args: command.args, options: given });
  });
};

/** Rejects an empty argument or option, which a script passes for an unset variable. */
const checkWords = (command: Command, given: Run['options']): void => {
  for (const [index, argument] of command.registeredArguments.entries())
    if (command.args[index]?.trim() === '') {
      const noun = argument.name() === 'id' ? 'ID' : argument.name();
      throw new UsageError(`The ${noun} is empty. Usage: ${pathOf(command)} <${argument.name()}>`);
    }
  const empty = command.options.find((option) => [given[option.attributeName()]].flat().includes(''));
  if (empty !== undefined)
    throw new UsageError(`${empty.long} is empty. Give it a value, or leave it out: ${empty.flags}`);
};

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

/**
 * An option for commands that read variables. Not --env-file, because Node itself takes that option in any position.
 */
export const envOption = (): Option =>
  new Option('--env <file>', 'read the VITRINE_… variables from a file, such as .env.local');

/** An option to skip the question before a change. */
export const yesOption = (meaning = 'do not ask before changing something'): Option =>
  new Option('-y, --yes', meaning);

const apiOptions = (use: 'reads' | 'changes'): readonly Option[] => [
  new Option('--base-url <url>', 'address of the administration API; default VITRINE_BASE_URL'),
  new Option('--api-key-file <file>', 'file that contains the API key; default VITRINE_API_KEY_FILE'),
  envOption(),
  new Option('--timeout <seconds>', 'seconds until a call times out; default 30'),
  ...(use === 'reads' ? [] : [new Option('--read-only', 'reject every change'), yesOption()]),
];

const outputOptions = (): readonly Option[] => [
  new Option('--json', 'print JSON, for programs'),
  new Option('-q, --quiet', 'print no progress and no notes, only warnings'),
];

const withEnv = async (io: Io, file: unknown): Promise<Io> => {
  if (typeof file !== 'string') return io;
  const { withEnvFile } = await import('./withEnvFile.ts');
  return { ...io, env: await withEnvFile(io, file) };
};

/** An option that may be repeated: `--role Readers --role Writers`. */
export const listOption = (flags: string, description: string): Option =>
  new Option(flags, description).argParser((value: string, previous: readonly string[] | undefined) => [
    ...(previous ?? []),
    value,
  ]);
