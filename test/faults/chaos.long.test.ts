import { expect, it } from 'vitest';
import { skippableTime } from '../support/skipTime.ts';
import { runChaosScenario, troubles } from './scenarios/chaos.ts';

it.each(troubles)('500 requests through: $name', async (trouble) => {
  const findings = await runChaosScenario(trouble, {
    requests: 500,
    width: 50,
    upstream: {},
    patienceMs: 10_000,
    skipTime: skippableTime(),
  });
  expect(findings).toMatchObject({ answered: 500, unanswered: 0, strangeStatuses: [], requestsUntilWell: 1 });
  expect(findings.calls / 500).toBeLessThanOrEqual(1.1);
});
