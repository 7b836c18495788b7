import { expect, it } from 'vitest';
import { runHerdScenario } from './scenarios/herd.ts';

it('serves 10,000 concurrent viewers within 125% of the time of the same calls made directly', async () => {
  const viewers = 10_000;
  const plain = await runHerdScenario('plain', { viewers });
  // Ideally 7.8 s; on a busy machine everything takes longer, so calls without our queues run before and after, and the
  // slower of the two counts.
  const before = await runHerdScenario('uncoalesced', { viewers });
  const findings = await runHerdScenario('ours', { viewers });
  const after = await runHerdScenario('uncoalesced', { viewers });
  const byHandMs = Math.max(before.totalMs, after.totalMs);
  process.stdout.write(`herd: ${JSON.stringify({ ...findings, byHandMs, plainMemoryMb: plain.memoryMb })}\n`);
  expect(findings).toMatchObject({ answered: viewers, errors: 0, calls: viewers });
  expect(findings.peakConnections).toBeLessThanOrEqual(64);
  // A Node server that lets ten thousand clients wait and does nothing else uses 260 MB.
  expect(findings.memoryMb).toBeLessThanOrEqual(2 * plain.memoryMb);
  expect(findings.totalMs).toBeLessThanOrEqual(1.25 * byHandMs);
});

it('serves 10,000 concurrent viewers with the same request', async () => {
  const findings = await runHerdScenario('ours', { viewers: 10_000, areAlike: true });
  process.stdout.write(`alike: ${JSON.stringify(findings)}\n`);
  expect(findings).toMatchObject({ answered: 10_000, errors: 0, calls: 1 });
});
