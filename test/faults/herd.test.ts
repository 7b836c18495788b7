import { describe, expect, it } from 'vitest';
import { runHerdGate } from './gates/herd.ts';

describe('everybody at once', () => {
  it('is given a key each, over no more than 64 connections to the portal', async () => {
    const findings = await runHerdGate('ours', { viewers: 800 });
    expect(findings).toMatchObject({ answered: 800, errors: 0, calls: 800 });
    expect(findings.peakConnections).toBeLessThanOrEqual(64);
    expect(findings.memoryMb).toBeLessThanOrEqual(300);
  });

  it('costs the portal one call when they all ask for the same', async () => {
    const findings = await runHerdGate('ours', { viewers: 800, areAlike: true });
    expect(findings).toMatchObject({ answered: 800, errors: 0, calls: 1 });
  });

  it('control: the same check finds a host without a cap', async () => {
    expect((await runHerdGate('uncapped', { viewers: 200 })).peakConnections).toBeGreaterThan(64);
  });

  it('control: the same check finds a host that makes a call for everyone', async () => {
    expect((await runHerdGate('uncoalesced', { viewers: 100, areAlike: true })).calls).toBe(100);
  });
});
