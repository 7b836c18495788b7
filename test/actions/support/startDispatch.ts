import {
  type ActionHandlers,
  type ActionInbox,
  createActionWebhook,
  type DispatchOptions,
  sqliteInbox,
} from '@vitrine/actions';
import { expect, onTestFinished } from 'vitest';
import { collectNews, secret } from './samples.ts';

const quick: DispatchOptions = { pollMs: 20, backoff: { firstMs: 1, maxMs: 5 } };

/** A webhook with these handlers; it ends with the test. */
export const startDispatch = (
  handlers: ActionHandlers | undefined,
  dispatch: DispatchOptions = {},
  given?: ActionInbox,
) => {
  const inbox = given ?? sqliteInbox(':memory:', { thread: 'main' });
  const { news, report, next } = collectNews();
  const webhook = createActionWebhook({
    secrets: secret,
    inbox,
    report,
    dispatch: { ...quick, ...dispatch },
    ...(handlers !== undefined && { on: handlers }),
  });
  onTestFinished(() => webhook.close(0));
  const deliver = (body: unknown, receivedAtMs = Date.now()) =>
    inbox.append({
      raw: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      receivedAtMs,
    });
  const states = async () => (await inbox.health()).counts;
  return { inbox, webhook, news, next, deliver, states };
};

/** Waits until nothing waits for its handler any more. */
export const settled = async (states: () => Promise<{ readonly pending: number }>): Promise<void> => {
  await expect.poll(async () => (await states()).pending, { timeout: 50_000 }).toBe(0);
};
