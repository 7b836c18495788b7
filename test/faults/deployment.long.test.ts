import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { hasPostgres } from '../actions/support/postgres.ts';
import { hasNginx } from '../hosts/startNginx.ts';
import { availableStores } from '../server/support/sharedStores.ts';
import { sized } from '../support/size.ts';
import { startDeployment } from './gates/deployment.ts';
import { loadDeployment } from './gates/deploymentLoad.ts';

const isWhole = hasNginx && hasPostgres && availableStores.redis;

/** Resident memory of a process, in MB. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

describe.skipIf(!isWhole)('two backends behind nginx in turn, with Postgres and Redis', () => {
  it('lose no click and show 200 viewers no error while they are restarted in turn', async () => {
    const deployment = await startDeployment();
    const { tally, stop } = loadDeployment(deployment, 200);
    await expect.poll(() => tally.clicks, { timeout: 60_000 }).toBeGreaterThan(20);
    for (let done = 0; done < sized(1, 10); done += 1) {
      await deployment.restart(0);
      await deployment.restart(1);
    }
    await expect.poll(() => tally.keys, { timeout: 120_000 }).toBeGreaterThan(300);
    await stop.clicking();
    await expect.poll(() => tally.arrived.size, { timeout: 60_000 }).toBe(tally.clicks);
    await stop.all();
    expect(tally.failures).toEqual([]);
    expect([...new Set(deployment.warnings)]).toEqual(["code: 'key_lifetime_unusual'"]);
  });

  it('would break off requests if a backend died in the rota (the control)', async () => {
    const deployment = await startDeployment();
    const { tally, stop } = loadDeployment(deployment, 20);
    for (let done = 0; done < 20 && tally.failures.length === 0; done += 1) await deployment.crash(0);
    await stop.all();
    expect(tally.failures).not.toEqual([]);
  });

  it('serve 500 viewers for an hour without an error, in memory that does not grow', async () => {
    const deployment = await startDeployment();
    const { tally, stop } = loadDeployment(deployment, 500);
    const samples: number[][] = [];
    for (let minute = 0; minute < sized(1, 60); minute += 1) {
      await pause(60_000);
      samples.push(deployment.pids().map(memoryOf));
    }
    await stop.clicking();
    await expect.poll(() => tally.arrived.size, { timeout: 60_000 }).toBe(tally.clicks);
    await stop.all();
    expect(tally.failures).toEqual([]);
    expect([...new Set(deployment.warnings)]).toEqual(["code: 'key_lifetime_unusual'"]);
    // After the first ten minutes, of sixty: their next ten are compared with the last ten.
    const tenth = Math.ceil(samples.length / 6);
    for (const index of [0, 1]) {
      const early = median(samples.slice(tenth, 2 * tenth).map((sample) => sample[index] ?? 0));
      const late = median(samples.slice(-tenth).map((sample) => sample[index] ?? 0));
      expect(late).toBeLessThan(early * 1.15 + 10);
    }
  });
});
