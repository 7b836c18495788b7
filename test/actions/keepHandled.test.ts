import { sqliteInbox } from '@vitrine/server/actions';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startActions } from '../../src/server/lib/actions/createActions.ts';
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
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const startMs = Date.now();
    const inbox = sqliteInbox(':memory:');
    const actions = startActions(
      {
        secrets: secret,
        inbox,
        audience: 'nobody',
        logger: false,
        on: ({ reportName }) => {
          if (reportName === 'broken') throw new Error('broken');
        },
      },
      { maxAttempts: 1 },
    );
    onTestFinished(() => actions.close(0));
    for (const body of [clickBody(), clickBody({ reportName: 'broken' }), 'no JSON'])
      await inbox.append({ raw: Buffer.from(JSON.stringify(body)), receivedAtMs: Date.now() });
    const counts = async () => await inbox.counts();
    await expect
      .poll(counts, { timeout: 50_000 })
      .toEqual({ pending: 0, done: 1, unrouted: 0, parked: 1, dead: 1 });
    vi.setSystemTime(startMs + 29 * day);
    prune();
    expect(await counts()).toEqual({ pending: 0, done: 1, unrouted: 0, parked: 1, dead: 1 });
    vi.setSystemTime(startMs + 31 * day);
    prune();
    expect(await counts()).toEqual({ pending: 0, done: 0, unrouted: 0, parked: 1, dead: 1 });
  });
});
