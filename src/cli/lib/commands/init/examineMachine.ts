import { createPortal, tenantEnvironment } from '@vitrine/portal';
import { formatLine } from '../../doctor/formatLine.ts';
import { runDoctor } from '../../doctor/runDoctor.ts';
import type { Run } from '../../program/addCommand.ts';

/**
 * Runs the doctor against a temporary development portal, with the viewer and the report of the files that
 * `vitrine init` writes. Resolves to whether all checks passed.
 */
export const examineMachine = async ({ io, out }: Run): Promise<boolean> => {
  out.line('Running vitrine doctor against a development portal on this machine:\n');
  const portal = await createPortal();
  try {
    const [tenant] = portal.tenants;
    if (tenant === undefined) throw new Error('The default seed has no tenant.');
    let isWell = true;
    for await (const line of runDoctor({
      env: { ...io.env, ...tenantEnvironment(tenant).values },
      isDev: false,
      itemId: 1042,
      userId: 'developer',
      roleNames: ['all-regions'],
      origin: undefined,
      now: Date.now,
      timeoutMs: 10_000,
    })) {
      isWell &&= line.status !== 'failed';
      io.stdout.write(formatLine(line, out.colors, io.stdout.columns ?? 100));
      if (io.signal.aborted) break;
    }
    return isWell;
  } finally {
    await portal.close();
  }
};
