import { confirm as ask } from '@inquirer/prompts';
import type { Run } from '../program/addCommand.ts';
import { isOn } from '../program/readOptions.ts';
import { UsageError } from '../program/usageError.ts';

/** Asks before damage. `--yes` is the answer where nobody can be asked; without it nothing is done there. */
export const confirm = async ({ io, options }: Run, question: string): Promise<boolean> => {
  if (isOn(options, 'yes')) return true;
  if (io.stdin.isTTY !== true || io.stderr.isTTY !== true)
    throw new UsageError(`${question}\nNobody can be asked here, so nothing was done. Add --yes to do it.`);
  return ask(
    { message: question, default: false },
    { input: io.stdin, output: io.stderr, signal: io.signal },
  );
};
