import { describe, expect, it } from 'vitest';
import { sized } from '../support/size.ts';
import { killDuringIngestion } from './support/killRounds.ts';

describe('a receiver that is killed in the middle of a stream of events', () => {
  it('has lost none of those it acknowledged', async () => {
    const kills = sized(6, 100);
    const { acknowledged, lost } = await killDuringIngestion('honest', {
      kills,
      acknowledgementsPerLife: 450,
    });
    expect(acknowledged).toBeGreaterThan(kills * 200);
    expect(lost).toBe(0);
  });

  it('would have lost some if it acknowledged before it stored (the control)', async () => {
    const { lost } = await killDuringIngestion('ack-first', { kills: 2, acknowledgementsPerLife: 450 });
    expect(lost).toBeGreaterThan(0);
  }, 60_000);
});
