import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { versionOf } from './machine.ts';

/** The core of the measured server, and the one that everything else shares. */
export const cores = { server: 0, load: 1 } as const;

/** Whether processes can be pinned to a core here. Otherwise the load generator disturbs the measured server. */
export const canPin: boolean = versionOf('taskset', '--version') !== undefined && availableParallelism() > 1;

/** A command line pinned to one core, if possible. */
export const pinned = (core: number, command: readonly string[]): readonly [string, string[]] => {
  const [program = '', ...args] = canPin ? ['taskset', '-c', String(core), ...command] : command;
  return [program, args];
};

/** A Node script in its own process that answers requests over IPC. */
export interface Worker {
  /** Sends a request and resolves to its answer. */
  ask<T>(request: object): Promise<T>;
  stop(): Promise<void>;
}

interface WorkerOptions {
  readonly core: number;
  readonly script: string;
}

/** Starts a script that calls `serveRequests`, with the system's maximum number of open files. */
export const startWorker = ({ core, script }: WorkerOptions): Worker => {
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', script];
  const raised = ['sh', '-c', 'ulimit -n "$(ulimit -Hn)"; exec "$@"', 'sh', ...node];
  const [program, programArgs] = pinned(core, raised);
  const child = spawn(program, programArgs, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  let next = 0;
  const exit = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  return {
    ask: <T>(request: object) =>
      new Promise<T>((resolve, reject) => {
        next += 1;
        const id = next;
        const listen = (message: { id: number; answer?: T; error?: string }) => {
          if (message.id !== id) return;
          child.off('message', listen);
          child.off('exit', fail);
          if (message.error === undefined)
            resolve(message.answer as T); // the worker's side has the same type
          else reject(new Error(message.error));
        };
        const fail = () => reject(new Error(`${script} ended before it answered.`));
        child.on('message', listen);
        child.once('exit', fail);
        child.send({ id, request });
      }),
    stop: async () => {
      child.kill('SIGKILL');
      await exit;
    },
  };
};
