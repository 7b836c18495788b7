import { expect, it } from 'vitest';
import { runChaosScenario, troubles } from './scenarios/chaos.ts';

it.each(troubles)('500 requests through: $name', async (trouble) => {
  const findings = await runChaosScenario(trouble, {
    requests: 500,
    width: 50,
    upstream: {},
    patienceMs: 10_000,
  });
  expect(findings).toMatchObject({ answered: 500, unanswered: 0, strangeStatuses: [], requestsUntilWell: 1 });
  // One retry for each.
  expect(findings.calls / 500).toBeLessThanOrEqual(2);
});
