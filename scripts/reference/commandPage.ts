import { createProgram } from '../../src/cli/lib/createProgram.ts';
import { systemIo } from '../../src/cli/lib/io.ts';

type Command = Awaited<ReturnType<typeof createProgram>>;

/** The help of a command and of everything below it, as sections of a page. */
const sectionsOf = (command: Command, path: string, level: string): string[] => {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text), getOutHasColors: () => false });
  command.outputHelp();
  return [
    `${level} \`${path}\``,
    `\`\`\`text\n${help.trim()}\n\`\`\``,
    ...command.commands
      .filter((child) => !child.name().startsWith('__'))
      .flatMap((child) => sectionsOf(child, `${path} ${child.name()}`, '##')),
  ];
};

/** Every command of `vitrine`, as `--help` prints it. */
export const commandPage = async (): Promise<string> => {
  const program = await createProgram({ io: systemIo(), setExitCode: () => undefined });
  const lead =
    'What `--help` prints. The guide [The command line](../guides/cli.md) explains the main commands.';
  return ['# Commands of vitrine', lead, ...sectionsOf(program, 'vitrine', '##'), ''].join('\n\n');
};
