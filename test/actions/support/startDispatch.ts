import {
  type ActionHandlers,
  type ActionInbox,
  type ActionsOptions,
  sqliteInbox,
} from '@vitrine/server/actions';
import { expect, onTestFinished } from 'vitest';
import { startActions } from '../../../src/server/lib/actions/createActions.ts';
import type { Timing } from '../../../src/server/lib/actions/timing.ts';
import { collectDiagnostics, reportId, reportNumber, secret } from './samples.ts';

/** Actions with these handlers, visible to nobody unless the options allow it; closed at the end of the test. */
export const startDispatch = (
  handlers: ActionHandlers | undefined,
  timing: Partial<Timing> = {},
  { inbox: given, ...options }: Partial<ActionsOptions> & { readonly inbox?: ActionInbox } = {},
) => {
  const inbox = given ?? sqliteInbox(':memory:');
  const { diagnostics, logger, next } = collectDiagnostics();
  const actions = startActions(
    {
      secrets: secret,
      inbox,
      logger,
      audience: 'nobody',
      itemIdOf: (id) => (id === reportId ? reportNumber : undefined),
      ...(handlers !== undefined && { on: handlers }),
      ...options,
    },
    { pollMs: 20, firstRetryMs: 1, maxRetryMs: 5, ...timing },
  );
  onTestFinished(() => actions.close(0));
  const deliver = (body: unknown, receivedAtMs = Date.now()) =>
    inbox.append({
      raw: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      receivedAtMs,
    });
  const states = async () => await inbox.counts();
  return { inbox, actions, diagnostics, next, deliver, states };
};

/** Waits until no delivery is pending. */
export const settled = async (
  states: () => Promise<{ readonly pending: number } | undefined>,
): Promise<void> => {
  await expect.poll(async () => (await states())?.pending, { timeout: 50_000 }).toBe(0);
};
