import { expect, it } from 'vitest';
import { seed } from '../support/seed.ts';
import { realHost, runTenantsGate } from './gates/tenants.ts';

it('never share a key, a secret or an outage in 100,000 requests', { timeout: 600_000 }, async () => {
  const findings = await runTenantsGate(realHost, { tenants: 50, requests: 100_000, seed });
  expect(findings, `seed ${seed}`).toMatchObject({ crossings: 0, failuresOfOthers: 0 });
});
