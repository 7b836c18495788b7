import { describe, expect, it, onTestFinished } from 'vitest';
import { query } from '../support/postgres.ts';
import { startStandInPortal } from '../support/standInPortal.ts';
import { startProgram } from '../support/startProgram.ts';
import { availableStores, type StoreName } from './support/sharedStores.ts';

/** A process of a host: `ask(n)` sends n concurrent key requests of one viewer. */
const startProcess = async (store: StoreName, portalUrl: string, name: string) => {
  const program = new URL('support/limitedHostProcess.ts', import.meta.url);
  const { line, ask } = startProgram(program, [store, portalUrl, name]);
  await line();
  return (requests: number) => ask<readonly number[]>(String(requests));
};

describe.each(['redis', 'postgres'] as const)('a limit that several processes share in %s', (store) => {
  it.runIf(availableStores[store])(
    'allows a viewer exactly the limit, across all processes',
    { timeout: 60_000 },
    async () => {
      const name = `vitrine_limit_${crypto.randomUUID().replaceAll('-', '')}`;
      const portal = await startStandInPortal();
      onTestFinished(async () => {
        // Redis forgets it by itself.
        if (store === 'postgres') await query(`drop table if exists ${name}`);
        await portal.close();
      });
      // One after the other: two processes that create the same table concurrently conflict.
      const one = await startProcess(store, portal.url, name);
      const other = await startProcess(store, portal.url, name);
      const statuses = (await Promise.all([one(6), other(6)])).flat();
      expect(statuses.filter((status) => status === 200)).toHaveLength(5);
      expect(statuses.filter((status) => status === 429)).toHaveLength(7);
      expect(portal.calls).toHaveLength(5);
    },
  );
});
