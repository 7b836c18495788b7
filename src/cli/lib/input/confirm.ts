import { UsageError } from '../output/usageError.ts';
import type { Run } from '../program/addCommand.ts';
import { isOn } from '../program/readOptions.ts';

/** Asks for confirmation before a change. Without an interactive terminal, throws unless `--yes` is given. */
export const confirm = async (
  { io, options }: Pick<Run, 'io' | 'options'>,
  question: string,
): Promise<boolean> => {
  if (isOn(options, 'yes')) return true;
  if (io.stdin.isTTY !== true || io.stderr.isTTY !== true)
    throw new UsageError(
      `${question}\nNo interactive terminal, so nothing was changed. Add --yes to skip the question.`,
    );
  const { default: ask } = await import('@inquirer/confirm');
  return ask(
    { message: question, default: false },
    { input: io.stdin, output: io.stderr, signal: io.signal },
  );
};
