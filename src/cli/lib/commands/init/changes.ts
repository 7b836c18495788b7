import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { settings } from '@vitrine/contract/service';
import type { Colors } from '../../output/createColors.ts';
import { fileError, replaceFile } from '../../output/fileError.ts';
import { UsageError } from '../../output/usageError.ts';
import type { Framework, Plan, Project } from './frameworks.ts';

/** A changed file: its text before (undefined for a new file) and after. */
export interface Change {
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string;
}

/** The changes of a plan. Throws, before anything is written, if a file is in the way. */
export const planChanges = async (
  project: Project,
  { developmentPackage }: Framework,
  { files, config }: Plan,
): Promise<readonly Change[]> => {
  const { read, root } = project;
  const isOurs = (file: string) => /@vitrine\/|\/src\/vitrine\./.test(read(file) ?? '');
  const other = Object.keys(files).find((file) => existsSync(join(root, file)) && !isOurs(file));
  if (other !== undefined)
    throw new UsageError(
      `Nothing was changed. ${other} already exists. Rename it, or add this to your own file:\n\n${files[other]}`,
    );
  const created = Object.entries({ ...files, ...(developmentPackage === 'vitrine' && environment) });
  const changes = [
    ...created.map(([file, text]) => ({
      file,
      before: read(file),
      after: read(file) ?? inLanguageOf(file, text),
    })),
    planIgnored(project),
    ...(config === undefined ? [] : [await planConfig(project, config)]),
  ];
  return changes.filter(({ before, after }) => before !== after);
};

/** A script of a starter in the language of a file: as it is, or without its types. */
const inLanguageOf = (file: string, code: string): string =>
  /\.m?jsx?$/.test(file) ? code.replace(/^import type .*\n\n/, '').replaceAll(/: \{ \w+: \w+ \}/g, '') : code;

const { tenantUrl, apiBaseUrl, tenantId, tenancyName, apiKey, passPhrase } = settings;

/** The file with the variables of an app that runs with a portal of its own, still without values. */
const environment = {
  '.env.local': `# \`npx vitrine portal --write-env .env.local\` writes those of a portal on your machine.
${[tenantUrl, apiBaseUrl, tenantId, tenancyName, apiKey, passPhrase].map(({ variable }) => `${variable}=\n`).join('')}`,
};

/** `.gitignore` with the file of secrets, unless Git ignores it already. */
const planIgnored = ({ root, read }: Project): Change => {
  const before = read('.gitignore');
  const { status } = spawnSync('git', ['check-ignore', '--quiet', '.env.local'], { cwd: root });
  const isIgnored = status === 0 || before?.split(/\r?\n/).includes('.env.local') === true;
  const after = `${(before ?? '').replace(/(?<=[^\n])$/, '\n')}.env.local\n`;
  return { file: '.gitignore', before, after: isIgnored ? (before ?? '') : after };
};

/** A configuration of Vite with the plugin. */
const planConfig = async ({ read }: Project, file: string): Promise<Change> => {
  const before = read(file) ?? '';
  // Loaded here, because a parser takes a while.
  const { addVitePlugin } = await import('./addVitePlugin.ts');
  let after: string | undefined;
  try {
    after = addVitePlugin(before.replaceAll('\r\n', '\n'));
  } catch (cause) {
    // The parser ends its message with the place.
    const [, what, line] = /^(.*) \((\d+):\d+\)$/m.exec(Object(cause).message) ?? [];
    throw new UsageError(
      `Nothing was changed. ${file} has a mistake${line === undefined ? '' : ` in line ${line}: ${what}`}. Correct it, and run vitrine init again.`,
      { cause },
    );
  }
  if (after === undefined)
    throw new UsageError(
      `Nothing was changed. ${file} has no list of plugins that can be changed safely. Add the plugin, and run vitrine init again:\n\nimport { vitrine } from '@vitrine/vite';\nplugins: [vitrine()]`,
    );
  return { file, before, after: before.includes('\r\n') ? after.replaceAll('\n', '\r\n') : after };
};

/** The file of a change, with the lines that it adds. */
export const formatChange = ({ file, before, after }: Change, colors: Colors): string => {
  const known = new Set(before?.split('\n'));
  const added = after.split('\n').filter((line) => line.trim() !== '' && !known.has(line));
  const title = `${before === undefined ? 'Create' : 'Change'} ${colors.bold(file)}`;
  return [title, ...added.map((line) => colors.green(`  + ${line}`)), ''].join('\n');
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
      const path = join(root, change.file);
      mkdirSync(dirname(path), { recursive: true });
      // The file for secrets is only for its owner.
      await replaceFile(path, change.after, change.file === '.env.local' ? 0o600 : 0o644);
      made.push(change);
    }
    return await check();
  } catch (error) {
    for (const { file, before } of made)
      if (before === undefined) rmSync(join(root, file), { force: true });
      else writeFileSync(join(root, file), before);
    const failed = changes[made.length];
    throw failed === undefined
      ? error
      : fileError(`write ${failed.file}`, error, 'Every other file is as it was.');
  }
};
