import { expect, it } from 'vitest';
import { seed } from '../support/seed.ts';
import { realEndpoint, runIdentityGate } from './gates/identity.ts';

it('is decided by the sign-in alone, whatever 100,000 hostile requests say', {
  timeout: 600_000,
}, async () => {
  const findings = await runIdentityGate(realEndpoint, { requests: 100_000, seed });
  expect(findings, `seed ${seed}`).toMatchObject({
    foreignIdentities: 0,
    unauthorizedCalls: 0,
    shapesOfAbsence: 1,
    serverErrors: 0,
  });
});
