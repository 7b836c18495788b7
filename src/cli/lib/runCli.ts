import { CommanderError } from 'commander';
import { createProgram } from './createProgram.ts';
import type { Io } from './io.ts';
import { CanceledError } from './output/usageError.ts';

/**
 * Runs one command line. Resolves to the exit code: 0 nothing to do or done, 2 changes found by a dry run or left out, 1
 * error. `onExitCode` gets the code of a command as soon as it is known.
 */
export const runCli = async (
  args: readonly string[],
  io: Io,
  onExitCode?: (code: number) => void,
): Promise<number> => {
  let exitCode = 0;
  const setExitCode = (code: number) => {
    exitCode = code;
    onExitCode?.(code);
  };
  try {
    const program = await createProgram({ io, setExitCode }, args);
    // The library shows only the first command of `vitrine help users list`, and accepts any name.
    const [first, ...named] = args;
    const line = first === 'help' && named.length > 0 ? [...named, '--help'] : [...args];
    await program.parseAsync(line, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
    // Loaded only after a failure: it loads the client of the portal.
    const { isPortalError } = await import('@vitrine/portal-client');
    const { describeError } = await import('./output/portalErrorText.ts');
    if (
      error instanceof CanceledError ||
      (io.signal.aborted && (!isPortalError(error) || error.kind === 'aborted'))
    ) {
      io.stderr.write('Stopped.\n');
      return 1;
    }
    io.stderr.write(`${describeError(error)}\n`);
    return 1;
  }
};
