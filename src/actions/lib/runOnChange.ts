import type { ActionsContext } from './actionsContext.ts';
import { createBatcher } from './batcher.ts';
import type { InboxChange } from './inbox/actionInbox.ts';

/** What {@link runOnChange} runs, and when. */
export interface RunOnChangeOptions {
  readonly change: InboxChange;
  /** How often to run for changes that no one announced, in milliseconds. */
  readonly pollMs: number;
  readonly run: () => Promise<void>;
}

/** Runs something now, every `pollMs` and at each change of the inbox: once at a time, and again for what changes meanwhile. */
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
    if (state.hasFailed) onDiagnostic({ kind: 'inbox', diagnostic: { kind: 'recovered', imported: 0 } });
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
    /** Reports a failure of the inbox; the next run that succeeds reports its end. */
    fail,
    /** Starts no more runs; resolves when the present one has ended. */
    stop(): Promise<void> {
      state.isStopped = true;
      clearInterval(poll);
      unwatch();
      return runs.idle();
    },
  };
};
