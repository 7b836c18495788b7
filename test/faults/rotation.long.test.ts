import { expect, it } from 'vitest';
import { runRotationScenario } from './scenarios/rotation.ts';
import { runWebhookRotationScenario } from './scenarios/webhookRotation.ts';

it('loses no key in 50,000 requests', async () => {
  const findings = await runRotationScenario('overlap', { requestsEachStep: 2500 });
  expect(findings).toMatchObject({ failed: 0, lateUses: 0, amplification: 1 });
});

it('loses no webhook in 40,000 deliveries', async () => {
  const findings = await runWebhookRotationScenario('overlap', { deliveriesEachStep: 5000 });
  expect(findings).toEqual({ stored: 40_000, refused: 0, lateUses: 0 });
});
