import type { MessageOf, Report } from './diagnostics.ts';
import type { ActionInbox } from './inbox.ts';
import { timing } from './timing.ts';

/** Dependencies shared by the parts of actions. */
export interface ActionsContext {
  readonly inbox: ActionInbox;
  readonly report: Report;
  readonly messageOf: MessageOf;
}

/**
 * Runs a function now, at each change of the inbox, and regularly for unannounced ones: one run at a time, and another for
 * changes during a run. Failures are reported once, until a run succeeds.
 */
export const runOnChange = (
  { inbox, report, messageOf }: ActionsContext,
  change: 'appended' | 'published',
  run: () => Promise<void>,
) => {
  const state = { isStopped: false, isRunning: false, isDue: false, hasFailed: false };
  let current = Promise.resolve();
  const fail = (error: unknown): void => {
    const message = `The action inbox does not respond: ${messageOf(error)}`;
    if (!state.hasFailed) report({ kind: 'inbox-failed', message, error });
    state.hasFailed = true;
  };
  const runWhileDue = async (): Promise<void> => {
    for (state.isRunning = true; state.isDue && !state.isStopped; ) {
      state.isDue = false;
      try {
        await run();
        state.hasFailed = false;
      } catch (error) {
        fail(error);
      }
    }
    state.isRunning = false;
  };
  const wake = (): void => {
    state.isDue = true;
    if (!state.isRunning) current = runWhileDue();
  };
  const unwatch = inbox.watch((seen) => {
    if (seen === change) wake();
  });
  const poll = setInterval(wake, timing.pollMs).unref();
  wake();

  return {
    wake,
    fail,
    /** Starts no more runs; resolves when the current one has ended. */
    stop(): Promise<void> {
      state.isStopped = true;
      clearInterval(poll);
      unwatch();
      return current;
    },
  };
};
