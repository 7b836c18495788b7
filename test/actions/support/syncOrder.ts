import { spawnSync } from 'node:child_process';

/** Whether this machine has strace and lets it look at processes. */
export const canTrace = ((): boolean => {
  const { status, stderr } = spawnSync('strace', ['-f', '-e', 'trace=fdatasync', 'true'], {
    encoding: 'utf8',
  });
  return status === 0 && !stderr.includes('Operation not permitted');
})();

/** The command that writes a process's writes and syncs to a file; `inject` makes its syncs fail or slow, in the words of strace. */
export const traceCommand = (log: string, inject?: string): readonly string[] => [
  'strace',
  '-f',
  '-qq',
  // Names the file of each descriptor: a sync through another one of the same file counts as well.
  '-y',
  '-s',
  '20000',
  '-o',
  log,
  '-e',
  'trace=pwrite64,write,writev,fsync,fdatasync',
  ...(inject === undefined ? [] : ['-e', `inject=fsync,fdatasync:${inject}`]),
];

/** strace says behind the result when it has delayed a call. */
const hasSucceeded = (call: string): boolean => / = 0(?: \(DELAYED\))?$/.test(call);

/** What a trace shows of the acknowledged events. */
export interface SyncOrder {
  readonly acknowledged: number;
  /** Acknowledged before the bytes were written and then synced without an error in between. */
  readonly unsafe: readonly number[];
  readonly failedSyncs: number;
}

/**
 * Reads a trace. An acknowledgement is safe when, before it, the event's bytes were written to some file and a sync of
 * that file that began later has succeeded, with no failed sync of the file in between: after a failed one the kernel may
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
    // Spill files hold their bodies in base64.
    const text = call.replaceAll(/(?<=base64\\":\\")[\w+/=]+/g, (digits) =>
      Buffer.from(digits, 'base64').toString(),
    );
    for (const [, number] of text.matchAll(/event-(\d+)-/g)) {
      const files = writtenTo.get(Number(number)) ?? new Map<string, number>();
      // A page that is written again for its next event has its earlier ones where they were, too.
      if (!files.has(file)) files.set(file, at);
      writtenTo.set(Number(number), files);
    }
  });
  return { acknowledged, unsafe, failedSyncs };
};
