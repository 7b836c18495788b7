import { describe, expect, it } from 'vitest';
import { runChaosScenario, troubles } from './scenarios/chaos.ts';

const size = {
  requests: 60,
  width: 20,
  upstream: { totalTimeoutMs: 500, connections: 10 },
  patienceMs: 5000,
};

describe('a failing portal', () => {
  it.each(troubles)('leaves every viewer with an answer and receives few calls: $name', async (trouble) => {
    const findings = await runChaosScenario(trouble, size);
    expect(findings).toMatchObject({
      answered: size.requests,
      unanswered: 0,
      strangeStatuses: [],
      requestsUntilWell: 1,
    });
    // One retry for each.
    expect(findings.calls).toBeLessThanOrEqual(2 * size.requests);
  });

  it('control: the same check detects a host without a deadline', async () => {
    const hang = troubles.find(({ name }) => name === 'hang');
    if (hang === undefined) throw new Error('the trouble "hang" is gone');
    const findings = await runChaosScenario(hang, {
      ...size,
      requests: 20,
      upstream: { totalTimeoutMs: 120_000 },
      patienceMs: 1500,
    });
    expect(findings.unanswered).toBe(20);
  });
});
