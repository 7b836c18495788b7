import { emailKey } from '@vitrine/contract/service';
import { checkOptions, numberOption, type OptionNames } from '../../errors/checkOptions.ts';
import { isPortalError, PortalError } from '../../errors/portalError.ts';
import type { User } from '../../resources/user.ts';
import { checkTenant } from '../fingerprint.ts';
import {
  actionId,
  isRemoval,
  type PlanAction,
  planFormat,
  type SyncPlan,
  type UserAction,
} from '../plan/syncPlan.ts';
import type { SyncPort, SyncReader } from '../syncPort.ts';
import type { ApplyOptions } from './applyOptions.ts';
import type { ApplyResult, Outcome } from './applyResult.ts';
import { applyUserAction, settleCreate } from './applyUserAction.ts';
import { checkRemovals } from './checkRemovals.ts';
import { createApplyRun, mayHaveChanged } from './createApplyRun.ts';
import { failureOf } from './failureOf.ts';
import { prepareStructure } from './prepareStructure.ts';
import { runPool } from './runPool.ts';
import { memoryJournal } from './syncJournal.ts';

const optionNames: OptionNames<ApplyOptions> = {
  allowRemovals: true,
  maxRemovals: true,
  maxRemovalPercent: true,
  allowAdministrators: true,
  journal: true,
  concurrency: true,
  signal: true,
  onProgress: true,
};

/**
 * Applies a plan. Checks each target first and skips it if it has changed; a failed action does not stop the others.
 * Rejects before the first change if the plan is for another portal or tenant, or removes too much.
 */
export const applyPlan = async (
  port: SyncPort,
  plan: SyncPlan,
  options: ApplyOptions = {},
): Promise<ApplyResult> => {
  const { reader } = port;
  checkOptions('applyPlan', options, optionNames);
  const { signal, journal = memoryJournal() } = options;
  const concurrency = numberOption('concurrency', options.concurrency ?? 8, { min: 1, max: 1000 });
  checkPlan(plan, reader.baseUrl);
  checkRemovals(plan, options);
  const writer = port.openWriter(signal);
  const run = createApplyRun(plan, options);
  if (run.allowed.length > 0) await checkTenant(plan.fingerprint, { reader, writer, signal });
  const states = new Map((await journal.open(plan.id)).map(({ action, state }) => [action, state]));
  try {
    const structure = await prepareStructure(plan, reader, { writer, signal });
    const findByEmail = createEmailIndex(reader, signal);
    const doubtful: { readonly action: PlanAction; readonly outcome: Outcome }[] = [];

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
      run.watch(outcome);
      if (outcome.state === 'failed' && outcome.mayExist === true) doubtful.push({ action, outcome });
      else await conclude(action, outcome);
    };
    const conclude = async (action: PlanAction, outcome: Outcome): Promise<void> => {
      const id = actionId(action);
      // An action with an unknown result stays `started`, so that the next run checks before it acts.
      if (outcome.state === 'done' || outcome.state === 'already')
        await journal.write({ action: id, state: 'done' });
      else if (outcome.state === 'drifted' || !isOpen(outcome))
        await journal.write({ action: id, state: 'failed' });
      run.note(action, outcome);
    };
    // Read the users once for all doubtful creations, and after all of them: an earlier reading could miss users of
    // later ones. If aborted, they stay `started`.
    const settleDoubtful = async (): Promise<void> => {
      const isWorthALook = doubtful.length > 0 && !run.shouldStop();
      const users = new Map<string, User>();
      // A partial reading still shows some users.
      if (isWorthALook) await readByEmail(reader, signal, users).catch(() => undefined);
      for (const { action, outcome } of doubtful) {
        if (signal?.aborted) {
          run.note(action, { state: 'failed', kind: 'aborted', message: 'the run was stopped' });
          continue;
        }
        const there = users.get(action.key);
        await conclude(
          action,
          there !== undefined && isUserCreation(action)
            ? await attempt(async () => settleCreate(action, there, structure.unitIds))
            : outcome,
        );
      }
    };

    const pool = { shouldStop: run.shouldStop };
    // Before any creation: a list that grows cannot be read completely.
    if (run.allowed.some((action) => isUserCreation(action) && states.get(actionId(action)) === 'started'))
      await findByEmail('').catch(() => undefined);
    // Parents before children, one by one; then users; removals last.
    await runPool(run.allowed.filter(isStructure), perform, { ...pool, concurrency: 1 });
    for (const removing of [false, true]) {
      await runPool(
        run.allowed.filter((action) => !isStructure(action) && isRemoval(action) === removing),
        perform,
        { ...pool, concurrency },
      );
      if (!removing) await settleDoubtful();
    }
    return run.result();
  } finally {
    await journal.close();
  }
};

const isUserCreation = (action: PlanAction): action is Extract<UserAction, { action: 'create' }> =>
  action.resource === 'user' && action.action === 'create';

const isStructure = (action: PlanAction): boolean => action.resource !== 'user';

const attempt = async (work: () => Promise<Outcome>): Promise<Outcome> => {
  try {
    return await work();
  } catch (error) {
    if (isPortalError(error)) return failureOf(error);
    return { state: 'failed', kind: 'invalid_response', message: 'an unexpected failure' };
  }
};

/** Whether a failed action may still have been done. A conflict means that it was not. */
const isOpen = ({ kind, mayExist = false }: Extract<Outcome, { state: 'failed' }>): boolean =>
  mayHaveChanged(kind) || (mayExist && kind !== 'conflict');

/** Reads all users of the tenant by address, into a map that fills as they arrive. */
const readByEmail = async (
  reader: SyncReader,
  signal: AbortSignal | undefined,
  users = new Map<string, User>(),
): Promise<ReadonlyMap<string, User>> => {
  for await (const user of reader.users({ signal }))
    if (user.email !== undefined) users.set(emailKey(user.email), user);
  return users;
};

/** Finds users by address; reads the list once, on first use. */
const createEmailIndex = (reader: SyncReader, signal: AbortSignal | undefined) => {
  let index: Promise<ReadonlyMap<string, User>> | undefined;
  return async (key: string): Promise<User | undefined> => {
    index ??= readByEmail(reader, signal).catch((error: unknown) => {
      index = undefined;
      throw error;
    });
    return (await index).get(key);
  };
};

const checkPlan = (plan: SyncPlan, baseUrl: string) => {
  if (plan.format !== planFormat.format || plan.version !== planFormat.version)
    throw new PortalError('This is not a plan that can be applied. Create one with {planSync}.', {
      kind: 'config',
      code: 'bad_plan',
    });
  if (plan.baseUrl !== baseUrl)
    throw new PortalError(
      `The plan was made for ${plan.baseUrl}, but this client connects to ${baseUrl}. Plan again for this address.`,
      { kind: 'config', code: 'other_portal' },
    );
};
