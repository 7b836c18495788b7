import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { settings } from '@vitrine/contract/service';
import { fileError, replaceFile } from '../../output/fileError.ts';
import { UsageError } from '../../output/usageError.ts';
import type { Plan, Project } from './frameworks.ts';

/** A changed file: its text before (undefined for a new file) and after. */
export interface Change {
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string;
}

/** The changes of a plan. Throws, before anything is written, if a file is in the way. */
export const planChanges = async (
  { read, root }: Project,
  { title, files, config }: Plan,
): Promise<readonly Change[]> => {
  const isOurs = (file: string) => /@vitrine\/|\/src\/vitrine\./.test(read(file) ?? '');
  const other = Object.keys(files).find((file) => existsSync(join(root, file)) && !isOurs(file));
  if (other !== undefined)
    throw new UsageError(
      `Nothing was changed. ${other} already exists. Rename it, or add this to your own file:\n\n${files[other]}`,
    );
  const texts: Record<string, string> = { ...files };
  // The plugin of Vite runs a portal of its own.
  if (title !== 'Vite') texts['.env.local'] = environment;
  const changes = Object.entries(texts).map(([file, text]) => ({
    file,
    before: read(file),
    after: read(file) ?? inLanguageOf(file, text),
  }));
  const { status } = spawnSync('git', ['check-ignore', '--quiet', '.env.local'], { cwd: root });
  const ignored = read('.gitignore');
  if (status !== 0 && ignored?.split(/\r?\n/).includes('.env.local') !== true) {
    const after = `${(ignored ?? '').replace(/(?<=[^\n])$/, '\n')}.env.local\n`;
    changes.push({ file: '.gitignore', before: ignored, after });
  }
  if (config !== undefined) {
    // Loaded here, because a parser takes a while.
    const { addVitePlugin } = await import('./addVitePlugin.ts');
    const before = read(config);
    changes.push({ file: config, before, after: addVitePlugin(config, before ?? 'export default {};\n') });
  }
  return changes.filter(({ before, after }) => before !== after);
};

/** A script of a starter in the language of a file: as it is, or without its types. */
const inLanguageOf = (file: string, code: string): string =>
  /\.m?jsx?$/.test(file) ? code.replace(/^import type .*\n\n/, '').replaceAll(/: \{ \w+: \w+ \}/g, '') : code;

const { tenantUrl, apiBaseUrl, tenantId, tenancyName, apiKey, passPhrase } = settings;

/** The variables of an app that runs with a portal of its own, still without values. */
const environment = `# \`npx vitrine portal --write-env .env.local\` writes those of a portal on your machine.
${[tenantUrl, apiBaseUrl, tenantId, tenancyName, apiKey, passPhrase].map(({ variable }) => `${variable}=\n`).join('')}`;

/** The file of a change, with the lines that it adds. */
export const formatChange = ({ file, before, after }: Change): string => {
  const known = new Set(before?.split('\n'));
  const added = after.split('\n').filter((line) => line.trim() !== '' && !known.has(line));
  const title = `${before === undefined ? 'Create' : 'Change'} ${file}`;
  return [title, ...added.map((line) => `  + ${line}`), ''].join('\n');
};

const write = async (path: string, { file, after }: Change): Promise<void> => {
  try {
    mkdirSync(dirname(path), { recursive: true });
    // The file for secrets is only for its owner.
    await replaceFile(path, after, file === '.env.local' ? 0o600 : 0o644);
  } catch (error) {
    throw fileError(`write ${file}`, error, 'Every other file is as it was.');
  }
};

/** Makes all changes, and then `check`. If one of them fails, every file is as it was. */
export const makeChanges = async <TResult>(
  root: string,
  changes: readonly Change[],
  check: () => Promise<TResult>,
): Promise<TResult> => {
  const made: Change[] = [];
  try {
    for (const change of changes) {
      await write(join(root, change.file), change);
      made.push(change);
    }
    return await check();
  } catch (error) {
    for (const { file, before } of made)
      if (before === undefined) rmSync(join(root, file));
      else writeFileSync(join(root, file), before);
    throw error;
  }
};
