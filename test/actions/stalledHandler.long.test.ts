import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createSender, startReceiver } from './support/receiverProcess.ts';
import { temporaryFolder } from './support/samples.ts';

/** A process that loads our TypeScript starts with 142 MB, one with the built packages with 117. */
const sourcesMiB = 25;

/** Peak memory of a process with built packages, in MiB, as the kernel counts it. */
const peakMiB = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024 - sourcesMiB;

/** Events for a receiver whose handlers hang: many at once, then a thousand per second. */
const stall = async (
  kind: string,
  { events, seconds }: { readonly events: number; readonly seconds: number },
) => {
  const file = join(temporaryFolder(), 'actions.db');
  const receiver = await startReceiver({ kind, file });
  const sender = createSender(64);
  const { acknowledged, failed } = sender.tally;
  await sender.run(
    () => receiver.port,
    () => acknowledged.size + failed.size < events,
  );
  const delays: number[] = [];
  const begun: Promise<unknown>[] = [];
  const start = performance.now();
  for (let n = 0; n < seconds * 1000; n += 1) {
    const dueAt = start + n;
    const earlyMs = dueAt - performance.now();
    if (earlyMs > 0) await wait(earlyMs);
    const sentAt = performance.now();
    begun.push(sender.post(receiver.port).then(() => delays.push(performance.now() - sentAt)));
  }
  await Promise.all(begun);
  const peak = peakMiB(receiver.pid);
  await receiver.kill();
  const database = new DatabaseSync(file);
  const stored = Number(database.prepare('select count(*) as count from deliveries').get()?.['count']);
  database.close();
  delays.sort((a, b) => a - b);
  return {
    lost: acknowledged.size - Math.min(stored, acknowledged.size),
    failed: failed.size,
    peak,
    p99: delays[Math.floor(delays.length * 0.99)] ?? Number.NaN,
  };
};

describe('handlers that hang while a hundred thousand events arrive', () => {
  it('lose no event, use no extra memory and do not slow down responses', async () => {
    const { lost, failed, peak, p99 } = await stall('stalled', { events: 100_000, seconds: 20 });
    process.stdout.write(`peak memory ${peak.toFixed(0)} MiB, p99 of the answers ${p99.toFixed(1)} ms\n`);
    expect({ lost, failed }).toEqual({ lost: 0, failed: 0 });
    expect(peak).toBeLessThan(200);
    expect(p99).toBeLessThan(25);
  });

  it('control: would use more memory if all events were taken out of the inbox', async () => {
    const { peak } = await stall('unbounded', { events: 100_000, seconds: 0 });
    process.stdout.write(`peak memory of the control ${peak.toFixed(0)} MiB\n`);
    expect(peak).toBeGreaterThan(200);
  });
});
