import { expect, it } from 'vitest';
import { seed } from '../support/seed.ts';
import { sized } from '../support/size.ts';
import { honestFetchHost, honestHost } from './scenarios/honestHosts.ts';
import { runHostileScenario } from './scenarios/hostileRequests.ts';
import { runMalformedScenario } from './scenarios/malformed.ts';

const overSockets = sized(0, 100_000);
const straightIn = sized(0, 5_000_000);

it(`does not change the endpoint after ${overSockets} malformed or hostile requests`, async () => {
  const findings = await runMalformedScenario(await honestHost(), { requests: overSockets, seed });
  expect(findings, `seed ${seed}`).toMatchObject({
    serverErrors: 0,
    unhandled: 0,
    isPrototypeIntact: true,
    isAlive: true,
  });
});

it(`rejects ${straightIn} hostile requests and retains no memory`, async () => {
  const findings = await runHostileScenario(await honestFetchHost(), { requests: straightIn, seed });
  process.stdout.write(`hostile, seed ${seed}: ${JSON.stringify(findings)}\n`);
  expect(findings, `seed ${seed}`).toMatchObject({ serverErrors: 0, isPrototypeIntact: true });
  expect(findings.heapGrowthMb, `seed ${seed}`).toBeLessThan(20);
});
