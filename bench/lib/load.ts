import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { cores, pinned } from './pinned.ts';

/** One request of a load; requests are sent in turn. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** `[<id>]` stands for a text that is unique in every request of every load. */
  readonly body?: string;
}

export interface LoadOptions {
  readonly url: string;
  readonly requests: readonly LoadRequest[];
  readonly connections: number;
  /** How long, or how many requests: a number warms up the compiler alike on a busy machine. */
  readonly seconds?: number;
  readonly amount?: number;
}

/** The results of a load. Latencies in milliseconds, closed loop: each connection waits for its response. */
export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Responses that were not 2xx, and broken connections. */
  readonly failures: number;
}

/** Sends a load from the load generator's core. */
export const runLoad = async (options: LoadOptions): Promise<LoadResult> => {
  const script = join(import.meta.dirname, 'loadProcess.ts');
  // On a busy machine, autocannon's timers are late, and Node's warnings would mix with the figures.
  const [program, args] = pinned(cores.load, [process.execPath, '--no-warnings', script]);
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  // A thousand requests are too long for a command-line argument.
  child.stdin.end(JSON.stringify(options));
  return JSON.parse(await text(child.stdout)) as LoadResult; // printed by our own script
};
