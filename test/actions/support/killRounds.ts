import { createRandom } from '../../support/createRandom.ts';
import { seed } from '../../support/seed.ts';
import { createSender, startReceiver } from './receiverProcess.ts';
import { storedNumbers } from './storedNumbers.ts';

/** The result of many kills. */
export interface KillResult {
  readonly acknowledged: number;
  /** Acknowledged events that are not in the inbox. */
  readonly lost: number;
}

/** Kills a receiver repeatedly while events arrive, then checks which acknowledged events exist. */
export const killDuringIngestion = async (
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
          receiver.child.kill('SIGKILL');
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
