import { Command } from 'commander';
import { type CommandContext, registerCommands } from '../commands/registerCommands.ts';
import { registerComplete } from '../commands/registerComplete.ts';
import { readVersion } from './readVersion.ts';

/**
 * The command line, ready to parse `args`. Only the commands that `args` name are loaded; without `args`, all of them.
 */
export const createProgram = async (context: CommandContext, args?: readonly string[]): Promise<Command> => {
  const { io } = context;
  const program = new Command('vitrine')
    .description('Run, check and administer a portal from the command line.')
    .version(readVersion(), '-V, --version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => Math.min(100, io.stdout.columns || 80),
      getErrHelpWidth: () => 80,
      getOutHasColors: () => io.stdout.isTTY === true,
      getErrHasColors: () => io.stderr.isTTY === true,
    })
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .showSuggestionAfterError();
  const operands = args?.filter((word) => !word.startsWith('-'));
  await registerCommands(program, context, (name) => operands?.includes(name) ?? true);
  registerComplete(program, context);
  program.addHelpText('after', `\n${environmentHelp}`);
  return program;
};

/** The end of `vitrine --help`. */
export const environmentHelp = `Environment:
  VITRINE_BASE_URL      address of the portal's administration API
  VITRINE_API_KEY       Tenant API Key; never an argument, because others could see it
  VITRINE_API_KEY_FILE  a file that contains it

Exit codes: 0 success, 2 a plan found changes or something was left out, 1 error.`;
