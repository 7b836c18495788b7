import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { type PortalTenant, tenantEnvironment } from '@vitrine/portal';
import type { Io } from '../../io.ts';

/** Ends a shell and the program that it runs, which does not get the shell's signal. */
const endShell = (shell: ChildProcess): void => {
  const list = spawnSync('pgrep', ['-P', String(shell.pid)], { encoding: 'utf8' });
  shell.kill();
  for (const id of (list.stdout ?? '').split(/\s+/).filter(Boolean))
    try {
      process.kill(Number(id));
    } catch {
      // It has ended by itself.
    }
};

/**
 * Runs a shell command with a tenant's variables, until it ends or the portal stops. Resolves to its exit code: 0 if the
 * portal stopped first, and 128 and the number of the signal that ended it, as a shell gives it.
 */
export const runAlongside = (
  command: string,
  tenant: PortalTenant,
  { env, cwd, signal }: Io,
): Promise<number> =>
  new Promise((resolve, reject) => {
    // A command may have several parts, and on Windows, npm programs are scripts, which need a shell.
    const child = spawn(command, {
      cwd,
      shell: true,
      stdio: 'inherit',
      env: { ...env, ...tenantEnvironment(tenant).values },
    });
    signal.addEventListener('abort', () => endShell(child), { once: true });
    child.once('error', reject);
    child.once('close', (code, name) =>
      resolve(signal.aborted ? 0 : (code ?? 128 + (name === null ? 0 : constants.signals[name]))),
    );
  });
