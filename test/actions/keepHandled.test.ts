import { createActions, sqliteInbox } from '@vitrine/actions';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { clickBody, secret } from './support/samples.ts';

describe('handled actions', () => {
  it('are kept for thirty days and then removed, while parked and dead actions stay', async () => {
    let prune: () => void = () => expect.unreachable();
    const realSetInterval = setInterval;
    vi.stubGlobal('setInterval', (run: () => void, ms: number) => {
      if (ms === 600_000) prune = run;
      return realSetInterval(run, ms);
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    const day = 24 * 3_600_000;
    let laterMs = 0;
    const inbox = sqliteInbox(':memory:', { thread: 'main' });
    const actions = createActions({
      secrets: secret,
      inbox,
      audience: 'nobody',
      onDiagnostic: () => undefined,
      now: () => Date.now() + laterMs,
      dispatch: { maxAttempts: 1 },
      on: ({ reportName }) => {
        if (reportName === 'broken') throw new Error('broken');
      },
    });
    onTestFinished(() => actions.close(0));
    for (const body of [clickBody(), clickBody({ reportName: 'broken' }), 'no JSON'])
      await inbox.append({ raw: Buffer.from(JSON.stringify(body)), receivedAtMs: Date.now() });
    const counts = async () => (await inbox.health()).counts;
    await expect
      .poll(counts, { timeout: 50_000 })
      .toEqual({ pending: 0, done: 1, unrouted: 0, parked: 1, dead: 1 });
    laterMs = 29 * day;
    prune();
    expect(await counts()).toEqual({ pending: 0, done: 1, unrouted: 0, parked: 1, dead: 1 });
    laterMs = 31 * day;
    prune();
    expect(await counts()).toEqual({ pending: 0, done: 0, unrouted: 0, parked: 1, dead: 1 });
  });
});
