import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { select, text, updateSettings } from '@clack/prompts';
import { type Starter, starters } from './starters.ts';

/** The command's side effects; tests replace them. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WritableStream;
  /** Folder that contains a folder for each starter. */
  readonly starters: string;
}

const kinds = starters.map(({ kind }) => kind).join(', ');
const defaultFolder = 'vitrine-app';

/** What `--help` prints. */
export const createHelp = `npm create vitrine@latest [folder] -- [options]

Creates a new app that shows a report of a portal on your machine.

Options:
  -k, --kind <starter>  ${kinds}
  -y, --yes             ask nothing; defaults: ${defaultFolder} and ${starters[0].kind}
  -h, --help            show this
`;

/** Runs the command. Resolves to its exit code. */
export const runCreate = async (args: readonly string[], io: Io): Promise<0 | 1> => {
  try {
    const { values, positionals } = parseOptions(args);
    if (values.help === true) io.stdout.write(createHelp);
    else io.stdout.write(createApp(await ask(positionals[0], values, io), io));
    return 0;
  } catch (error) {
    io.stderr.write(`${error instanceof Error ? error.message : 'Could not create the app.'}\n`);
    return 1;
  }
};

const parseOptions = (args: readonly string[]) => {
  try {
    const parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        kind: { type: 'string', short: 'k' },
        yes: { type: 'boolean', short: 'y' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (parsed.positionals.length > 1)
      throw new Error(
        `Expected one folder; received ${parsed.positionals.join(', ')}. Write options after --, for example: npm create vitrine@latest my-app -- --kind next`,
      );
    return parsed;
  } catch (cause) {
    const { message = '', code = '' }: Partial<NodeJS.ErrnoException> = Object(cause);
    if (!code.startsWith('ERR_PARSE_ARGS')) throw cause;
    throw new Error(`${message.split('. ', 1)[0]}. The options are --kind, --yes and --help.`, { cause });
  }
};

interface Answers {
  readonly folder: string;
  readonly starter: Starter;
}

/** Asks for the folder and the starter that the command line does not name. */
const ask = async (
  folder: string | undefined,
  { kind, yes }: { readonly kind?: string | undefined; readonly yes?: boolean | undefined },
  { stdin, stdout }: Io,
): Promise<Answers> => {
  const named = starters.find((starter) => starter.kind === kind);
  if (kind !== undefined && named === undefined)
    throw new Error(`There is no starter "${kind}". The starters are ${kinds}.`);
  const isComplete = yes === true || (folder !== undefined && named !== undefined);
  if (!isComplete && !stdin.isTTY)
    throw new Error(
      'No interactive terminal, so nothing was created. Pass a folder and a starter, for example: npm create vitrine@latest my-app -- --kind next. Or add --yes for the defaults.',
    );
  if (isComplete) return { folder: folder ?? defaultFolder, starter: named ?? starters[0] };
  // Ctrl-D ends the prompts too.
  updateSettings({ aliases: { '\u0004': 'cancel' } });
  const streams = { input: stdin, output: stdout };
  const options = starters.map((starter) => ({ value: starter, label: starter.kind, hint: starter.summary }));
  return {
    folder:
      folder ??
      answered(
        await text({
          message: 'Folder',
          placeholder: defaultFolder,
          defaultValue: defaultFolder,
          ...streams,
        }),
      ),
    starter: named ?? answered(await select({ message: 'What do you build with?', options, ...streams })),
  };
};

const answered = <TAnswer>(answer: TAnswer): Exclude<TAnswer, symbol> => {
  if (typeof answer === 'symbol') throw new Error('Nothing was created.');
  // Only symbols were excluded.
  return answer as Exclude<TAnswer, symbol>;
};

/** Writes an app into a folder that has no more than a new repository. Returns the next steps. */
const createApp = ({ folder, starter }: Answers, { cwd, env, starters: source }: Io): string => {
  const target = resolve(cwd, folder);
  if (basename(target) === 'node_modules')
    throw new Error('npm cannot install in a folder named node_modules. Choose another name.');
  const found = existsSync(target) ? readdirSync(target).filter((name) => name !== '.git') : [];
  if (found.length > 0)
    throw new Error(
      `${target} is not empty: it contains ${found.slice(0, 3).join(', ')}${found.length > 3 ? ', …' : ''}. Choose another folder. For an existing app, run: npx vitrine init`,
    );
  cpSync(join(source, starter.kind), target, { recursive: true });
  // npm does not publish .gitignore files.
  renameSync(join(target, 'gitignore'), join(target, '.gitignore'));
  const manifest: object = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
  const words = basename(target)
    .toLowerCase()
    .replaceAll(/[^a-z\d.~-]+/g, '-');
  const name = words.replaceAll(/^[.-]+|-+$/g, '') || defaultFolder;
  writeFileSync(join(target, 'package.json'), `${JSON.stringify({ ...manifest, name }, null, 2)}\n`);
  const registry = env['npm_config_registry'] ?? '';
  if (/^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/]/.test(registry))
    writeFileSync(join(target, '.npmrc'), `registry=${registry}\n`);
  const [, manager = 'npm'] = /^(npm|pnpm|yarn|bun)\//.exec(env['npm_config_user_agent'] ?? '') ?? [];
  const path = relative(cwd, target);
  const change = path === '' ? '' : `  cd ${/^[\w./\\:~-]+$/.test(path) ? path : `"${path}"`}\n`;
  return `
Created ${path || 'the app'} from the starter ${starter.kind}. Next:

${change}  ${manager} install
  ${manager} run dev

Then open ${starter.address} to see a report of a portal on your machine.
`;
};
