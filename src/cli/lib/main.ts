import { systemIo } from './io.ts';
import { readVersion } from './program/readVersion.ts';

/** Runs the command line of this process. */
export const main = async (): Promise<void> => {
  // `vitrine … | head` closes our output early, which is not a failure: the code so far stays.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    process.stderr.write(`Could not write the output (${error.code ?? 'unknown'}).\n`, () => process.exit(1));
  });
  // There is no other place to report an error of stderr itself.
  process.stderr.on('error', () => {});
  const args = process.argv.slice(2);
  // Before the parser is loaded, which takes as long as Node itself.
  if (/^(?:-V|--version)$/.test(args.join(' '))) process.stdout.write(`${readVersion()}\n`);
  else {
    const { runCli } = await import('./runCli.ts');
    process.exitCode = await runCli(args, systemIo(), (code) => (process.exitCode = code));
  }
};
