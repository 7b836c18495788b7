import { expect, it } from 'vitest';
import { seed } from '../support/seed.ts';
import { sized } from '../support/size.ts';
import { runSecretsScenario } from './scenarios/secrets.ts';

const requests = sized(0, 100_000);

it(`appear nowhere while a portal repeats them ${requests} times`, async () => {
  const findings = await runSecretsScenario({ requests, seed });
  expect(findings.leaks, `seed ${seed}`).toEqual([]);
});
