import { describe, expect, it } from 'vitest';
import { runRotationGate } from './gates/rotation.ts';
import { runWebhookRotationGate } from './gates/webhookRotation.ts';

describe('secrets that are replaced while viewers keep coming', () => {
  it('cost no key, when the new and the old one are both named for a while', async () => {
    const findings = await runRotationGate('overlap', { requestsEachStep: 60 });
    expect(findings).toMatchObject({ failed: 0, lateUses: 0, amplification: 1 });
    expect(findings.given).toBeGreaterThan(1000);
  });

  it('control: the same check finds the host that names one secret at a time', async () => {
    expect((await runRotationGate('single', { requestsEachStep: 20 })).failed).toBeGreaterThan(0);
  });
});

describe('the secret of the webhook, replaced while deliveries keep coming', () => {
  it('costs no delivery when the new and the old one are both named for a while, and needs no restart', async () => {
    const findings = await runWebhookRotationGate('overlap', { deliveriesEachStep: 40 });
    expect(findings).toEqual({ stored: 320, refused: 0, lateUses: 0 });
  });

  it('control: the same check finds the host that names one secret at a time', async () => {
    const { refused } = await runWebhookRotationGate('single', { deliveriesEachStep: 10 });
    // Half of each changeover and all that follows until the host changes its own.
    expect(refused).toBe(30);
  });
});
