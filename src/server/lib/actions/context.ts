import type { MessageOf, Report } from './diagnostics.ts';
import type { ActionInbox } from './inbox.ts';
import type { Timing } from './timing.ts';

/** Dependencies shared by the parts of actions. */
export interface ActionsContext {
  readonly inbox: ActionInbox;
  readonly report: Report;
  readonly messageOf: MessageOf;
  readonly timing: Timing;
  /** Why this process cannot store webhooks: until the inbox first responds, and after its file was replaced. */
  readonly contact: { hasResponded: boolean; notReadyReason: string | undefined };
}

/**
 * Runs a function now, at each change of the inbox, and regularly for unannounced ones: one run at a time, and another for
 * changes during a run. Failures are reported once, until a run succeeds.
 */
export const runOnChange = (
  { inbox, report, messageOf, timing, contact }: ActionsContext,
  change: 'appended' | 'published',
  run: () => Promise<void>,
) => {
  const state = { isDue: false, isStopped: false, hasFailed: false };
  let current: Promise<void> | undefined;
  const fail = (error: unknown): void => {
    const message = `The action inbox does not respond: ${messageOf(error)}`;
    if (!state.hasFailed) report({ kind: 'inbox-failed', message, error });
    if (!contact.hasResponded) contact.notReadyReason = message;
    state.hasFailed = true;
  };
  const runWhileDue = async (): Promise<void> => {
    while (state.isDue && !state.isStopped)
      try {
        state.isDue = false;
        await run();
        state.hasFailed = false;
        if (!contact.hasResponded) contact.notReadyReason = undefined;
        contact.hasResponded = true;
      } catch (error) {
        // The inbox may be closed by now.
        if (!state.isStopped) fail(error);
      }
    current = undefined;
  };
  const wake = async (): Promise<void> => {
    state.isDue = true;
    current ??= runWhileDue();
    await current;
  };
  const unwatch = inbox.watch((seen) => {
    if (seen === change) void wake();
  });
  let timer: NodeJS.Timeout | undefined;
  // At random times, so that of several processes none without the handler is always the first to claim.
  const poll = (): void => {
    void wake();
    timer = setTimeout(poll, timing.pollMs * (0.5 + Math.random())).unref();
  };
  poll();

  return {
    /** Runs it now, and resolves when it has ended. */
    wake,
    fail,
    /** Starts no more runs; resolves when the current one has ended. */
    async stop(): Promise<void> {
      state.isStopped = true;
      clearTimeout(timer);
      unwatch();
      await current;
    },
  };
};
