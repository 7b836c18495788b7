import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { type PortalTenant, tenantEnvironment } from '@vitrine/portal';
import type { Io } from '../../io.ts';
import { stopProgram } from './stopProgram.ts';

/**
 * Runs a shell command with a tenant's variables until it ends, and stops it when the portal is told to stop. Resolves to
 * its exit code: 128 and the number of the signal that ended it, as a shell gives it.
 */
export const runAlongside = async (command: string, tenant: PortalTenant, io: Io): Promise<number> => {
  const { env, cwd, stdin, signal } = io;
  if (signal.aborted) return 128 + constants.signals[io.stoppedBy?.() ?? 'SIGTERM'];
  // Only a program in our process group can read the terminal.
  const isOnTerminal = stdin.isTTY === true;
  // Otherwise some shells end with their own signal instead of the exit code of the program.
  const trap = `trap 'exit $?' INT HUP${isOnTerminal ? '' : ' TERM'}\n`;
  const isWindows = process.platform === 'win32';
  // A command may have several parts, and on Windows, npm programs are scripts, which need a shell.
  const child = spawn(isWindows ? command : trap + command, {
    cwd,
    shell: true,
    stdio: 'inherit',
    // On Windows, this would open another window.
    detached: !isOnTerminal && !isWindows,
    env: { ...env, ...tenantEnvironment(tenant).values },
  });
  let stopping: Promise<void> | undefined;
  const stop = () => {
    if (child.pid !== undefined) stopping = stopProgram(child.pid, io);
  };
  signal.addEventListener('abort', stop, { once: true });
  const exitCode = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, name) => resolve(code ?? 128 + (name === null ? 0 : constants.signals[name])));
  });
  try {
    return await exitCode;
  } finally {
    signal.removeEventListener('abort', stop);
    await stopping;
  }
};
