import { join, relative, resolve } from 'node:path';
import { type Answers, askQuestions } from './askQuestions.ts';
import { createApp } from './createApp.ts';
import type { Io } from './io.ts';
import { readOptions } from './readOptions.ts';
import { starters } from './starters.ts';
import { UsageError } from './usageError.ts';

/** What `--help` prints. */
export const createHelp = `npm create vitrine@latest [folder] -- [options]

Creates a new app that shows a report of a portal on your machine.

Options:
  -k, --kind <starter>  ${starters.map(({ kind }) => kind).join(', ')}
  -y, --yes             ask nothing; defaults: vitrine-app and ${starters[0].kind}
  -h, --help            show this
`;

/** Runs the command. Resolves to its exit code. */
export const runCreate = async (args: readonly string[], io: Io): Promise<0 | 1> => {
  try {
    const options = readOptions(args);
    if (options.help) {
      io.stdout.write(createHelp);
      return 0;
    }
    const answers = await askQuestions(options, io);
    createApp(join(io.starters, answers.starter.kind), resolve(io.cwd, answers.folder));
    io.stdout.write(nextSteps(answers, io));
    return 0;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const reason = error instanceof UsageError ? error.message : `Could not create the app: ${error.message}`;
    io.stderr.write(`${reason}\n`);
    return 1;
  }
};

const nextSteps = ({ folder, starter }: Answers, { cwd, env }: Io): string => {
  const [, manager = 'npm'] = /^(npm|pnpm|yarn|bun)\//.exec(env['npm_config_user_agent'] ?? '') ?? [];
  const path = relative(cwd, resolve(cwd, folder));
  const steps = [
    ...(path === '' ? [] : [`cd ${/^[\w./\\:~-]+$/.test(path) ? path : `"${path}"`}`]),
    `${manager} install`,
    `${manager} run dev`,
  ];
  return `
Created ${path === '' ? 'the app' : path} from the starter ${starter.kind}. Next:

${steps.map((step) => `  ${step}`).join('\n')}

Then open ${starter.address} to see a report of a portal on your machine.
`;
};
