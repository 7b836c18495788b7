import { spawn } from 'node:child_process';
import { type PortalTenant, tenantEnvironment } from '@vitrine/portal';
import type { Io } from '../../io.ts';

/**
 * Runs a shell command with a tenant's variables, until it ends or the portal stops. Resolves to whether it succeeded.
 */
export const runBeside = (
  command: string,
  tenant: PortalTenant,
  { env, cwd, signal }: Io,
): Promise<boolean> =>
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
    child.once('close', (code) => resolve(code === 0 || signal.aborted));
  });
