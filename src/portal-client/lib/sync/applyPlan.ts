import { checkOptions, numberOption, type OptionNames } from '../client/checkOptions.ts';
import { isPortalError, PortalError, type PortalErrorKind } from '../errors/portalError.ts';
import type { Clock } from '../http/clock.ts';
import type { Send } from '../http/httpCall.ts';
import type { User } from '../resources/user.ts';
import type { ApplyProgress, ApplyReport, Outcome, UndoneAction } from './applyReport.ts';
import { prepareStructure } from './applyStructure.ts';
import { applyUserAction } from './applyUserAction.ts';
import { checkRemovals, type RemovalLimits } from './checkRemovals.ts';
import { emailKey } from './emailKey.ts';
import { memoryJournal, type SyncJournal } from './journal.ts';
import { actionId, isRemoval, type PlanAction, type SyncPlan } from './plan.ts';
import type { SyncReader } from './planSync.ts';
import { runPool } from './runPool.ts';
import { createSyncWriter } from './syncWriter.ts';

/** Options of `applyPlan`. */
export interface ApplyOptions extends RemovalLimits {
  /** Where to note what was done. With a file, a broken run goes on where it stopped. Default none. */
  readonly journal?: SyncJournal | undefined;
  /** Users changed at the same time. Default 8. */
  readonly concurrency?: number | undefined;
  /** Ends the run after the actions under way; the report says what was done. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ApplyProgress) => void) | undefined;
}

/** What applying needs of a client. */
export interface ApplyTools {
  readonly reader: SyncReader;
  readonly send: Send;
  readonly clock: Clock;
}

const optionNames: OptionNames<ApplyOptions> = {
  allowRemovals: true,
  maxRemovals: true,
  maxRemovalPercent: true,
  journal: true,
  concurrency: true,
  signal: true,
  onProgress: true,
};

/** Failures in a row after which the portal counts as down. */
const maxFailuresInARow = 25;

/**
 * Does what a plan says. Each target is looked at first and left alone when it is no longer as planned; a failed
 * action stops no other. Rejects before anything is sent when the plan is for another portal or removes too much.
 */
export const applyPlan = async (
  tools: ApplyTools,
  plan: SyncPlan,
  options: ApplyOptions = {},
): Promise<ApplyReport> => {
  const { reader, clock } = tools;
  checkOptions('applyPlan', options, optionNames);
  const { signal, journal = memoryJournal() } = options;
  const concurrency = numberOption('concurrency', options.concurrency ?? 8, { min: 1, max: 1000 });
  checkPlan(plan, reader.baseUrl);
  checkRemovals(plan, options);
  const states = new Map((await journal.open(plan.id)).map(({ action, state }) => [action, state]));
  const writer = createSyncWriter(tools.send, clock, signal);
  const run = createRun(plan, options);
  try {
    const structure = await prepareStructure(plan, reader, { writer, signal });
    const findByEmail = createEmailIndex(reader, signal);

    const perform = async (action: PlanAction): Promise<void> => {
      const id = actionId(action);
      const state = states.get(id);
      if (state === 'done') return run.note(action, { state: 'already' });
      await journal.write({ action: id, state: 'started' });
      const outcome = await attempt(() =>
        action.resource === 'user'
          ? applyUserAction(action, {
              writer,
              isUncertain: state === 'started',
              findByEmail,
              unitIds: structure.unitIds,
            })
          : structure.apply(action),
      );
      // An action whose end is unknown stays `started`, so that the next run looks before it acts.
      if (outcome.state === 'done' || outcome.state === 'already')
        await journal.write({ action: id, state: 'done' });
      else if (outcome.state === 'drifted' || !isUnclear(outcome.kind))
        await journal.write({ action: id, state: 'failed' });
      run.note(action, outcome);
    };

    const allowed = plan.actions.filter((action) => options.allowRemovals === true || !isRemoval(action));
    const pool = { shouldStop: run.shouldStop };
    // Parents before children, one after the other; users after all of it; what takes away last of all.
    await runPool(allowed.filter(isStructure), perform, { ...pool, concurrency: 1 });
    for (const removing of [false, true])
      await runPool(
        allowed.filter((action) => !isStructure(action) && isRemoval(action) === removing),
        perform,
        { ...pool, concurrency },
      );
    return run.report(plan.actions.length - allowed.length);
  } finally {
    await journal.close();
  }
};

const isStructure = (action: PlanAction): boolean => action.resource !== 'user';

const attempt = async (work: () => Promise<Outcome>): Promise<Outcome> => {
  try {
    return await work();
  } catch (error) {
    if (isPortalError(error)) return { state: 'failed', kind: error.kind, message: error.message };
    return { state: 'failed', kind: 'invalid_response', message: 'an unexpected failure' };
  }
};

const isUnclear = (kind: PortalErrorKind): boolean =>
  kind === 'network' ||
  kind === 'timeout' ||
  kind === 'aborted' ||
  kind === 'server' ||
  kind === 'invalid_response';

const createRun = (plan: SyncPlan, { signal, allowRemovals, onProgress }: ApplyOptions) => {
  const done = { create: 0, update: 0, disable: 0, delete: 0 };
  const drifted: UndoneAction[] = [];
  const failed: UndoneAction[] = [];
  const total = plan.actions.filter((action) => allowRemovals === true || !isRemoval(action)).length;
  let already = 0;
  let reached = 0;
  let failuresInARow = 0;
  let stopped: ApplyReport['stopped'];

  const note = (action: PlanAction, outcome: Outcome) => {
    const undone = (message: string): UndoneAction => {
      const { resource, key } = action;
      return { action: action.action, resource, key, message };
    };
    if (outcome.state === 'failed' && outcome.kind === 'aborted') return;
    reached += 1;
    failuresInARow = outcome.state === 'failed' && isUnclear(outcome.kind) ? failuresInARow + 1 : 0;
    if (failuresInARow >= maxFailuresInARow) stopped ??= 'portal_down';
    switch (outcome.state) {
      case 'done':
        done[action.action] += 1;
        break;
      case 'already':
        already += 1;
        break;
      case 'drifted':
        drifted.push(undone(outcome.message));
        break;
      case 'failed':
        failed.push(undone(outcome.message));
        if (outcome.kind === 'unauthorized') stopped ??= 'unauthorized';
    }
    try {
      onProgress?.({ done: reached, total, failed: failed.length + drifted.length });
    } catch {
      // A listener's mistake must not end a run in the middle of its changes.
    }
  };
  return {
    note,
    shouldStop: () => {
      if (signal?.aborted) stopped ??= 'aborted';
      return stopped !== undefined;
    },
    report: (notAllowed: number): ApplyReport => ({
      planId: plan.id,
      done,
      already,
      drifted,
      failed,
      notAllowed,
      left: total - reached,
      stopped: signal?.aborted ? (stopped ?? 'aborted') : stopped,
    }),
  };
};

/** Finds users by address in one reading of the list, made when first asked. */
const createEmailIndex = (reader: SyncReader, signal: AbortSignal | undefined) => {
  let index: Promise<ReadonlyMap<string, User>> | undefined;
  const load = async () => {
    const users = new Map<string, User>();
    for await (const user of reader.users({ signal }))
      if (user.email !== undefined) users.set(emailKey(user.email), user);
    return users;
  };
  return async (key: string): Promise<User | undefined> => {
    index ??= load().catch((error: unknown) => {
      index = undefined;
      throw error;
    });
    return (await index).get(key);
  };
};

const checkPlan = (plan: SyncPlan, baseUrl: string) => {
  if (plan.format !== 'vitrine-sync-plan' || plan.version !== 1)
    throw new PortalError('This is no plan that can be applied. Make one with planSync.', {
      kind: 'config',
      code: 'bad_plan',
    });
  if (plan.baseUrl !== baseUrl)
    throw new PortalError(
      `The plan was made for ${plan.baseUrl}, and this client speaks to ${baseUrl}. Plan again for this one.`,
      { kind: 'config', code: 'other_portal' },
    );
};
