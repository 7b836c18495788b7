import { Agent, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { startProgram } from '../../support/startProgram.ts';
import { clickBody, secret } from './samples.ts';

/** Options of {@link startReceiver}. */
export interface ReceiverProcessOptions {
  /** `honest`, or another kind of `programs/receiver.ts`. */
  readonly kind: string;
  readonly file: string;
  /** Command to run it under, such as strace with its arguments. */
  readonly under?: readonly string[];
}

/** Starts a receiver in its own process and waits until it listens. */
export const startReceiver = async ({ kind, file, under = [] }: ReceiverProcessOptions) => {
  const program = startProgram(new URL('../programs/receiver.ts', import.meta.url), [kind, file], {
    env: { WEBHOOK_SECRET: secret },
    under,
  });
  const [port = 0, pid = 0] = (await program.line()).split(' ').map(Number);
  onTestFinished(() => program.end('SIGKILL', pid));
  return {
    port,
    pid,
    /** Kills it and waits for its end. */
    kill: () => program.end('SIGKILL', pid),
    /** Asks it to shut down, as an operator does; resolves when the shutdown has started. */
    async sendStop(): Promise<void> {
      process.kill(pid, 'SIGTERM');
      await program.line();
    },
    /** Shuts it down, as an operator does, and waits for its end. */
    stop: () => program.end('SIGTERM', pid),
  };
};

/** The number of an event, from its stored body. */
export const numberIn = (raw: Uint8Array): number =>
  Number(/event-(\d+)-/.exec(Buffer.from(raw).toString('latin1'))?.[1]);

/** Posts numbered events over a few connections, or each over a new one, until it is stopped. */
export const createSender = (connections: number, keepAlive = true) => {
  const agent = new Agent({ keepAlive, maxSockets: connections });
  onTestFinished(() => agent.destroy());
  /** The results of events, by number. */
  const tally = { acknowledged: new Set<number>(), failed: new Set<number>() };
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
