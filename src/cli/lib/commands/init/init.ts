import { exec, execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { Option } from 'commander';
import { confirm } from '../../input/ask.ts';
import { UsageError } from '../../output/usageError.ts';
import { type CommandSpec, type Run, yesOption } from '../../program/addCommand.ts';
import { isOn } from '../../program/readOptions.ts';
import { readVersion } from '../../program/readVersion.ts';
import { formatChange, makeChanges, planChanges } from './changes.ts';
import { openProject, type Project, parentsOf, planApp } from './frameworks.ts';

/** `vitrine init`: adds a report to an app. */
export const initCommand: Omit<CommandSpec, 'summary'> = {
  usage: 'init',
  details:
    'Writes new files, .env.local and the plugin into a configuration of Vite, and installs the packages, after it showed them and asked. It never overwrites a file of yours and changes no server: it shows the lines for one, and where they go. It starts Vite and asks the key route, and takes its changes back if that or the installation fails.',
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
  const changes = await planChanges(project, plan);
  // The plugin of Vite runs a portal of its own, and installs no `vitrine`.
  const hasCli = plan.title !== 'Vite';
  const installation = installationOf(project, plan.packages, hasCli ? 'vitrine' : '@vitrine/vite');
  out.note(`${plan.title} app found.\n`);
  for (const change of changes) out.warn(formatChange(change));
  if (installation !== '') out.warn(`Run ${installation}\n`);
  if (changes.length === 0 && installation === '') out.note('Vitrine is already set up in this app.');
  else if (!(await confirm(run, 'Change the app?'))) return;
  const installs = installation !== '' && !isOn(options, 'skipInstall');
  if (installs) await install(run, project, installation);
  const isEdited = !isOn(options, 'skipInstall') && changes.some(({ file }) => file === plan.config);
  const origin = await makeChanges(project.root, changes, async () => (isEdited ? verify(run, project) : ''));
  const { title, lines } = plan;
  const page = `${origin}${plan.page}`;
  const steps = [
    installs ? '' : installation,
    hasCli ? 'npx vitrine portal --write-env .env.local, in another terminal: a portal on your machine' : '',
    'Start your app',
    openStep(page),
    hasCli
      ? `No report? npx vitrine doctor --env .env.local --item 1042 --user developer --role all-regions`
      : '',
  ].filter((step) => step !== '');
  const created = changes.filter(({ before }) => before === undefined).map(({ file }) => file);
  const changed = changes.filter(({ before }) => before !== undefined).map(({ file }) => file);
  if (installs) changed.push(relative(project.root, join(project.home, 'package.json')));
  const shown = lines && `\nAdd to ${lines.where}:\n\n${lines.code.replaceAll(/^/gm, '  ')}\n`;
  const text = [shown ?? '', ...steps.map((step, index) => `${index + 1}. ${step}`)].join('\n');
  out.record({ framework: title, created, changed, add: lines, steps, page }, text);
  if (created.length > 0) out.note(`\nCreated: ${created.join(', ')}`);
  if (changed.length > 0) out.note(`\nChanged: ${changed.join(', ')}`);
};

const openStep = (page: string): string => {
  if (page === '') return 'Show <EmbeddedReport itemId={1042} /> of @vitrine/react in your frontend';
  return page.startsWith('http') ? `Open ${page}` : `Open ${page} of the address that it prints`;
};

const managers = {
  'pnpm-lock.yaml': 'pnpm add',
  'yarn.lock': 'yarn add',
  'bun.lock': 'bun add',
  'package-lock.json': 'npm install',
};

/** The command that installs the packages that are missing, with the package manager of the nearest lock file. */
const installationOf = ({ root, listed }: Project, packages: readonly string[], tool: string): string => {
  const found = parentsOf(root).flatMap((folder) =>
    Object.entries(managers).filter(([file]) => existsSync(join(folder, file))),
  );
  const [, add] = found[0] ?? ['', 'npm install'];
  const missing = (names: readonly string[]) =>
    names
      .filter((name) => !(name in listed))
      .map((name) => ` ${name}@^${name.startsWith('@tanstack/') ? '5.60.0' : readVersion()}`)
      .join('');
  const [needed, forDevelopment] = [missing(packages), missing([tool])];
  const commands = [needed && `${add}${needed}`, forDevelopment && `${add} -D${forDevelopment}`];
  return commands.filter((command) => command !== '').join(' && ');
};

/** Installs the packages, before anything is written that needs them. */
const install = async ({ io, out }: Run, { home }: Project, command: string): Promise<void> => {
  out.note(`Running ${command} …`);
  const options = { cwd: home, signal: io.signal, maxBuffer: 64 * 1024 * 1024 };
  await promisify(exec)(command, options).catch((error: unknown) => {
    // Yarn prints errors to stdout; the message has those of stderr.
    io.stderr.write(String(Object(error).stdout ?? '').slice(-2000));
    out.warn(
      'The installation did not finish, so vitrine init wrote no file. Correct the cause, and run vitrine init again.',
    );
    throw error;
  });
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
if (answer.status !== 200) throw new Error('the key route answered with status ' + answer.status);
console.log('\\nAnswered: ' + url);
process.exit();`;

/** Asks the key route of what was edited. Resolves to the address; throws with the reason if that fails. */
const verify = async ({ io, out }: Run, { root }: Project): Promise<string> => {
  if (parentsOf(root).some((folder) => existsSync(join(folder, '.pnp.cjs')))) {
    out.warn("Not tried: with Yarn's Plug'n'Play, only Yarn can start the app. Start it, and open the page.");
    return '';
  }
  const options = { cwd: root, env: { ...process.env, ...io.env }, signal: io.signal, timeout: 60_000 };
  try {
    const asked = promisify(execFile)(process.execPath, ['--input-type=module', '-e', question], options);
    const [, url = ''] = /^Answered: (.*?)\/?$/m.exec((await asked).stdout) ?? [];
    out.note('The changed configuration loads, and the key route answers.');
    return url;
  } catch (cause) {
    const { stderr, message }: Partial<Record<string, string>> = Object(cause);
    const [reason] = /^\w*Error.*(?:\n(?!\s+at ).+){0,3}/m.exec(stderr ?? '') ?? [message];
    throw new UsageError(
      `Vite does not start with the changed configuration: ${reason}
Every file is as it was; the packages stay installed. Correct the cause, and run vitrine init again.`,
      { cause },
    );
  }
};
