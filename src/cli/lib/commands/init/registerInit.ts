import { spawn } from 'node:child_process';
import { Option } from 'commander';
import { confirm } from '../../input/confirm.ts';
import { UsageError } from '../../output/usageError.ts';
import { addCommand, type Run } from '../../program/addCommand.ts';
import { isOn } from '../../program/readOptions.ts';
import { readVersion } from '../../program/readVersion.ts';
import type { RegisterCommand } from '../registerCommands.ts';
import { detectKind } from './kinds.ts';
import { formatChange, planInit, portalScript } from './plan.ts';
import { openProject, type Project } from './project.ts';
import type { ProjectKind } from './projectKind.ts';
import { applyChanges, noteManifest, planRevert, recordFile, revertChanges } from './record.ts';

/** `vitrine init`: adds a report to an app. */
export const registerInit: RegisterCommand = (program, context) => {
  addCommand(program, context, {
    usage: 'init',
    summary: 'Add a report to a Next.js, React Router, Express, Hono or Vite app',
    details: `Shows every change as a diff and asks before it changes anything: the key route, a page with a report, packages and an npm script for a development portal. It never overwrites your files.

${recordFile} notes the changes, so that --revert can undo them.`,
    options: [
      new Option('-y, --yes', 'change the app without asking'),
      new Option('--dry-run', 'show the changes without making them; exit code 2 if there are any').conflicts(
        'yes',
      ),
      new Option('--revert', 'undo the changes of an earlier run').conflicts('dryRun'),
      new Option('--skip-install', 'do not install packages'),
    ],
    examples: [
      { line: 'vitrine init --dry-run', note: 'show what would change' },
      { line: 'vitrine init --yes --skip-install', note: 'change the app without asking, and install later' },
    ],
    run: (run) => (isOn(run.options, 'revert') ? revert(run) : init(run)),
  });
};

const lockFiles = { 'pnpm-lock.yaml': 'pnpm', 'yarn.lock': 'yarn', 'bun.lock': 'bun' } as const;

const packageManagerOf = (project: Project): string => {
  const lockFile = project.find(Object.keys(lockFiles));
  return lockFiles[lockFile as keyof typeof lockFiles] ?? 'npm'; // found among those names
};

const install = async ({ io, out, options }: Run, project: Project): Promise<void> => {
  if (isOn(options, 'skipInstall')) return;
  const manager = packageManagerOf(project);
  out.note(`Running ${manager} install …`);
  const status = await new Promise((resolve, reject) => {
    // On Windows package managers are scripts, which only a shell starts.
    const child = spawn(`${manager} install`, {
      cwd: project.root,
      shell: true,
      signal: io.signal,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (status !== 0)
    throw new UsageError(
      `${manager} install failed. Correct the cause and run it again, or undo everything with: vitrine init --revert`,
    );
};

const init = async (run: Run): Promise<void> => {
  const { io, out, options, setExitCode } = run;
  const project = openProject(io.cwd);
  const kind = detectKind(project);
  const changes = planInit(project, kind, readVersion());
  out.note(`This is ${/^[AEIOU]/.test(kind.title) ? 'an' : 'a'} ${kind.title} app.\n`);
  if (changes.length === 0) {
    out.note('Vitrine is already set up in this app.');
    return;
  }
  for (const change of changes) out.line(formatChange(change, out.colors));
  if (isOn(options, 'dryRun')) {
    setExitCode(2);
    return;
  }
  if (!(await confirm(run, `Change ${changes.length} files and install the packages?`))) {
    out.note('Nothing was changed.');
    return;
  }
  applyChanges(project.root, changes);
  await install(run, project);
  noteManifest(project.root);
  const { examineMachine } = await import('./examineMachine.ts');
  try {
    if (!(await examineMachine(run))) setExitCode(1);
  } finally {
    for (const line of nextSteps(project, kind)) out.line(line);
  }
};

const nextSteps = (project: Project, { developmentPackages, address }: ProjectKind): string[] => {
  const start = ['dev', 'start'].find((name) => project.manifest.scripts?.[name] !== undefined);
  const steps = [
    ...(developmentPackages.includes('vitrine')
      ? [`npm run ${portalScript}, in another terminal: the development portal`]
      : []),
    start === undefined ? 'Start your app' : `npm run ${start}`,
    `Open ${address(project)}`,
  ];
  return [
    '',
    ...steps.map((step, index) => `${index + 1}. ${step}`),
    ...(developmentPackages.includes('vitrine')
      ? ['', 'No report? Run: npx vitrine doctor --env .env.local']
      : []),
  ];
};

const revert = async (run: Run): Promise<void> => {
  const { io, out, setExitCode } = run;
  const project = openProject(io.cwd);
  const plan = planRevert(project.root);
  for (const { file, before } of plan.undo)
    out.line(`${before === undefined ? 'Remove' : 'Restore'} ${file}`);
  if (!(await confirm(run, `Undo the changes of ${plan.undo.length} files?`))) {
    out.note('Nothing was changed.');
    return;
  }
  revertChanges(project.root, plan);
  await install(run, project);
  out.note('These files are as they were before.');
  if (plan.edited.length === 0) return;
  setExitCode(1);
  out.line(`Edited since, and not changed: ${plan.edited.map(({ file }) => file).join(', ')}.`);
};
