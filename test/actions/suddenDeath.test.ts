import { describe, expect, it } from 'vitest';
import { createRandom } from '../support/createRandom.ts';
import { seed } from '../support/seed.ts';
import { sized } from '../support/size.ts';
import { places } from './support/places.ts';
import { createSender, startReceiver } from './support/receiverProcess.ts';
import { storedNumbers } from './support/storedNumbers.ts';

/** The result of many kills. */
interface KillResult {
  readonly acknowledged: number;
  /** Acknowledged events that are not in the inbox. */
  readonly lost: number;
}

/** Kills a receiver repeatedly while events arrive, then checks which acknowledged events exist. */
const killDuringIngestion = async (
  kind: string,
  place: string,
  { kills, acknowledgmentsPerRun }: { readonly kills: number; readonly acknowledgmentsPerRun: number },
): Promise<KillResult> => {
  const sender = createSender(32);
  const random = createRandom(seed);
  for (let round = 0; round < kills; round += 1) {
    const receiver = await startReceiver({ kind, file: place });
    const before = sender.tally.acknowledged.size;
    const state = { isAlive: true };
    const enough = acknowledgmentsPerRun * (0.5 + random.next());
    await sender.run(
      () => receiver.port,
      () => {
        // While events arrive: thirty-one other events are in flight.
        if (state.isAlive && sender.tally.acknowledged.size - before >= enough) {
          state.isAlive = false;
          void receiver.kill();
        }
        return state.isAlive;
      },
    );
    await receiver.kill();
  }
  const stored = await storedNumbers(place);
  const lost = [...sender.tally.acknowledged].filter((number) => !stored.has(number)).length;
  return { acknowledged: sender.tally.acknowledged.size, lost };
};

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
