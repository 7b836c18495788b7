import { describe, expect, it } from 'vitest';
import { runHerdScenario } from './scenarios/herd.ts';

describe('many viewers at once', () => {
  it('each get a key over at most 64 connections to the portal', async () => {
    const findings = await runHerdScenario('ours', { viewers: 800 });
    expect(findings).toMatchObject({ answered: 800, errors: 0, calls: 800 });
    expect(findings.peakConnections).toBeLessThanOrEqual(64);
    expect(findings.memoryMb).toBeLessThanOrEqual(300);
  });

  it('cost one call to the portal when they all request the same key', async () => {
    const findings = await runHerdScenario('ours', { viewers: 800, areAlike: true });
    expect(findings).toMatchObject({ answered: 800, errors: 0, calls: 1 });
  });

  it('control: the same check detects a host without a connection limit', async () => {
    expect(
      (await runHerdScenario('uncapped', { viewers: 200, overlap: true })).peakConnections,
    ).toBeGreaterThan(64);
  });

  it('control: the same check detects a host that makes a call per viewer', async () => {
    expect((await runHerdScenario('uncoalesced', { viewers: 100, areAlike: true })).calls).toBe(100);
  });
});
