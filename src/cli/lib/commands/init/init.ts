import { exec, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Option } from 'commander';
import { confirm } from '../../input/ask.ts';
import { requiredVariables } from '../../input/requiredVariables.ts';
import { fileError, replaceFile } from '../../output/fileError.ts';
import { UsageError } from '../../output/usageError.ts';
import { type CommandSpec, type Run, yesOption } from '../../program/addCommand.ts';
import { isOn } from '../../program/readOptions.ts';
import { readVersion } from '../../program/readVersion.ts';
import { openProject, type Packages, type Plan, type Project, parentsOf, planApp } from './frameworks.ts';
import { addVitePlugin, pluginAdvice } from './viteConfig.ts';

/** `vitrine init`: adds a report to an app. */
export const initCommand: Omit<CommandSpec, 'summary'> = {
  usage: 'init',
  details:
    'Writes new files, .env.local and the plugin into a configuration of Vite, and installs the packages, after it named them and asked. It never overwrites a file of yours and changes no server: it shows the lines for one, and where they go. It starts Vite and asks the key route, and takes its changes back if that fails.',
  options: [
    yesOption('change the app without asking'),
    new Option('--skip-install', 'show how to install the packages instead'),
  ],
  examples: [
    { line: 'vitrine init --yes --skip-install', note: 'change the app without asking, and install later' },
  ],
  run: (run) => init(run),
};

const init = async (run: Run): Promise<void> => {
  const { io, out, options } = run;
  const project = openProject(io.cwd);
  const plan = planApp(project);
  const { title, lines, config = '.gitignore' } = plan;
  const isVite = plan.config !== undefined;
  const files = newFiles(project, plan);
  const created = Object.keys(files);
  const before = project.read(config) ?? '';
  const after = isVite ? addVitePlugin(config, before) : withSecretsIgnored(before);
  const changed = before === after ? [] : [config];
  const installation = installationOf(project, plan);
  const changes = [
    ...changed.map((file) => `Change ${file}`),
    ...created.map((file) => `Create ${file}`),
    ...(installation === '' ? [] : [`Run ${installation} in ${project.home}`]),
  ];
  out.note(`${title} app found.\n`);
  for (const change of changes) out.warn(change);
  if (changes.length === 0) out.note('Vitrine is already set up in this app.');
  else if (!(await confirm(run, 'Change the app?'))) return;
  const skips = isOn(options, 'skipInstall');
  if (installation !== '' && !skips) await install(run, project, installation);
  const isTried = isVite && changed.length > 0 && !skips;
  const undos: (() => void)[] = [];
  const origin = await writeFiles(project, changed.length > 0 ? { [config]: after, ...files } : files, undos)
    .then(() => (isTried ? tryVite(run, project) : ''))
    .catch((error: unknown) => {
      for (const undo of undos.toReversed()) undo();
      out.warn(
        'vitrine init took its changes back. Installed packages stay, with package.json and the lock file.',
      );
      throw error;
    });
  const page = plan.page && `${origin}${plan.page}`;
  const where = origin === '' ? ' of the address that it prints' : '';
  const [unread = ''] = /^<\w+>/.exec(plan.page ?? '') ?? [];
  const steps = [
    skips ? installation : '',
    unread && unreadStep(unread),
    isVite ? '' : portalStep,
    'Start your app',
    page === undefined ? frontendStep : `Open ${page}${where}`,
  ].filter((step) => step !== '');
  const shown = lines && `\nAdd to ${lines.where}:\n\n${lines.code.replaceAll(/^/gm, '  ')}\n`;
  const text = [shown ?? '', ...steps.map((step, index) => `${index + 1}. ${step}`)].join('\n');
  out.record({ framework: title, created, changed, add: lines, steps, page }, text);
};

const unreadStep = (setting: string): string =>
  `Replace ${setting} in <EmbedProvider endpoint="${setting}/api/embed"> of the new page: its value could not be read from the configuration`;
const portalStep =
  'npx vitrine portal --write-env .env.local, in another terminal: a portal on your machine. `npx vitrine doctor` checks it';
const frontendStep = 'Show <EmbeddedReport itemId={1042} /> of @vitrine/react in your frontend';

const withSecretsIgnored = (text: string): string =>
  /^(\*\.local|\.env(\.?\*|\.local))\s*$/m.test(text)
    ? text
    : `${text.replace(/[^\n]$/, '$&\n')}.env.local\n`;

/** The files to create, without those that init created before. Throws if another file is in the way. */
const newFiles = ({ read, root }: Project, { files, config }: Plan): Plan['files'] => {
  const isOurs = (file: string) => /@vitrine\/|\/src\/vitrine\./.test(read(file) ?? '');
  const other = Object.keys(files).find((file) => existsSync(join(root, file)) && !isOurs(file));
  if (other !== undefined)
    throw new UsageError(
      `Nothing was changed. ${other} already exists. Rename it, or add this to your own file:\n\n${files[other]}`,
    );
  // The plugin of Vite runs a portal of its own.
  const wanted = config === undefined ? { '.env.local': environment, ...files } : files;
  const missing = Object.entries(wanted).filter(([file]) => read(file) === undefined);
  return Object.fromEntries(missing.map(([file, text]) => [file, inLanguageOf(file, text)]));
};

