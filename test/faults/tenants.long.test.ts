import { expect, it } from 'vitest';
import { seed } from '../support/seed.ts';
import { sized } from '../support/size.ts';
import { realHost, runTenantsScenario } from './scenarios/tenants.ts';

const requests = sized(0, 100_000);

it(`never share a key, a secret or an outage in ${requests} requests`, async () => {
  const findings = await runTenantsScenario(realHost, { tenants: 50, requests, seed });
  expect(findings, `seed ${seed}`).toMatchObject({ crossings: 0, failuresOfOthers: 0 });
});
