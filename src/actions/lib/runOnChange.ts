import type { ActionsContext } from './actionsContext.ts';
import { createBatcher } from './createBatcher.ts';
import type { InboxChange } from './inbox/actionInbox.ts';

/** Options of {@link runOnChange}. */
export interface RunOnChangeOptions {
  readonly change: InboxChange;
  /** How often to run for unannounced changes, in milliseconds. */
  readonly pollMs: number;
  readonly run: () => Promise<void>;
}

/**
 * Runs a function now, every `pollMs` and at each change of the inbox: one run at a time, and another for changes
 * during a run.
 */
export const runOnChange = (
  { inbox, onDiagnostic }: Pick<ActionsContext, 'inbox' | 'onDiagnostic'>,
  { change, pollMs, run }: RunOnChangeOptions,
) => {
  const state = { isStopped: false, hasFailed: false };
  const fail = (error: unknown): void => {
    state.hasFailed = true;
    onDiagnostic({ kind: 'inbox-failed', error });
  };
  const succeed = (): void => {
    if (state.hasFailed) onDiagnostic({ kind: 'inbox', diagnostic: { kind: 'recovered' } });
    state.hasFailed = false;
  };
  const runs = createBatcher<void, void>(async () => {
    if (!state.isStopped) await run().then(succeed, fail);
    return [];
  });
  const wake = (): void => void runs.add();
  const unwatch = inbox.watch((seen) => {
    if (seen === change) wake();
  });
  const poll = setInterval(wake, pollMs).unref();
  wake();

  return {
    wake,
    /** Reports a failure of the inbox; the next successful run reports its end. */
    fail,
    /** Starts no more runs; resolves when the current one has ended. */
    stop(): Promise<void> {
      state.isStopped = true;
      clearInterval(poll);
      unwatch();
      return runs.idle();
    },
  };
};
