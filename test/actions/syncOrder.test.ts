import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sized } from '../support/size.ts';
import { createSender, startReceiver } from './support/receiverProcess.ts';
import { temporaryFolder } from './support/samples.ts';
import { canTrace, readSyncOrder, traceCommand } from './support/syncOrder.ts';

/** Sends events to a traced receiver and reads its system calls before each acknowledgment. */
const traceReceiver = async (kind: string, events: number, inject?: string) => {
  const folder = temporaryFolder();
  const log = join(folder, 'trace');
  const receiver = await startReceiver({
    kind,
    file: join(folder, 'actions.db'),
    under: traceCommand(log, inject),
  });
  const sender = createSender(16);
  await sender.run(
    () => receiver.port,
    () => sender.tally.acknowledged.size + sender.tally.failed.size < events,
  );
  await receiver.stop();
  return { ...readSyncOrder(readFileSync(log, 'latin1')), failed: sender.tally.failed };
};

describe.skipIf(!canTrace)('system calls before an acknowledgment (needs strace)', () => {
  it('writes and syncs every event before it is acknowledged', async () => {
    const { acknowledged, unsafe, failed } = await traceReceiver('honest', sized(120, 1000));
    expect(acknowledged).toBeGreaterThanOrEqual(sized(120, 1000) - 16);
    expect(failed.size).toBe(0);
    expect(unsafe).toEqual([]);
  });

  it('acknowledges no event early on a slow disk where commits continue during a sync', async () => {
    const { acknowledged, unsafe, failed } = await traceReceiver(
      'honest',
      sized(120, 1000),
      'delay_enter=3000',
    );
    expect(acknowledged).toBeGreaterThanOrEqual(sized(120, 1000) - 16);
    expect(failed.size).toBe(0);
    expect(unsafe).toEqual([]);
  });

  it('control: detects a store that commits without a sync', async () => {
    const { acknowledged, unsafe } = await traceReceiver('sync-normal', 100);
    expect(acknowledged).toBeGreaterThan(50);
    expect(unsafe.length).toBeGreaterThan(50);
  }, 120_000);

  it('acknowledges nothing whose sync failed', async () => {
    const { unsafe, failedSyncs, acknowledged } = await traceReceiver(
      'honest',
      sized(400, 4000),
      // Only after it has started: a host does not start with an inbox that it cannot write.
      'error=EIO:when=20+5',
    );
    expect(failedSyncs).toBeGreaterThan(sized(3, 50));
    expect(acknowledged).toBeGreaterThan(0);
    expect(unsafe).toEqual([]);
  });

  it('control: detects a store that trusts a second sync after a failure', async () => {
    const { unsafe, failedSyncs } = await traceReceiver('retry-failed-sync', 100, 'error=EIO:when=5+3');
    expect(failedSyncs).toBeGreaterThan(5);
    expect(unsafe.length).toBeGreaterThan(0);
  }, 120_000);
});
