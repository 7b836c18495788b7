import { spawnSync } from 'node:child_process';

/** Whether this machine has strace and lets it trace processes. */
export const canTrace = ((): boolean => {
  const { status, stderr } = spawnSync('strace', ['-f', '-e', 'trace=fdatasync', 'true'], {
    encoding: 'utf8',
  });
  return status === 0 && !stderr.includes('Operation not permitted');
})();

/**
 * The command that logs the writes and syncs of a process to a file; `inject` makes its syncs fail or slow, in strace
 * syntax.
 */
export const traceCommand = (log: string, inject?: string): readonly string[] => [
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
export interface SyncOrder {
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
export const readSyncOrder = (trace: string): SyncOrder => {
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
