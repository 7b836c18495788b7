import { describe, expect, it } from 'vitest';
import { brokenHost, realHost, runTenantsScenario } from './scenarios/tenants.ts';

describe('many tenants in one host', () => {
  it('never share a key, a secret or an outage', async () => {
    const findings = await runTenantsScenario(realHost, { tenants: 50, requests: 6000, seed: 23 });
    expect(findings).toMatchObject({ crossings: 0, failuresOfOthers: 0 });
    expect(findings.failuresOfTheBroken).toBeGreaterThan(0);
    expect(findings.given).toBeGreaterThan(5500);
  });

  it('control: the same check detects a cache key without the tenant', async () => {
    const findings = await runTenantsScenario(brokenHost, { tenants: 5, requests: 400, seed: 23 });
    expect(findings.crossings).toBeGreaterThan(0);
  });
});
