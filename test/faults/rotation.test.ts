import { describe, expect, it } from 'vitest';
import { runRotationScenario } from './scenarios/rotation.ts';
import { runWebhookRotationScenario } from './scenarios/webhookRotation.ts';

describe('portal secrets that are rotated under load', () => {
  it('lose no key when the old and the new one are both configured for a while', async () => {
    const findings = await runRotationScenario('overlap', { requestsEachStep: 60 });
    expect(findings).toMatchObject({ failed: 0, lateUses: 0, amplification: 1 });
    expect(findings.given).toBeGreaterThan(1000);
  });

  it('control: the same check detects a host with one secret at a time', async () => {
    expect((await runRotationScenario('single', { requestsEachStep: 20 })).failed).toBeGreaterThan(0);
  });
});

describe('a webhook secret that is rotated under load', () => {
  it('loses no delivery when the old and the new one are both configured for a while, without a restart', async () => {
    const findings = await runWebhookRotationScenario('overlap', { deliveriesEachStep: 40 });
    expect(findings).toEqual({ stored: 320, refused: 0, lateUses: 0 });
  });

  it('control: the same check detects a host with one secret at a time', async () => {
    const { refused } = await runWebhookRotationScenario('single', { deliveriesEachStep: 10 });
    // Half of each change and everything after it until the host changes its own.
    expect(refused).toBe(30);
  });
});
