import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startStandInPortal } from '../support/standInPortal.ts';
import { availableStores, clearStore, type StoreName } from './support/sharedStores.ts';

/** A process of a host: `ask(n)` sends n concurrent key requests of one viewer. */
const startProcess = async (store: StoreName, portalUrl: string, name: string) => {
  const child = spawn(
    process.execPath,
    [
      '--conditions=@vitrine/source',
      `${import.meta.dirname}/support/limitedHostProcess.ts`,
      store,
      portalUrl,
      name,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  return async (requests: number): Promise<readonly number[]> => {
    child.stdin.write(`${requests}\n`);
    return JSON.parse(String((await lines.next()).value));
  };
};

describe.each(['redis', 'postgres'] as const)('a limit that several processes share in %s', (store) => {
  it.runIf(availableStores[store])(
    'allows a viewer exactly the limit, across all processes',
    { timeout: 60_000 },
    async () => {
      const name = `vitrine_limit_${crypto.randomUUID().replaceAll('-', '')}`;
      const portal = await startStandInPortal();
      onTestFinished(async () => {
        await clearStore(store, name);
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