/** Writes files. Adds to a list what undoes each change, since a later one may fail. */
const writeFiles = async ({ root }: Project, files: Plan['files'], undos: (() => void)[]): Promise<void> => {
  const next = 'Correct the cause, and run vitrine init again.';
  for (const [file, text] of Object.entries(files)) {
    const path = join(root, file);
    const stats = statSync(path, { throwIfNoEntry: false });
    const before = stats?.isFile() ? readFileSync(path) : undefined;
    const folder = await mkdir(dirname(path), { recursive: true }).catch((error: unknown) => {
      throw fileError(`write ${file}`, error, next);
    });
    if (folder !== undefined) undos.push(() => rmSync(folder, { recursive: true }));
    // The file for secrets is only for its owner.
    const mode = stats?.mode ?? (file === '.env.local' ? 0o600 : 0o644);
    await replaceFile(path, text, `write ${file}`, next, mode | 0o200);
    undos.push(() => (before === undefined ? rmSync(path) : writeFileSync(path, before)));
  }
};

/** A script of a starter in the language of a file: as it is, or without its types. */
const inLanguageOf = (file: string, code: string): string =>
  /\.m?jsx?$/.test(file) ? code.replace(/^import type .*\n\n/, '').replaceAll(/: \{ \w+: \w+ \}/g, '') : code;

const environment = `# \`npx vitrine portal --write-env .env.local\` writes those of a portal on your machine.
${requiredVariables.map((name) => `${name}=\n`).join('')}`;

const managers = {
  'pnpm-lock.yaml': 'pnpm add',
  'yarn.lock': 'yarn add',
  'bun.lock': 'bun add',
  'package-lock.json': 'npm install',
};

/** The command that installs the packages that are missing, with the package manager of the nearest lock file. */
const installationOf = ({ root, listed }: Project, { adds, config }: Plan): string => {
  const found = parentsOf(root).flatMap((folder) =>
    Object.entries(managers).filter(([file]) => existsSync(join(folder, file))),
  );
  const [, add = 'npm install'] = found[0] ?? [];
  const tool = { [config === undefined ? 'vitrine' : '@vitrine/vite']: readVersion() };
  const commandOf = (command: string, packages: Packages) => {
    const missing = Object.entries(packages).filter(([name]) => !(name in listed));
    return missing.length === 0 ? [] : [[command, ...missing.map((one) => one.join('@^'))].join(' ')];
  };
  return [...commandOf(add, adds), ...commandOf(`${add} -D`, tool)].join(' && ');
};

/** Installs the packages, before anything is written that needs them. */
const install = async ({ io, out }: Run, { home }: Project, command: string): Promise<void> => {
  out.note(`Running ${command} …`);
  const options = { cwd: home, signal: io.signal, maxBuffer: 64 * 1024 * 1024 };
  // The message of a failure has what was printed to stderr; Yarn prints errors to stdout.
  await promisify(exec)(`(${command}) 1>&2`, options).catch((error: unknown) => {
    out.warn(
      'The installation did not finish, so vitrine init changed nothing else. Correct the cause, and run vitrine init again.',
    );
    throw error;
  });
};

/**
 * Starts the Vite of the app with its own configuration, and asks its key route. The certificate may be one that only
 * browsers of this machine trust. The script ends itself, because Yarn leaves what it started.
 */
const question = `
import { createServer } from 'vite';
setTimeout(() => process.exit(1), 30_000);
const server = await createServer({ logLevel: 'silent', server: { strictPort: false } });
await server.listen();
const [url] = [...server.resolvedUrls.local, ...server.resolvedUrls.network];
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
const answer = await fetch(new URL('/api/embed/keys', url), {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-vitrine-request': '1' },
  body: '{"itemId":1042}',
});
if (answer.status !== 200) throw new Error('the key route answered with status ' + answer.status);
console.log('\\nAnswered: ' + url);
process.exit();`;

/** Asks the key route of the edited configuration. Resolves to the address. */
const tryVite = async ({ io, out }: Run, { root }: Project): Promise<string> => {
  // An app without node_modules
  const isYarn = parentsOf(root).some((folder) => existsSync(join(folder, '.pnp.cjs')));
  const [program = '', ...first] = isYarn ? ['yarn', 'node'] : [process.execPath];
  const limit = AbortSignal.timeout(30_000);
  const signal = AbortSignal.any([io.signal, limit]);
  out.note('Starting Vite …');
  const { stdout, stderr } = spawn(program, [...first, '--input-type=module', '-e', question], {
    cwd: root,
    env: { ...process.env, ...io.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  }).on('error', () => undefined);
  const [printed = '', errors = ''] = await Promise.all(
    [stdout, stderr].map((stream) => textOf(addAbortSignal(signal, stream)).catch(() => '')),
  );
  io.signal.throwIfAborted();
  const [, url] = /^Answered: (.*?)\/?$/m.exec(printed) ?? [];
  if (url !== undefined) {
    out.note('The changed configuration loads, and the key route answers.');
    return url;
  }
  const ending = limit.aborted ? 'it did not answer within 30 seconds' : 'it ended without an answer';
  const [reason = ending] = /^\w*Error.*(?:\n(?!\s+at ).+){0,3}/m.exec(errors) ?? [];
  throw new UsageError(
    `Vite does not start with the changed configuration: ${reason}\nCorrect the cause, or ${pluginAdvice}`,
  );
};
