import { createInterface } from 'node:readline';
import type { Io } from './io.ts';
import type { Options } from './readOptions.ts';
import { findStarter, type Starter, starters } from './starters.ts';
import { UsageError } from './usageError.ts';

/** The answers that an app is created from. */
export interface Answers {
  readonly folder: string;
  readonly starter: Starter;
}

const defaultFolder = 'vitrine-app';

/** Prompts for the folder and the starter, unless the command line names them. */
export const askQuestions = async ({ folder, starter, yes }: Options, io: Io): Promise<Answers> => {
  if (yes || (folder !== undefined && starter !== undefined))
    return { folder: folder ?? defaultFolder, starter: starter ?? starters[0] };
  if (io.stdin.isTTY !== true)
    throw new UsageError(
      'No interactive terminal, so nothing was created. Pass a folder and a starter, for example: npm create vitrine@latest my-app -- --kind next. Or add --yes for the defaults.',
    );
  const { ask, close } = createPrompt(io);
  try {
    return {
      folder: folder ?? ((await ask(`Folder (${defaultFolder}): `)) || defaultFolder),
      starter: starter ?? findStarter((await ask(kindQuestion)) || '1'),
    };
  } finally {
    close();
  }
};

const kindQuestion = [
  'What do you build with?',
  ...starters.map(({ kind, summary }, place) => `  ${place + 1}  ${kind.padEnd(14)}${summary}`),
  'Number (1): ',
].join('\n');

const createPrompt = ({ stdin, stdout }: Io) => {
  const lines = createInterface({ input: stdin, output: stdout });
  return {
    ask: (question: string) =>
      new Promise<string>((resolve, reject) => {
        // Ctrl-C and Ctrl-D close the prompt.
        lines.once('close', () => reject(new UsageError('\nNothing was created.')));
        lines.question(question, (answer) => resolve(answer.trim()));
      }),
    close: () => lines.close(),
  };
};
