import { expect, it } from 'vitest';
import { seed } from '../support/seed.ts';
import { sized } from '../support/size.ts';
import { realEndpoint, runIdentityScenario } from './scenarios/identity.ts';

const requests = sized(0, 100_000);

it(`depends only on the sign-in after ${requests} hostile requests`, async () => {
  const findings = await runIdentityScenario(realEndpoint, { requests, seed });
  expect(findings, `seed ${seed}`).toMatchObject({
    foreignIdentities: 0,
    unauthorizedCalls: 0,
    shapesOfAbsence: 1,
    serverErrors: 0,
  });
});
