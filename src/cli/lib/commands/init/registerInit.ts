import { Option } from 'commander';
import { confirm } from '../../input/ask.ts';
import { UsageError } from '../../output/usageError.ts';
import type { RegisterCommand } from '../../program/addCommand.ts';
import { addCommand, type Run } from '../../program/addCommand.ts';
import { isOn } from '../../program/readOptions.ts';
import { readVersion } from '../../program/readVersion.ts';
import {
  applyChanges,
  leftovers,
  noteInstalled,
  planRevert,
  recordFile,
  revertChanges,
} from './appliedChanges.ts';
import { startScript } from './devAddress.ts';
import { detectKind } from './kinds.ts';
import { hasPackage, packageManagerOf, runInstall } from './packageManagerOf.ts';
import { type Change, formatChange, planInit, portalScript } from './planInit.ts';
import { openProject, type Project } from './project.ts';
import type { ProjectKind } from './projectKind.ts';

/** `vitrine init`: adds a report to an app. */
export const registerInit: RegisterCommand = (program, context) => {
  addCommand(program, context, {
    usage: 'init',
    summary: 'Add a report to a Next.js, React Router, Express, Hono or Vite app',
    details: `Shows every change as a diff and asks before it changes anything: the key route, a page with a report, packages and an npm script for a development portal. It never overwrites your files.

${recordFile} records the changes, so that --revert can undo them.`,
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

/** Installs the packages. `advice` says what to do if that fails or is canceled. */
const install = async ({ io, out }: Run, project: Project, advice: string): Promise<void> => {
  const manager = packageManagerOf(project);
  out.note(`Running ${manager} install …`);
  const hasSucceeded = await runInstall(manager, project.root, io).catch((error: unknown) => {
    out.note(`${manager} install did not finish. Run it again${advice}.`);
    throw error;
  });
  if (!hasSucceeded)
    throw new UsageError(`${manager} install failed. Correct the cause and run it again${advice}.`);
};

const filesOf = ({ length }: readonly Change[]): string => (length === 1 ? '1 file' : `${length} files`);

const init = async (run: Run): Promise<void> => {
  const { io, out, options, setExitCode } = run;
  const project = openProject(io.cwd);
  const kind = detectKind(project);
  const changes = planInit(project, kind, readVersion());
  out.note(`This is ${/^[AEIOU]/.test(kind.title) ? 'an' : 'a'} ${kind.title} app.\n`);
  if (changes.length === 0) {
    out.note('Vitrine is already set up in this app.');
    for (const line of nextSteps(project, kind)) out.line(line);
    return;
  }
  for (const change of changes) out.line(formatChange(change, out.colors));
  if (isOn(options, 'dryRun')) {
    setExitCode(2);
    return;
  }
  const installs = !isOn(options, 'skipInstall');
  const purpose = installs ? ' and install the packages' : '';
  if (!(await confirm(run, `Change ${filesOf(changes)}${purpose}?`))) {
    out.note('Nothing was changed.');
    return;
  }
  applyChanges(project.root, changes);
  if (installs) {
    await install(run, project, ', or undo everything with: vitrine init --revert');
    noteInstalled(project.root);
  }
  const { examineMachine } = await import('./examineMachine.ts');
  try {
    if (!(await examineMachine(run))) setExitCode(1);
  } finally {
    for (const line of nextSteps(project, kind, installs)) out.line(line);
  }
};

const frontendAdvice =
  'In your React frontend, install @vitrine/react and @tanstack/react-query; <EmbeddedReport itemId={1042} /> then shows this report.';

/** The next steps to see the report. */
const nextSteps = (project: Project, kind: ProjectKind, hasInstalled = false): string[] => {
  const manager = packageManagerOf(project);
  const hasPortal = kind.developmentPackages.includes('vitrine');
  const { name } = startScript(project, kind.isServer);
  const names = [...kind.packages, ...kind.developmentPackages];
  const steps = [
    ...(hasInstalled || names.every((one) => hasPackage(project, one)) ? [] : [`${manager} install`]),
    ...(hasPortal ? [`${manager} run ${portalScript}, in another terminal: the development portal`] : []),
    name === undefined ? 'Start your app' : `${manager} run ${name}`,
    `Open ${kind.address(project)}`,
  ];
  return [
    '',
    ...steps.map((step, index) => `${index + 1}. ${step}`),
    ...(kind.isServer ? ['', frontendAdvice] : []),
    ...(hasPortal
      ? [
          '',
          'No report? Run: npx vitrine doctor --env .env.local --item 1042 --user developer --role all-regions',
        ]
      : []),
  ];
};

const revert = async (run: Run): Promise<void> => {
  const { io, out, options, setExitCode } = run;
  const project = openProject(io.cwd);
  const plan = planRevert(project.root);
  for (const { file, before } of plan.undo)
    out.line(`${before === undefined ? 'Remove' : 'Restore'} ${file}`);
  if (!(await confirm(run, `Undo the changes of ${filesOf(plan.undo)}?`))) {
    out.note('Nothing was changed.');
    return;
  }
  revertChanges(project.root, plan);
  out.note('These files were restored.');
  if (plan.edited.length > 0) {
    setExitCode(1);
    out.line(
      `Not changed, because you have edited them since: ${plan.edited.map(({ file }) => file).join(', ')}.`,
    );
    for (const line of leftovers(project, plan.edited)) out.line(line);
  }
  if (plan.undo.some(({ installed }) => installed) && !isOn(options, 'skipInstall'))
    await install(run, project, ' to remove the packages: the files are restored');
};
