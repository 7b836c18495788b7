import { expect, it } from 'vitest';
import { seed } from '../support/seed.ts';
import { runSecretsGate } from './gates/secrets.ts';

it('stay out of everything while a portal repeats them 100,000 times', { timeout: 900_000 }, async () => {
  const findings = await runSecretsGate({ requests: 100_000, seed });
  expect(findings.leaks, `seed ${seed}`).toEqual([]);
});
