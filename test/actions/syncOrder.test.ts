import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sized } from '../support/size.ts';
import { createSender, startReceiver } from './support/receiverProcess.ts';
import { temporaryFolder } from './support/samples.ts';

/** Whether this machine has strace and lets it trace processes. */
const canTrace = ((): boolean => {
  const { status, stderr } = spawnSync('strace', ['-f', '-e', 'trace=fdatasync', 'true'], {
    encoding: 'utf8',
  });
  return status === 0 && !stderr.includes('Operation not permitted');
})();

/**
 * The command that logs the writes and syncs of a process to a file; `inject` makes its syncs fail or slow, in strace
 * syntax.
 */
const traceCommand = (log: string, inject?: string): readonly string[] => [
  'strace',
  '-f',
  '-qq',
  // Maps each descriptor to its file, because a sync through another descriptor of the same file counts too.
  '-y',
  '-s',
  '20000',
  '-o',
  log,
  '-e',
  'trace=pwrite64,write,writev,fsync,fdatasync',
  ...(inject === undefined ? [] : ['-e', `inject=fsync,fdatasync:${inject}`]),
];

/** strace appends this to the result of a call that it has delayed. */
const hasSucceeded = (call: string): boolean => / = 0(?: \(DELAYED\))?$/.test(call);

/** What a trace shows about the acknowledged events. */
interface SyncOrder {
  readonly acknowledged: number;
  /** Acknowledged before the bytes were written and then synced without an error between. */
  readonly unsafe: readonly number[];
  readonly failedSyncs: number;
}

/**
 * Parses a trace. An acknowledgment is safe if, before it, the event's bytes were written to some file and a sync of
 * that file that started later succeeded, with no failed sync of the file between: after a failed sync the kernel may
 * have dropped the pages, so the bytes must be written again.
 */
const readSyncOrder = (trace: string): SyncOrder => {
  const writtenTo = new Map<number, Map<string, number>>();
  const safe = new Set<number>();
  const unsafe: number[] = [];
  const begun = new Map<string, { readonly file: string; readonly at: number }>();
  let acknowledged = 0;
  let failedSyncs = 0;

  const finishSync = (file: string, startedAt: number, isOk: boolean): void => {
    if (!isOk) failedSyncs += 1;
    for (const [number, files] of writtenTo) {
      const writtenAt = files.get(file);
      if (writtenAt === undefined) continue;
      if (!isOk) files.delete(file);
      else if (writtenAt < startedAt) {
        safe.add(number);
        writtenTo.delete(number);
      }
    }
  };

  trace.split('\n').forEach((line, at) => {
    const [, pid = '', call = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    const sync = /^(?:fsync|fdatasync)\(\d+<([^>]*)>/.exec(call);
    if (sync) {
      const [, file = ''] = sync;
      if (call.includes('<unfinished')) begun.set(pid, { file, at });
      else finishSync(file, at, hasSucceeded(call));
      return;
    }
    if (/^<\.\.\. (?:fsync|fdatasync) resumed>/.test(call)) {
      const started = begun.get(pid);
      if (started) finishSync(started.file, started.at, hasSucceeded(call));
      return;
    }
    const write = /^(?:pwrite64|write|writev)\(\d+<([^>]*)>/.exec(call);
    if (!write) return;
    const [, file = ''] = write;
    if (call.includes('HTTP/1.1 ')) {
      for (const [, number] of call.matchAll(/HTTP\/1\.1 202 .*?x-number: (\d+)/gi)) {
        acknowledged += 1;
        if (!safe.has(Number(number))) unsafe.push(Number(number));
      }
      return;
    }
    for (const [, number] of call.matchAll(/event-(\d+)-/g)) {
      const files = writtenTo.get(Number(number)) ?? new Map<string, number>();
      // A page that is rewritten for its next event still contains its earlier events.
      if (!files.has(file)) files.set(file, at);
      writtenTo.set(Number(number), files);
    }
  });
  return { acknowledged, unsafe, failedSyncs };
};

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
