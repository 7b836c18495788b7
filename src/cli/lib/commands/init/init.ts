import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { diff } from 'node:util';
import { Option } from 'commander';
import { confirm } from '../../input/ask.ts';
import type { Colors } from '../../output/createColors.ts';
import { fileError } from '../../output/fileError.ts';
import { UsageError } from '../../output/usageError.ts';
import { addCommand, type RegisterCommand, type Run } from '../../program/addCommand.ts';
import { isOn } from '../../program/readOptions.ts';
import { readVersion } from '../../program/readVersion.ts';
import { detectKind, type Kind, type Plan } from './kinds.ts';
import { openProject, type Project } from './project.ts';

/** `vitrine init`: adds a report to an app. */
export const registerInit: RegisterCommand = (program, context) => {
  addCommand(program, context, {
    usage: 'init',
    summary: 'Add a report to a Next.js, React Router, Express, Hono or Vite app',
    details:
      'Writes new files, package.json and the plugin into a configuration of Vite, after it showed them and asked. It never overwrites a file of yours and changes no server: it shows the lines for one, and where they go. It starts Vite and asks the key route, and takes everything back if that fails.',
    options: [
      new Option('-y, --yes', 'change the app without asking'),
      new Option('--dry-run', 'show the changes without making them; exit code 2 if there are any').conflicts(
        'yes',
      ),
      new Option('--skip-install', 'do not install packages'),
    ],
    examples: [
      { line: 'vitrine init --dry-run', note: 'show what would change' },
      { line: 'vitrine init --yes --skip-install', note: 'change the app without asking, and install later' },
    ],
    run: init,
  });
};

/** A changed file: its text before (undefined for a new file) and after. */
interface Change {
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string;
}

const portalScript = 'vitrine:portal';

const init = async (run: Run): Promise<void> => {
  const { io, out, options, setExitCode } = run;
  const project = openProject(io.cwd);
  const kind = detectKind(project);
  const plan = kind.plan(project);
  const changes = await planChanges(project, kind, plan);
  out.note(`This is ${/^[AEIOU]/.test(kind.title) ? 'an' : 'a'} ${kind.title} app.\n`);
  if (changes.length === 0) out.note('Vitrine is already set up in this app.');
  for (const change of changes) out.line(formatChange(change, out.colors));
  if (isOn(options, 'dryRun')) {
    showLines(run, plan);
    return setExitCode(changes.length === 0 ? 0 : 2);
  }
  const installs = changes.length > 0 && !isOn(options, 'skipInstall');
  const files = changes.length === 1 ? '1 file' : `${changes.length} files`;
  const question = `Change ${files}${installs ? ' and install the packages' : ''}?`;
  if (changes.length > 0 && !(await confirm(run, question))) return out.note('Nothing was changed.');
  for (const { file, after } of changes) write(project.root, file, after);
  if (installs) await install(run, project);
  const isEdited = changes.some(({ file }) => file === plan.config);
  const address = installs && isEdited ? await verify(run, project, { plan, changes }) : undefined;
  showLines(run, plan);
  showSteps(run, project, { kind, page: address ?? plan.page, isInstalled: installs });
  const written = changes.map(({ file }) => file).join(', ');
  if (changes.length > 0) out.note(`\nChanged: ${written}. Git shows and undoes it.`);
};

