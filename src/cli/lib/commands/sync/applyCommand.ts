import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  type ApplyReport,
  fileJournal,
  isComplete,
  parseSyncPlan,
  type SyncPlan,
} from '@vitrine/portal-client';
import { Option } from 'commander';
import { confirm } from '../../input/confirm.ts';
import { withClient } from '../../input/openClient.ts';
import type { Output } from '../../output/createOutput.ts';
import { plainText } from '../../output/plainText.ts';
import { progressBar } from '../../output/progressBar.ts';
import type { CommandSpec, Run } from '../../program/addCommand.ts';
import { isOn, numberOption, textOption } from '../../program/readOptions.ts';
import { UsageError } from '../../program/usageError.ts';
import { showPlan, summarise } from './showPlan.ts';

/** `vitrine sync apply`: does what a saved plan says. */
export const applyCommand: CommandSpec = {
  usage: 'apply <plan>',
  summary: 'Do what a saved plan says',
  details: `Each target is looked at first, and left alone when it changed since the plan was made.
What was done is noted in a journal beside the plan: after a stop the same command goes on.
Users are only disabled or deleted with --allow-removals, and then up to the limits.`,
  options: [
    new Option('--allow-removals', 'disable and delete users, too'),
    new Option('--max-removals <number>', 'most users to disable or delete; default 10'),
    new Option('--max-removal-percent <number>', 'the same as a share of the users there are; default 5'),
    new Option('--journal <file>', 'where to note what was done; default <plan>.journal'),
    new Option('--concurrency <number>', 'users changed at the same time; default 8'),
  ],
  examples: [
    { line: 'vitrine sync apply plan.json --yes', note: 'without being asked' },
    {
      line: 'vitrine sync apply plan.json --yes --allow-removals --max-removals 3',
      note: 'with a few removals',
    },
  ],
  run: (run) =>
    withClient(run, async (client) => {
      const { io, out, options, args, setExitCode } = run;
      const path = resolve(io.cwd, args[0] ?? '');
      const plan = parseSyncPlan(await readPlan(path));
      if (plan.actions.length === 0) return out.note(summarise(plan.counts));
      if (out.format === 'table' && !isOn(options, 'yes')) showPlan(plan, out, io.stdout.columns ?? 80);
      if (!(await confirm(run, question(plan, isOn(options, 'allowRemovals')))))
        return out.note('Nothing was done.');
      const progress = progressBar(io, out, 'Applying');
      const report = await client
        .applyPlan(plan, {
          allowRemovals: isOn(options, 'allowRemovals'),
          maxRemovals: numberOption(options, 'maxRemovals', 0),
          maxRemovalPercent: numberOption(options, 'maxRemovalPercent', 0),
          concurrency: concurrencyOf(run),
          journal: fileJournal(resolve(io.cwd, textOption(options, 'journal') ?? `${path}.journal`)),
          signal: io.signal,
          onProgress: ({ done, total }) => progress.update(done, total),
        })
        .finally(progress.stop);
      if (out.format === 'table') showReport(report, out);
      else out.record(report);
      if (!isComplete(report)) setExitCode(1);
    }),
};

const readPlan = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8');
  } catch {
    throw new UsageError(
      `The plan ${path} cannot be read. Make one with \`vitrine sync plan … --out ${path}\`.`,
    );
  }
};

const concurrencyOf = ({ options }: Run): number | undefined => {
  const value = numberOption(options, 'concurrency', 1);
  return value === undefined ? undefined : Math.floor(value);
};

const question = ({ counts, actions, baseUrl }: SyncPlan, mayRemove: boolean): string => {
  const removals = counts.disable + counts.delete;
  const rest = actions.length - (mayRemove ? 0 : removals);
  const warning = mayRemove && removals > 0 ? ` ${removals} of them disable or remove a user.` : '';
  return `Make ${rest} changes at ${baseUrl}?${warning}`;
};

/** What a run has done, as people read it. */
export const showReport = (report: ApplyReport, out: Output): void => {
  const { colors, line, note } = out;
  for (const { action, key, message } of report.failed)
    line(`${colors.red('failed')}   ${action} ${plainText(key)}: ${plainText(message)}`);
  for (const { action, key, message } of report.drifted)
    line(`${colors.yellow('skipped')}  ${action} ${plainText(key)}: ${plainText(message)}`);
  const { create, update, disable, delete: removed } = report.done;
  const parts = [
    [create, 'created'],
    [update, 'changed'],
    [disable, 'disabled'],
    [removed, 'removed'],
    [report.already, 'so already'],
    [report.failed.length, 'failed'],
    [report.drifted.length, 'skipped'],
    [report.left, 'not reached'],
  ].filter(([count]) => count !== 0);
  line(
    parts.length === 0
      ? 'Nothing was done.'
      : `${parts.map(([count, what]) => `${count?.toLocaleString('en')} ${what}`).join(', ')}.`,
  );
  if (report.notAllowed > 0)
    note(`${report.notAllowed} removals were left out. Add --allow-removals to do them.`);
  if (report.stopped !== undefined) note(`${stops[report.stopped]} Run the same command again to go on.`);
};

const stops = {
  aborted: 'The run was stopped.',
  unauthorized: 'The portal does not accept the API key.',
  portal_down: 'The portal failed too often in a row.',
} as const;
