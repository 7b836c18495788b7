import { expect, it } from 'vitest';
import { runSecretsGate } from './gates/secrets.ts';

it('stay out of everything while a portal repeats them 100,000 times', { timeout: 900_000 }, async () => {
  const seed = Date.now() % 1_000_000;
  const findings = await runSecretsGate({ requests: 100_000, seed });
  expect(findings.leaks, `seed ${seed}`).toEqual([]);
});
