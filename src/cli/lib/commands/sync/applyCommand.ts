import { resolve } from 'node:path';
import type { ApplyResult } from '@vitrine/portal-client';
import { Option } from 'commander';
import { confirm } from '../../input/ask.ts';
import { withClient } from '../../input/withClient.ts';
import type { Output } from '../../output/createOutput.ts';
import { readText } from '../../output/fileError.ts';
import { progressBar } from '../../output/progressBar.ts';
import { counted, listCounts, plainText } from '../../output/text.ts';
import type { CommandSpec } from '../../program/addCommand.ts';
import { isOn, numberOption } from '../../program/readOptions.ts';

/** `vitrine sync apply`: applies a saved plan. */
export const applyCommand: CommandSpec = {
  usage: 'apply <plan>',
  summary: 'Apply a saved plan',
  details: `The command checks each user first, and skips a user who has changed since the plan was made.
After an interruption, plan again: the new plan has what is left.
Users are only disabled, deleted or left without roles with --allow-removals, and then up to the limits;
nobody becomes an administrator or stops being one without --allow-administrators.`,
  api: 'changes',
  options: [
    new Option('--allow-removals', 'also disable and delete users, or take all roles or units from them'),
    new Option('--max-removals <number>', 'maximum number of such users; default 10'),
    new Option(
      '--max-removal-percent <number>',
      'the same in percent of all users; default 5, at least 1 user',
    ),
    new Option('--allow-administrators', 'also add and remove administrators'),
    new Option('--all', 'show every change'),
  ],
  examples: [
    { line: 'vitrine sync apply plan.json --yes', note: 'without confirmation' },
    {
      line: 'vitrine sync apply plan.json --yes --allow-removals --max-removals 3',
      note: 'with a few removals',
    },
  ],
  run: (run) =>
    withClient(run, async (client) => {
      const { io, out, options, args, setExitCode } = run;
      const { parseSyncPlan } = await import('@vitrine/portal-client');
      const { applyQuestion, showPlan, summarize } = await import('./showPlan.ts');
      const allowed = {
        allowRemovals: isOn(options, 'allowRemovals'),
        allowAdministrators: isOn(options, 'allowAdministrators'),
      };
      const path = resolve(io.cwd, args[0] ?? '');
      const next = `Create a plan with \`vitrine sync plan … --out ${path}\`.`;
      const plan = parseSyncPlan(await readText(path, `read the plan ${path}`, next, io.signal));
      if (plan.baseUrl !== client.baseUrl)
        out.note(`The plan was made at ${plan.baseUrl}, and is for ${client.baseUrl} now.`);
      if (plan.conflicts.length > 0) setExitCode(2);
      const isEmpty = plan.actions.length === 0;
      if (isEmpty && out.format === 'table') return out.note(summarize(plan));
      if (out.format === 'table' && !isOn(options, 'yes')) showPlan(plan, out, isOn(options, 'all'));
      if (!isEmpty && !(await confirm(run, applyQuestion(plan, allowed)))) return;
      const progress = progressBar(io, out, 'Applying');
      const result = await client
        .applyPlan(plan, {
          ...allowed,
          maxRemovals: numberOption(options, 'maxRemovals', 0),
          maxRemovalPercent: numberOption(options, 'maxRemovalPercent', 0),
          signal: io.signal,
          onProgress: ({ done, total }) => progress.update(done, total),
        })
        .finally(progress.stop);
      if (out.format === 'table') showResult(result, out);
      else out.record(result);
      const { removals, administrators } = result.notAllowed;
      if (removals + administrators > 0) setExitCode(2);
      if (!result.isComplete) setExitCode(1);
    }),
};

/** Shows the result of a run. */
const showResult = (result: ApplyResult, out: Output): void => {
  const { colors, line, warn } = out;
  for (const { action, target, message } of result.failed)
    line(`${colors.red('failed')}   ${action} ${plainText(target)}: ${plainText(message)}`);
  for (const { action, target, message } of result.drifted)
    line(`${colors.yellow('skipped')}  ${action} ${plainText(target)}: ${plainText(message)}`);
  const { create, update, disable, delete: deleted } = result.done;
  const changes = listCounts([
    [create, 'created'],
    [update, 'changed'],
    [disable, 'disabled'],
    [deleted, 'deleted'],
    [result.already, 'already applied'],
    [result.failed.length, 'failed'],
    [result.drifted.length, 'skipped'],
    [result.unknown, 'with an unknown outcome'],
    [result.left, 'not reached'],
  ]);
  line(`${changes || 'Nothing was changed'}.`);
  const { removals, administrators } = result.notAllowed;
  if (removals > 0)
    warn(
      `${counted(removals, 'removal was', 'removals were')} skipped. Add --allow-removals to include ${removals === 1 ? 'it' : 'them'}.`,
    );
  if (administrators > 0)
    warn(
      `${counted(administrators, 'change that adds or removes an administrator was', 'changes that add or remove an administrator were')} skipped. Add --allow-administrators to include ${administrators === 1 ? 'it' : 'them'}.`,
    );
  if (result.stopped !== undefined)
    warn(`${stops[result.stopped]} Plan again to continue: \`vitrine sync plan\` lists what is left.`);
};

const stops = {
  aborted: 'The run was stopped.',
  unauthorized: 'The portal does not accept the API key.',
  portal_down: 'The portal failed too often in a row.',
} as const;
