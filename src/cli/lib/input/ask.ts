import { CanceledError, UsageError } from '../output/usageError.ts';
import type { Run } from '../program/addCommand.ts';
import { isOn } from '../program/readOptions.ts';

type Asking = Pick<Run, 'io' | 'options'>;

/**
 * Asks for confirmation before a change, and says if there is none. Without an interactive terminal, throws unless `--yes`
 * is given.
 */
export const confirm = async (run: Asking & Pick<Run, 'out'>, message: string): Promise<boolean> => {
  if (isOn(run.options, 'readOnly'))
    throw new UsageError(`${message}\nNothing was changed, because of --read-only. Leave it out to write.`);
  if (isOn(run.options, 'yes')) return true;
  requireTerminal(
    run,
    `${message}\nNo interactive terminal, so nothing was changed. Add --yes to skip the question.`,
  );
  const { confirm: ask } = await loadPrompts();
  const isWanted = answered(await ask({ message, initialValue: false, ...streams(run) }));
  if (!isWanted) run.out.done({ changed: false }, 'Nothing was changed.');
  return isWanted;
};

/** Asks for a secret. Without an interactive terminal, throws with the given advice. */
export const askSecret = async (run: Asking, message: string, advice: string): Promise<string> => {
  requireTerminal(run, advice);
  const { password } = await loadPrompts();
  return answered(await password({ message, ...streams(run) }));
};

const loadPrompts = async () => {
  const prompts = await import('@clack/prompts');
  // Ctrl-D ends them like Ctrl-C. What was typed before a question must not choose another answer: Enter arrives as a line feed.
  prompts.updateSettings({ aliases: { '\u0004': 'cancel' } });
  for (const key of ['enter', 'h', 'j', 'k', 'l']) {
    prompts.settings.actions.delete(key as 'enter');
    prompts.settings.aliases.delete(key);
  }
  return prompts;
};

const requireTerminal = ({ io }: Asking, advice: string): void => {
  if (io.stdin.isTTY !== true || io.stderr.isTTY !== true) throw new UsageError(advice);
};

// The prompts write only to the terminal: the result of a command goes to stdout.
const streams = ({ io }: Asking) => {
  // Our streams are those of the process, or streams with the same members in tests.
  const [input, output] = [io.stdin as NodeJS.ReadStream, io.stderr as NodeJS.WriteStream];
  // A terminal may not say how wide it is.
  output.columns ||= 80;
  return { input, output, signal: io.signal };
};

/** Ctrl-C reaches the prompt and not the process. */
const answered = <TAnswer>(answer: TAnswer): Exclude<TAnswer, symbol> => {
  if (typeof answer === 'symbol') throw new CanceledError();
  // Only symbols were excluded.
  return answer as Exclude<TAnswer, symbol>;
};
