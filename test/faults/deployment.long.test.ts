import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasPostgres } from '../actions/support/postgres.ts';
import { hasNginx } from '../hosts/startNginx.ts';
import { availableStores } from '../server/support/sharedStores.ts';
import { sized } from '../support/size.ts';
import { startDeployment } from './scenarios/deployment.ts';
import { countKinds, deploymentFaults, injectFault, unexplained } from './scenarios/deploymentFaults.ts';
import { loadDeployment } from './scenarios/deploymentLoad.ts';

const isWhole = hasNginx && hasPostgres && availableStores.redis;

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

describe.skipIf(!isWhole)('two backends behind nginx, with Postgres and Redis', () => {
  it('lose no click and show no error to 200 viewers during a rolling restart', async () => {
    const deployment = await startDeployment();
    const { tally, missing, stop } = loadDeployment(deployment, 200);
    await expect.poll(() => tally.clicks.size, { timeout: 60_000 }).toBeGreaterThan(20);
    for (let done = 0; done < sized(1, 10); done += 1) {
      await deployment.restart(0);
      await deployment.restart(1);
    }
    await expect.poll(() => tally.keys, { timeout: 120_000 }).toBeGreaterThan(300);
    await stop.clicking();
    await expect.poll(missing, { timeout: 60_000 }).toEqual([]);
    await stop.all();
    expect(tally.failures).toEqual([]);
    expect([...new Set(deployment.warnings)]).toEqual(["code: 'key_lifetime_unusual'"]);
  });

  it('control: would abort requests if a backend crashed while nginx uses it', async () => {
    const deployment = await startDeployment();
    const { tally, stop } = loadDeployment(deployment, 20);
    for (let done = 0; done < 20 && tally.failures.length === 0; done += 1) await deployment.crash(0);
    await stop.all();
    expect(tally.failures).not.toEqual([]);
  });

  it('serve 500 viewers for an hour, fail only during an injected fault, and use no more memory over time', async () => {
    const deployment = await startDeployment();
    const { tally, missing, stop } = loadDeployment(deployment, 500);
    const minutes = sized(3, 60);
    // Each fault takes a sixth of the time; the first and the last two sixths have none.
    const sixthMs = (minutes * 60_000) / 6;
    const memory = new Map<string, number[]>();
    const sample = async () => {
      for (const [name, size] of await deployment.memory())
        memory.set(name, [...(memory.get(name) ?? []), size]);
    };
    // A backend that is killed during a request does not respond.
    const sampling = setInterval(() => void sample().catch(() => undefined), sixthMs / 10);
    onTestFinished(() => clearInterval(sampling));
    const delays = monitorEventLoopDelay();
    delays.enable();
    const startedAt = performance.now();
    const until = (sixth: number) => pause(Math.max(0, startedAt + sixth * sixthMs - performance.now()));
    const windows = [];
    for (const [index, fault] of deploymentFaults.entries()) {
      await until(index + 1);
      windows.push(await injectFault(deployment, fault));
    }
    await until(6);
    clearInterval(sampling);
    await stop.clicking();
    await expect.poll(missing, { timeout: 60_000 }).toEqual([]);
    await stop.all();

    // Ten samples per sixth. The first sixth of a process is its start; the second is compared with the last.
    const grown = [...memory]
      .filter(([, samples]) => samples.length >= 30)
      .map(([name, samples]) => ({
        name,
        early: median(samples.slice(10, 20)),
        late: median(samples.slice(-10)),
      }));
    const report = {
      minutes,
      keys: tally.keys,
      clicks: tally.clicks.size,
      failures: windows.map((window) => tally.failures.length - unexplained(tally.failures, [window]).length),
      memory: grown,
      // Viewers and portal share this process, which causes failures of its own when it blocks for seconds.
      heldUpMs: { p99: delays.percentile(99) / 1e6, max: delays.max / 1e6 },
    };
    process.stderr.write(`${JSON.stringify(report)}\n`);
    expect(countKinds(unexplained(tally.failures, windows))).toEqual({});
    expect(report.failures[1]).toBeGreaterThan(0);
    expect(grown.length).toBeGreaterThanOrEqual(3);
    // Before ten minutes they are still starting. How much of its heap V8 keeps resident depends on the machine, so it
    // is only reported.
    const inUse = grown.filter(({ name }) => !name.endsWith('resident'));
    if (minutes >= 60) expect(inUse.filter(({ early, late }) => late > early * 1.15 + 10)).toEqual([]);
  });
});
