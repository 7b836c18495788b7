import { describe, expect, it } from 'vitest';
import { runRotationGate } from './gates/rotation.ts';

describe('secrets that are replaced while viewers keep coming', () => {
  it('cost no key, when the new and the old one are both named for a while', async () => {
    const findings = await runRotationGate('overlap', { requestsEachStep: 60 });
    expect(findings).toMatchObject({ failed: 0, lateUses: 0, amplification: 1 });
    expect(findings.given).toBeGreaterThan(1000);
  });

  it('control: the same check finds the host that names one secret at a time', async () => {
    expect((await runRotationGate('single', { requestsEachStep: 20 })).failed).toBeGreaterThan(0);
  });
});
