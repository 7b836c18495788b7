import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { type PortalTenant, tenantEnvironment } from '@vitrine/portal';
import type { Io } from '../../io.ts';

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
    // On Windows, npm programs are scripts, which need a shell; elsewhere, exec replaces the shell, so that signals
    // reach the program.
    const child = spawn(process.platform === 'win32' ? command : `exec ${command}`, {
      cwd,
      shell: true,
      stdio: 'inherit',
      env: { ...env, ...tenantEnvironment(tenant).values },
    });
    signal.addEventListener('abort', () => child.kill(), { once: true });
    child.once('error', reject);
    child.once('close', (code, name) =>
      resolve(signal.aborted ? 0 : (code ?? 128 + (name === null ? 0 : constants.signals[name]))),
    );
  });
