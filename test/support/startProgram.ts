import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Command to run it under, such as strace with its arguments. */
  readonly under?: readonly string[];
}

/** Starts a program of these tests in its own process, which ends with the test at the latest. */
export const startProgram = (
  file: URL,
  args: readonly string[],
  { env, under = [] }: ProgramOptions = {},
) => {
  const [command = '', ...rest] = [
    ...under,
    process.execPath,
    '--conditions=@vitrine/source',
    fileURLToPath(file),
    ...args,
  ];
  const child = spawn(command, rest, {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${file.pathname} ended before it said more.`);
    return value;
  };
  /** Sends a signal and waits for the end. The process itself may be another one: strace does not pass on signals. */
  const end = async (signal: NodeJS.Signals = 'SIGKILL', pid = child.pid): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null && pid !== undefined) process.kill(pid, signal);
    await exited;
  };
  onTestFinished(() => end());
  return {
    /** Exit code and signal. */
    exited,
    end,
    /** Its next line of output. */
    line,
    /** Sends it a line, and reads the JSON that it answers. */
    ask: async <TAnswer>(question: string): Promise<TAnswer> => {
      child.stdin.write(`${question}\n`);
      return JSON.parse(await line());
    },
  };
};
