import { type Command, Help, Option } from 'commander';
import type { Io } from '../io.ts';
import type { Output } from '../output/createOutput.ts';
import { UsageError } from '../output/usageError.ts';

/** Context of a command. */
export interface CommandContext {
  readonly io: Io;
  /** Sets the exit code of the process; an uncaught error sets 1. */
  readonly setExitCode: (code: number) => void;
}

/** Adds a command, or a group of commands, to the program. */
export type RegisterCommand = (program: Command, context: CommandContext) => void;

/** An example of a command. Tests run it unchanged. */
export interface Example {
  readonly line: string;
  /** What it does, in a few words. */
  readonly note: string;
}

/** Inherited options that do not apply to a command that only reads. */
export const changeOptions: readonly string[] = ['readOnly', 'yes'];

/** The argument of a running command. */
export interface Run extends CommandContext {
  readonly out: Output;
  /** Words after the command's name. */
  readonly args: readonly string[];
  /** The options of the command and of the program, by their long names. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** The specification of a command. */
export interface CommandSpec {
  /** Name and arguments: `get <userId>`. */
  readonly usage: string;
  readonly summary: string;
  /** More than the summary, for `--help`. */
  readonly details?: string;
  readonly options?: readonly Option[];
  readonly examples: readonly [Example, ...Example[]];
  /** Inherited options that do not apply, by their names in `Run.options`; the help omits them. */
  readonly unused?: readonly string[];
  readonly run: (run: Run) => Promise<void>;
}

const examplesByCommand = new WeakMap<Command, readonly Example[]>();

/** The examples of a command. */
export const examplesOf = (command: Command): readonly Example[] => examplesByCommand.get(command) ?? [];

/** Adds a command to the program or to a group, with examples in its help. */
export const addCommand = (parent: Command, context: CommandContext, spec: CommandSpec): Command => {
  const summary = `${spec.summary}.`;
  const command = parent.command(spec.usage).summary(summary);
  // Lines wrap at the terminal's width, not at our source's; an empty line separates paragraphs.
  const details = spec.details?.replaceAll(/(?<!\n)\n(?!\n)/g, ' ');
  command.description(details === undefined ? summary : `${summary}\n\n${details}`);
  for (const option of spec.options ?? []) command.addOption(option);
  hideInherited(command, spec.unused ?? []);
  examplesByCommand.set(command, spec.examples);
  command.addHelpText('after', `\n${formatExamples(spec.examples)}`);
  command.action(async () => {
    checkArguments(command);
    const options = command.optsWithGlobals<Record<string, unknown>>();
    // Lazy, because help, the most frequent use, needs no tables.
    const { createOutput } = await import('../output/createOutput.ts');
    const io = await withEnv(context.io, options['env']);
    const out = createOutput(io, options);
    await spec.run({ io, out, args: command.args, options, setExitCode: context.setExitCode });
  });
  return command;
};

/** Leaves inherited options that do not apply out of the help of a command. */
export const hideInherited = (command: Command, unused: readonly string[]): void => {
  const standard = Object.assign(new Help(), command.configureHelp());
  command.configureHelp({
    ...command.configureHelp(),
    visibleGlobalOptions: (of) =>
      standard.visibleGlobalOptions(of).filter((option) => !unused.includes(option.attributeName())),
  });
};

/** Rejects an empty argument, which a script passes for an unset variable. */
const checkArguments = (command: Command): void => {
  for (const [index, argument] of command.registeredArguments.entries())
    if (command.args[index]?.trim() === '') {
      const noun = argument.name() === 'id' ? 'ID' : argument.name().replaceAll('-', ' ');
      throw new UsageError(`The ${noun} is empty. Usage: ${pathOf(command)} <${argument.name()}>`);
    }
};

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

/**
 * An option for commands that read variables. Not --env-file, because Node itself takes that option in any position.
 */
export const envOption = (): Option =>
  new Option('--env <file>', 'read the VITRINE_… variables from a file, such as .env');

/** Options of every command that prints something. */
export const outputOptions = (): readonly Option[] => [
  new Option('--json', 'print JSON, for programs'),
  new Option('--no-color', 'print without colors; default without a terminal or with NO_COLOR'),
  new Option('-q, --quiet', 'print no progress and no notes, only warnings'),
];

const withEnv = async (io: Io, file: unknown): Promise<Io> => {
  if (typeof file !== 'string') return io;
  const { withEnvFile } = await import('../input/withEnvFile.ts');
  return { ...io, env: await withEnvFile(io.env, io.cwd, file) };
};

const formatExamples = (examples: readonly Example[]): string =>
  ['Examples:', ...examples.flatMap(({ line, note }) => [`  # ${note}`, `  $ ${line}`])].join('\n');

/** An option that may be repeated: `--role Readers --role Writers`. */
export const listOption = (flags: string, description: string): Option =>
  new Option(flags, description).argParser((value: string, previous: readonly string[] | undefined) => [
    ...(previous ?? []),
    value,
  ]);
