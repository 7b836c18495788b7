import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { select, text, updateSettings } from '@clack/prompts';
import { starters } from './starters.ts';

/** The parts of the process that are used; tests replace them. */
type Io = Pick<NodeJS.Process, 'env' | 'cwd' | 'stdin' | 'stdout'> & {
  readonly stderr: NodeJS.WritableStream;
};

const kinds = Object.keys(starters).join(', ');
const defaultFolder = 'vitrine-app';
const defaultKind = 'vite-express';

/** What `--help` prints. */
export const createHelp = `npm create vitrine@latest [folder] -- [options]

Creates a new app that shows a report of a portal on your machine.

Options:
  -k, --kind <starter>  ${kinds}
  -y, --yes             ask nothing; defaults: ${defaultFolder} and ${defaultKind}
  -h, --help            show this
`;

const options = {
  kind: { type: 'string', short: 'k' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Runs the command with a folder that contains a folder for each starter. Resolves to the exit code. */
export const runCreate = async (args: readonly string[], io: Io, source: string): Promise<0 | 1> => {
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const [folder, other] = positionals;
    if (other !== undefined)
      throw new Error(
        'Pass one folder, and options after --: npm create vitrine@latest my-app -- --kind next',
      );
    if (values.help === true) io.stdout.write(createHelp);
    else io.stdout.write(createApp(await ask({ ...values, folder }, io), io, source));
    return 0;
  } catch (error) {
    io.stderr.write(`${error instanceof Error ? error.message : 'Could not create the app.'}\n`);
    return 1;
  }
};

type Answers = Readonly<Record<'folder' | 'kind', string>>;

/** Asks for the folder and the starter that the command line does not name. */
const ask = async (
  { yes, ...given }: { [Name in keyof Answers]?: string | undefined } & { readonly yes?: boolean },
  { stdin, stdout }: Io,
): Promise<Answers> => {
  if (given.kind !== undefined && !Object.hasOwn(starters, given.kind))
    throw new Error(`There is no starter "${given.kind}". The starters are ${kinds}.`);
  const { folder = yes && defaultFolder, kind = yes && defaultKind } = given;
  if (folder && kind) return { folder, kind };
  if (!stdin.isTTY)
    throw new Error('No interactive terminal, so nothing was created. Pass a folder and --kind, or --yes.');
  // Ctrl-D ends the prompts too.
  updateSettings({ aliases: { '\u0004': 'cancel' } });
  const streams = { input: stdin, output: stdout };
  const options = Object.entries(starters).map(([value, hint]) => ({ value, hint }));
  const asked = { message: 'Folder', placeholder: defaultFolder, defaultValue: defaultFolder };
  return {
    folder: folder || answered(await text({ ...asked, ...streams })),
    kind: kind || answered(await select({ message: 'What do you build with?', options, ...streams })),
  };
};

const answered = <TAnswer>(answer: TAnswer): Exclude<TAnswer, symbol> => {
  if (typeof answer === 'symbol') throw new Error('Nothing was created.');
  // Only symbols were excluded.
  return answer as Exclude<TAnswer, symbol>;
};

/** Writes an app into a folder that has no more than a new repository. Returns the next steps. */
const createApp = ({ folder, kind }: Answers, io: Io, source: string): string => {
  const target = resolve(io.cwd(), folder);
  const found = existsSync(target) ? readdirSync(target).filter((name) => name !== '.git') : [];
  if (found.length > 0)
    throw new Error(
      `${target} is not empty: it contains ${found[0]}. Choose another folder. For an existing app, run: npx vitrine init`,
    );
  cpSync(join(source, kind), target, { recursive: true });
  // npm does not publish .gitignore files.
  renameSync(join(target, 'gitignore'), join(target, '.gitignore'));
  const manifest = readFileSync(join(target, 'package.json'), 'utf8');
  const lower = basename(target).toLowerCase();
  const name = lower.replaceAll(/[^a-z\d.~-]+/g, '-').replaceAll(/^[.-]+|-+$/g, '') || defaultFolder;
  writeFileSync(join(target, 'package.json'), manifest.replace(/"name": "[^"]*"/, `"name": "${name}"`));
  const registry = io.env['npm_config_registry'] ?? '';
  if (/^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/]/.test(registry))
    writeFileSync(join(target, '.npmrc'), `registry=${registry}\n`);
  const [, manager = 'npm'] = /^(npm|pnpm|yarn|bun)\//.exec(io.env['npm_config_user_agent'] ?? '') ?? [];
  const path = relative(io.cwd(), target);
  return `
Created ${path || 'the app'} from the starter ${kind}. Next:

${path === '' ? '' : `  cd "${path}"\n`}  ${manager} install
  ${manager} run dev

Then open the address that it prints, to see a report of a portal on your machine.
`;
};
