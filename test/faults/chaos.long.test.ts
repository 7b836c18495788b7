import { expect, it, vi } from 'vitest';
import { runChaosGate, troubles } from './gates/chaos.ts';

it.each(troubles)('500 requests through: $name', async (trouble) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const findings = await runChaosGate(trouble, {
    requests: 500,
    width: 50,
    upstream: {},
    patienceMs: 10_000,
    skipTime: (ms) => void vi.setSystemTime(Date.now() + ms),
  }).finally(() => vi.useRealTimers());
  expect(findings).toMatchObject({ answered: 500, unanswered: 0, strangeStatuses: [], requestsUntilWell: 1 });
  expect(findings.calls / 500).toBeLessThanOrEqual(1.1);
});
