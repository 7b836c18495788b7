import { describe, expect, it } from 'vitest';
import { sized } from '../support/size.ts';
import { killDuringIngestion } from './support/killRounds.ts';
import { places } from './support/places.ts';

for (const { database, isThere, create } of places)
  describe.skipIf(!isThere)(`a receiver on ${database} that is killed while events arrive`, () => {
    it('loses no acknowledged event', async () => {
      const kills = sized(2, 100);
      const { acknowledged, lost } = await killDuringIngestion('honest', create(), {
        kills,
        acknowledgmentsPerRun: 250,
      });
      expect(acknowledged).toBeGreaterThan(kills * 100);
      expect(lost).toBe(0);
    }, 120_000);

    it('control: would lose events if it acknowledged before it stored', async () => {
      const { lost } = await killDuringIngestion('ack-first', create(), {
        kills: 2,
        acknowledgmentsPerRun: 250,
      });
      expect(lost).toBeGreaterThan(0);
    }, 60_000);
  });
