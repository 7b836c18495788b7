import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { PortalTenant } from '@vitrine/portal';
import type { Death, PortalProcessOptions } from './portalProcess.ts';

/** A portal in another process. */
export interface PortalProcess {
  readonly tenant: PortalTenant;
  /** Makes the process kill itself between two statements. */
  readonly dieAt: (death: Death) => void;
  /** Kills the process with SIGKILL, and waits for its end. */
  readonly kill: () => Promise<void>;
}

/** Starts a portal in its own process, on a free port. */
export const startPortalProcess = async (options: PortalProcessOptions): Promise<PortalProcess> => {
  const child = fork(new URL('portalProcess.ts', import.meta.url), {
    execArgv: ['--conditions=@vitrine/source'],
    env: { ...process.env, VITRINE_KILL: JSON.stringify(options) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  const gone = once(child, 'exit');
  const tenant = await Promise.race([
    once(child, 'message').then(([message]) => message as PortalTenant), // portalProcess.ts sends exactly this
    gone.then(() => {
      throw new Error(`The portal did not start: ${complaints}`);
    }),
  ]);
  return {
    tenant,
    dieAt: (death) => void child.send(death),
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
};
