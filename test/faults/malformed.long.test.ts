import { expect, it } from 'vitest';
import { seed } from '../support/seed.ts';
import { honestFetchHost, honestHost } from './gates/honestHosts.ts';
import { runHostileGate } from './gates/hostileRequests.ts';
import { runMalformedGate } from './gates/malformed.ts';

it('leaves the endpoint as it was after 100,000 broken or hostile requests', async () => {
  const findings = await runMalformedGate(await honestHost(), { requests: 100_000, seed });
  expect(findings, `seed ${seed}`).toMatchObject({
    serverErrors: 0,
    unhandled: 0,
    isPrototypeIntact: true,
    isAlive: true,
  });
});

it('refuses 5,000,000 hostile requests and keeps nothing of them', async () => {
  const findings = await runHostileGate(await honestFetchHost(), { requests: 5_000_000, seed });
  process.stdout.write(`hostile, seed ${seed}: ${JSON.stringify(findings)}\n`);
  expect(findings, `seed ${seed}`).toMatchObject({ serverErrors: 0, isPrototypeIntact: true });
  expect(findings.heapGrowthMb, `seed ${seed}`).toBeLessThan(20);
});
