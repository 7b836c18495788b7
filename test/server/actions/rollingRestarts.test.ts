import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createSender, numberIn, type ReceiverProcess, startReceiver } from './support/receiverProcess.ts';
import { temporaryFolder } from './support/samples.ts';
import { sized } from './support/size.ts';

/** Restarts two receivers in turn under load, as a rolling deployment does: one leaves the rota, then is told to stop. */
const restart = async (restarts: number, end: (receiver: ReceiverProcess) => Promise<void>) => {
  const file = join(temporaryFolder(), 'actions.db');
  const start = () => startReceiver({ kind: 'honest', file });
  const receivers = [await start(), await start()];
  let turn = 0;
  const sender = createSender(8);
  const state = { isGoing: true };
  const portOf = (): number => {
    turn += 1;
    return receivers[turn % receivers.length]?.port ?? 0;
  };
  const sending = sender.run(portOf, () => state.isGoing);
  for (let done = 0; done < restarts; done += 1) {
    const leaving = receivers.shift();
    if (leaving) await end(leaving);
    receivers.push(await start());
    await wait(50);
  }
  state.isGoing = false;
  await sending;
  for (const receiver of receivers) await receiver.stop();
  const database = new DatabaseSync(file);
  const stored = new Set(
    database
      .prepare('select raw from deliveries')
      .all()
      .map(({ raw }) => numberIn(raw as Uint8Array)),
  );
  database.close();
  const { acknowledged, failed } = sender.tally;
  const lost = [...acknowledged].filter((number) => !stored.has(number));
  return { acknowledged: acknowledged.size, failed: failed.size, lost: lost.length };
};

describe('two receivers on one inbox that are restarted in turn', () => {
  it('refuse and lose nothing, because each finishes what it has begun', async () => {
    const { acknowledged, failed, lost } = await restart(sized(3, 50), (receiver) => receiver.stop());
    expect(acknowledged).toBeGreaterThan(100);
    expect({ failed, lost }).toEqual({ failed: 0, lost: 0 });
  }, 600_000);

  it('would refuse some if they were killed instead (the control)', async () => {
    const { failed } = await restart(2, (receiver) => receiver.kill());
    expect(failed).toBeGreaterThan(0);
  }, 120_000);
});
