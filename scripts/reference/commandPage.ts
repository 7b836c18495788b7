import { createProgram, environmentHelp } from '../../src/cli/lib/createProgram.ts';
import { systemIo } from '../../src/cli/lib/io.ts';
import { examplesOf } from '../../src/cli/lib/program/addCommand.ts';
import { plain, tableOf } from './markdown.ts';

type Command = Awaited<ReturnType<typeof createProgram>>;
type Option = Command['options'][number];

const code = (text: string): string => `\`${text.replaceAll('|', String.raw`\|`)}\``;

type Described = Pick<Option, 'description' | 'defaultValue' | 'defaultValueDescription'> &
  Partial<Pick<Option, 'mandatory'>>;

const meaningOf = ({ description, mandatory, defaultValue, defaultValueDescription }: Described): string => {
  const initial = defaultValueDescription ?? (typeof defaultValue === 'boolean' ? undefined : defaultValue);
  const notes = [mandatory && 'required', initial !== undefined && `default ${initial}`].filter(Boolean);
  return plain(description) + (notes.length === 0 ? '' : ` (${notes.join(', ')})`);
};

const argumentsOf = (command: Command): string[] =>
  tableOf(
    ['Argument', 'Meaning'],
    command.registeredArguments
      .filter(({ description }) => description !== '')
      .map((argument) => [code(argument.name()), meaningOf(argument)]),
  );

const optionsOf = (command: Command): string[] =>
  tableOf(
    ['Option', 'Meaning'],
    command.options.filter(({ hidden }) => !hidden).map((option) => [code(option.flags), meaningOf(option)]),
  );

const exampleBlock = (command: Command): string[] => {
  const lines = examplesOf(command).flatMap(({ line, note }) => [`# ${note}`, line]);
  return lines.length === 0 ? [] : [['```text', ...lines, '```'].join('\n')];
};

const summaryOf = (command: Command): string =>
  command.summary() || (command.description().split('\n')[0] ?? '');

/** A command and everything below it, as sections of a page. */
const sectionsOf = (command: Command, path: string, level: string): string[] => {
  const children = command.commands.filter((child) => !child.name().startsWith('__'));
  const words = `${path} ${command.name()}`;
  return [
    `${level} ${code(words)}`,
    ...command.description().split('\n\n').map(plain),
    `\`\`\`text\n${words} ${command.usage()}\n\`\`\``,
    ...argumentsOf(command),
    ...optionsOf(command),
    ...exampleBlock(command),
    ...children.flatMap((child) => sectionsOf(child, words, `${level}#`)),
  ];
};

/** Every command and option of `vitrine`, from the definitions that `--help` reads. */
export const commandPage = async (): Promise<string> => {
  const program = await createProgram({ io: systemIo(), setExitCode: () => undefined });
  const commands = program.commands.filter((child) => !child.name().startsWith('__'));
  return [
    '# Commands of vitrine',
    `Every command and option. ${code('vitrine <command> --help')} prints the same, and the guide [The command line](../guides/cli.md) explains the main commands. The options of a command that has subcommands, such as ${code('vitrine users')}, apply to all of them.`,
    ...tableOf(
      ['Command', 'What it does'],
      commands.map((child) => [`[\`${child.name()}\`](#vitrine-${child.name()})`, plain(summaryOf(child))]),
    ),
    '## Environment and exit codes',
    `\`\`\`text\n${environmentHelp}\n\`\`\``,
    ...commands.flatMap((child) => sectionsOf(child, 'vitrine', '##')),
    '',
  ].join('\n\n');
};
