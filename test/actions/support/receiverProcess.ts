import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { clickBody, secret } from './samples.ts';

const programs = {
  receiver: new URL('../programs/receiver.ts', import.meta.url),
  stalledReceiver: new URL('../programs/stalledReceiver.ts', import.meta.url),
};

/** The results of events, by number. */
export interface Tally {
  readonly acknowledged: Set<number>;
  readonly failed: Set<number>;
}

/** A receiver in its own process. */
export interface ReceiverProcess {
  readonly child: ChildProcess;
  readonly port: number;
  readonly pid: number;
  /** Kills it and waits for its end. */
  kill(): Promise<void>;
  /** Asks it to shut down, as an operator does; resolves when the shutdown has started. */
  sendStop(): Promise<void>;
  /** Shuts it down, as an operator does, and waits for its end. */
  stop(): Promise<void>;
}

/** Options of {@link startReceiver}. */
export interface ReceiverProcessOptions {
  /** `honest`, or one of the broken variants. */
  readonly kind: string;
  readonly file: string;
  /** Name of the program. Default: `receiver`. */
  readonly program?: keyof typeof programs;
  /** Command to run it under, such as strace with its arguments. */
  readonly under?: readonly string[];
}

/** Starts a receiver and waits until it listens. */
export const startReceiver = async ({
  kind,
  file,
  program = 'receiver',
  under = [],
}: ReceiverProcessOptions): Promise<ReceiverProcess> => {
  const [command, ...args] = [
    ...under,
    process.execPath,
    '--conditions=@vitrine/source',
    fileURLToPath(programs[program]),
    kind,
    file,
  ];
  const child = spawn(command, args, {
    env: { ...process.env, WEBHOOK_SECRET: secret, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  let pid = child.pid ?? 0;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    // The process itself, because strace does not pass on signals.
    if (child.exitCode === null && child.signalCode === null) process.kill(pid, signal);
    await gone;
  };
  onTestFinished(() => end('SIGKILL'));
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([
    once(lines, 'line'),
    gone.then(() => Promise.reject(new Error('The receiver ended before it listened.'))),
  ]);
  const [port = 0, ownPid = 0] = String(line).split(' ').map(Number);
  pid = ownPid;
  return {
    child,
    port,
    pid,
    kill: () => end('SIGKILL'),
    async sendStop() {
      const heard = once(lines, 'line');
      process.kill(pid, 'SIGTERM');
      await heard;
    },
    stop: () => end('SIGTERM'),
  };
};

/** The number of an event, from its stored body. */
export const numberIn = (raw: Uint8Array): number =>
  Number(/event-(\d+)-/.exec(Buffer.from(raw).toString('latin1'))?.[1]);

/** Posts numbered events over a few connections, or each over a new one, until it is stopped. */
export const createSender = (connections: number, keepAlive = true) => {
  const agent = new Agent({ keepAlive, maxSockets: connections });
  onTestFinished(() => agent.destroy());
  const tally: Tally = { acknowledged: new Set(), failed: new Set() };
  /** Requests whose last byte has not been written to the socket, by port. */
  const unsent = new Set<{ readonly port: number }>();
  let next = 0;

  const post = (port: number): Promise<boolean> => {
    const number = (next += 1);
    const body = JSON.stringify(clickBody({ reportName: `event-${number}-` }));
    return new Promise((resolve) => {
      const own = { port };
      unsent.add(own);
      const finish = (isAcknowledged: boolean): void => {
        unsent.delete(own);
        (isAcknowledged ? tally.acknowledged : tally.failed).add(number);
        resolve(isAcknowledged);
      };
      const sent = request(
        {
          agent,
          port,
          host: '127.0.0.1',
          path: '/api/embed/webhook',
          method: 'POST',
          headers: {
            authorization: `Bearer ${secret}`,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            'x-number': String(number),
          },
        },
        (response) => {
          response.resume();
          finish(response.statusCode === 202);
        },
      );
      sent.on('finish', () => unsent.delete(own));
      sent.on('error', () => finish(false));
      sent.end(body);
    });
  };

  return {
    tally,
    post,
    /** Resolves when all requests for a port have been sent, as before a receiver leaves the load balancer. */
    async sentTo(port: number): Promise<void> {
      while ([...unsent].some((request) => request.port === port))
        await new Promise((resolve) => setImmediate(resolve));
    },
    /** Keeps every connection busy while the condition holds; a connection pauses after a failure. */
    run: async (port: () => number, isGoing: () => boolean): Promise<void> => {
      const worker = async (): Promise<void> => {
        while (isGoing()) if (!(await post(port()))) await new Promise((resolve) => setImmediate(resolve));
      };
      await Promise.all(Array.from({ length: connections }, worker));
    },
  };
};