/** The changes of a plan. Throws, before anything is written, if a file is in the way. */
const planChanges = async (project: Project, kind: Kind, plan: Plan): Promise<readonly Change[]> => {
  const { read, root } = project;
  const created = Object.entries(plan.files).map(([file, after]) => {
    const before = read(file);
    // An earlier run created it, and it may have been edited since.
    if (before !== undefined && /@vitrine\/|\/src\/vitrine\./.test(before))
      return { file, before, after: before };
    if (!existsSync(join(root, file))) return { file, before, after };
    throw new UsageError(
      `Nothing was changed. ${file} already exists. Rename it, or add this to your own file:\n\n${after || Object.values(plan.files)[1]}`,
    );
  });
  const changes = [planManifest(project, kind), ...created, planIgnored(read('.gitignore'))];
  if (plan.config === undefined) return changes.filter(({ before, after }) => before !== after);
  const before = read(plan.config) ?? '';
  // Loaded here, because a parser takes a while.
  const { addVitePlugin } = await import('./viteConfig.ts');
  const lineEnd = before.includes('\r\n') ? '\r\n' : '\n';
  const after = addVitePlugin(before.replaceAll('\r\n', '\n'))?.replaceAll('\n', lineEnd);
  if (after === undefined)
    throw new UsageError(
      `Nothing was changed. ${plan.config} exports no object that the plugin could be added to. Add it, and run vitrine init again:\n\nimport { vitrine } from '@vitrine/vite';\nplugins: [vitrine()]`,
    );
  return [...changes, { file: plan.config, before, after }].filter(
    (change) => change.before !== change.after,
  );
};

const planManifest = ({ manifestFile: file, manifest, listed, read }: Project, kind: Kind): Change => {
  const before = read(file) ?? '';
  const rangeOf = (name: string) => (name.startsWith('@tanstack/') ? '^5.60.0' : `^${readVersion()}`);
  const withMissing = (given: Readonly<Record<string, string>> = {}, names: readonly string[]) => {
    const missing = names.filter((name) => !(name in listed)).map((name) => [name, rangeOf(name)]);
    const all = Object.entries({ ...given, ...Object.fromEntries(missing) });
    return missing.length === 0
      ? given
      : Object.fromEntries(all.sort(([one], [other]) => (one < other ? -1 : 1)));
  };
  const after = {
    ...manifest,
    ...(kind.developmentPackages.includes('vitrine') && {
      scripts: { [portalScript]: 'vitrine portal --write-env .env.local', ...manifest.scripts },
    }),
    dependencies: withMissing(manifest.dependencies, kind.packages),
    devDependencies: withMissing(manifest.devDependencies, kind.developmentPackages),
  };
  const [, indentation = '  '] = /^([ \t]+)"/m.exec(before) ?? [];
  const text = JSON.stringify(after, null, indentation) + (before.endsWith('\n') ? '\n' : '');
  return { file, before, after: before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text };
};

const planIgnored = (before: string | undefined): Change => {
  const isIgnored = /^\/?(?:\.env(?:\.local|\*|\*\.local|\.\*)|\*\.local)\r?$/m.test(before ?? '');
  const gap = before === undefined || before === '' || before.endsWith('\n') ? '' : '\n';
  return {
    file: '.gitignore',
    before,
    after: isIgnored ? (before ?? '') : `${before ?? ''}${gap}.env.local\n`,
  };
};

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/));

const formatChange = ({ file, before, after }: Change, colors: Colors): string => {
  // In Node's diff, 1 marks a line of the first text and -1 one of the second.
  const lines = diff(linesOf(before ?? ''), linesOf(after)).flatMap(([operation, line]) => {
    if (operation === 0) return [];
    return operation === 1 ? colors.red(`  - ${line}`) : colors.green(`  + ${line}`);
  });
  return [`${before === undefined ? 'Create' : 'Change'} ${colors.bold(file)}`, ...lines, ''].join('\n');
};

const write = (root: string, file: string, text: string): void => {
  try {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  } catch (error) {
    throw fileError(`write ${file}`, error, 'Undo the other changes with Git.');
  }
};

const undo = (root: string, changes: readonly Change[]): void => {
  for (const { file, before } of changes)
    if (before === undefined) rmSync(join(root, file), { force: true });
    else write(root, file, before);
};

