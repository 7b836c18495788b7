/** The side effects of commands; tests replace them. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  /** Fires on Ctrl-C, when the terminal closes, or when the process is told to stop. */
  readonly signal: AbortSignal;
  /** The signal of the process that fired `signal`. */
  readonly stoppedBy?: () => NodeJS.Signals | undefined;
}

/** The process's own input and output. */
export const systemIo = (): Io => {
  const stop = new AbortController();
  let stoppedBy: NodeJS.Signals | undefined;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => {
      stoppedBy ??= name;
      stop.abort();
    });
  return {
    env: process.env,
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: stop.signal,
    stoppedBy: () => stoppedBy,
  };
};
