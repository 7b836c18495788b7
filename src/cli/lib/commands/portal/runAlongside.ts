import { spawn, spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { type PortalTenant, tenantEnvironment } from '@vitrine/portal';
import type { Io } from '../../io.ts';

/** How long a program may take to shut down. Less than the 10 seconds after which Docker kills the portal itself. */
const graceMs = 5_000;

/** Signals a group of processes, and says whether there is one. */
const send = (group: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
};

/** Stops a program with all that it started: it has some seconds, and is then killed. */
const stopProgram = async (pid: number, name: NodeJS.Signals): Promise<void> => {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F']);
    return;
  }
  send(pid, name);
  const endMs = performance.now() + graceMs;
  while (performance.now() < endMs && send(pid, 0)) await wait(20);
  send(pid, 'SIGKILL');
};

/**
 * Runs a shell command with a tenant's variables until it ends, and stops it when the portal is told to stop. Resolves to
 * its exit code: 128 and the number of the signal that ended it, as a shell gives it.
 */
export const runAlongside = async (command: string, tenant: PortalTenant, io: Io): Promise<number> => {
  const { env, cwd, signal } = io;
  const stoppedBy = () => io.stoppedBy?.() ?? 'SIGTERM';
  if (signal.aborted) return 128 + constants.signals[stoppedBy()];
  const isWindows = process.platform === 'win32';
  // Otherwise some shells end with their own signal instead of the exit code of the program; without one, it is theirs.
  const trap = ['INT', 'HUP', 'TERM']
    .map((name) => `trap 's=$?; trap - ${name}; [ $s = 0 ] && kill -${name} $$; exit $s' ${name}\n`)
    .join('');
  // A command may have several parts, and on Windows, npm programs are scripts, which need a shell.
  const child = spawn(isWindows ? command : trap + command, {
    cwd,
    shell: true,
    stdio: 'inherit',
    // The group of a program can be signaled as a whole. In a session of its own, it can still read the terminal. On Windows, it would open a window.
    detached: !isWindows,
    env: { ...env, ...tenantEnvironment(tenant).values },
  });
  // By default, a second Ctrl-C would end the portal without its program.
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  let stopping: Promise<void> | undefined;
  const stop = () => {
    if (child.pid !== undefined) stopping = stopProgram(child.pid, stoppedBy());
  };
  signal.addEventListener('abort', stop, { once: true });
  const exitCode = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, name) => resolve(code ?? (name === null ? 0 : 128 + constants.signals[name])));
  });
  try {
    return await exitCode;
  } finally {
    signal.removeEventListener('abort', stop);
    await stopping;
    process.off('SIGINT', ignore);
  }
};