/** Installs the packages. The package manager prints the cause of a failure itself. */
const install = async ({ io, out }: Run, { manager, root }: Project): Promise<void> => {
  out.note(`Running ${manager} install …`);
  const status = await new Promise((resolve, reject) => {
    // On Windows, package managers are scripts, which need a shell.
    const child = spawn(`${manager} install`, {
      cwd: root,
      shell: true,
      signal: io.signal,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    // Yarn prints errors to stdout.
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-2000)));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code !== 0) io.stderr.write(said);
      resolve(code);
    });
  }).catch((error: unknown) => {
    out.note(`${manager} install did not finish. Run it again: the files are written.`);
    throw error;
  });
  if (status !== 0)
    throw new UsageError(
      `${manager} install failed. Correct the cause and run it again: the files are written.`,
    );
};

/** Starts the Vite of the app with its own configuration, and asks its key route. */
const question = `
import { createServer } from 'vite';
const server = await createServer({ logLevel: 'silent' });
await server.listen();
const [url] = server.resolvedUrls.local;
const answer = await fetch(new URL('/api/embed/keys', url), {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-vitrine-request': '1' },
  body: '{"itemId":1042}',
});
console.log(JSON.stringify({ url, status: answer.status }));
process.exit();`;

/** Asks the key route of what was edited; takes everything back and says why if that fails. Resolves to the page. */
const verify = async (
  { io, out }: Run,
  { root }: Project,
  { plan, changes }: { readonly plan: Plan; readonly changes: readonly Change[] },
): Promise<string> => {
  const { failure, said } = await new Promise<{ failure: string; said: string }>((resolve) => {
    const options = { cwd: root, env: { ...process.env, ...io.env }, signal: io.signal, timeout: 60_000 };
    execFile(process.execPath, ['--input-type=module', '-e', question], options, (error, stdout, stderr) =>
      resolve({ failure: error === null ? '' : stderr || error.message, said: stdout }),
    );
  });
  const [, json = '{}'] = /(\{"url".*\})/.exec(said) ?? [];
  const { url = '', status }: { readonly url?: string; readonly status?: number } = JSON.parse(json);
  if (status === 200) {
    out.note(`${plan.config} loads, and the key route answers.`);
    return `${url.replace(/\/$/, '')}${plan.page}`;
  }
  undo(root, changes);
  const [reason = `the key route answered with status ${status}`] =
    /^\w*Error.*(?:\n(?!\s+at ).+){0,3}/m.exec(failure) ?? [];
  throw new UsageError(
    `Vite does not start with the changed ${plan.config}: ${reason}
Every file is as it was; the packages stay installed. Correct the cause, and run vitrine init again.`,
  );
};

const showLines = ({ out }: Run, { lines }: Plan): void => {
  if (lines !== undefined) out.line(`\nAdd to ${lines.where}:\n\n${lines.code.replaceAll(/^/gm, '  ')}`);
};

/** The next steps to see the report. */
const showSteps = (
  { out }: Run,
  { manager, manifest: { scripts = {} } }: Project,
  { kind, page, isInstalled }: { readonly kind: Kind; readonly page: string; readonly isInstalled: boolean },
): void => {
  const start = ['dev', 'start'].find(
    (name) => name in scripts && !(kind.title !== 'Vite' && /^vite\b/.test(scripts[name] ?? '')),
  );
  const hasPortal = kind.developmentPackages.includes('vitrine');
  const steps = [
    ...(isInstalled ? [] : [`${manager} install`]),
    ...(hasPortal ? [`${manager} run ${portalScript}, in another terminal: the development portal`] : []),
    start === undefined ? 'Start your app' : `${manager} run ${start}`,
    page.startsWith('http')
      ? `Open ${page}`
      : page === ''
        ? 'Show <EmbeddedReport itemId={1042} /> of @vitrine/react in your frontend'
        : `Open ${page} of the address that it prints`,
  ];
  for (const line of ['', ...steps.map((step, index) => `${index + 1}. ${step}`)]) out.line(line);
  if (hasPortal)
    out.line(
      '\nNo report? Run: npx vitrine doctor --env .env.local --item 1042 --user developer --role all-regions',
    );
};
