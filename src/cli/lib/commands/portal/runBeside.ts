import { spawn } from 'node:child_process';
import { type PortalTenant, tenantEnvironment } from '@vitrine/portal';
import type { Io } from '../../io.ts';

/** Runs a program, given as a line of the shell, with a tenant's variables, until it ends by itself or with us. Resolves to whether it went well. */
export const runBeside = (
  command: string,
  tenant: PortalTenant,
  { env, cwd, signal }: Io,
): Promise<boolean> =>
  new Promise((resolve, reject) => {
    // On Windows programs of npm are scripts, which only a shell starts; elsewhere the program takes the shell's place,
    // so that a signal reaches it.
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
