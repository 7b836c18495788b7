import { describe, expect, it } from 'vitest';
import { clickBody } from './support/samples.ts';
import { startDispatch } from './support/startDispatch.ts';
import { webhook } from './support/webhook.ts';

describe('a drain', () => {
  it('continues while deliveries arrive, and stores each of them', async () => {
    const { actions, inbox } = startDispatch(undefined, {}, { dispatch: false });
    const statuses: number[] = [];
    const post = async (): Promise<void> => {
      const { status } = await actions.receive(webhook(JSON.stringify(clickBody())));
      statuses.push(status);
    };
    let stored = 0;
    const unwatch = inbox.watch(() => (stored += 1));
    const closing = actions.close(10_000);
    // Longer than the quiet time of a drain, in steps that are shorter than it.
    for (let n = 0; n < 8; n += 1) {
      await post();
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    await closing;
    unwatch();
    expect(statuses).toEqual(Array.from({ length: 8 }, () => 202));
    expect(stored).toBe(8);
  });
});
