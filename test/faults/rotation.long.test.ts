import { expect, it } from 'vitest';
import { runRotationGate } from './gates/rotation.ts';

it('cost no key in 50,000 requests', { timeout: 600_000 }, async () => {
  const findings = await runRotationGate('overlap', { requestsEachStep: 2500 });
  expect(findings).toMatchObject({ failed: 0, lateUses: 0, amplification: 1 });
});
