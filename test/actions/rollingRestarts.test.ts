import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sized } from '../support/size.ts';
import { placesWhereItIsAlike } from './support/places.ts';
import { createSender, startReceiver } from './support/receiverProcess.ts';
import { clickBody, secret } from './support/samples.ts';
import { storedNumbers } from './support/storedNumbers.ts';

/** An event with a partially sent body: the receiver has started it and cannot finish it yet. */
interface SlowUpload {
  /** Sends the rest. Resolves to whether the event was acknowledged. */
  finish(): Promise<boolean>;
}

/** Starts a numbered event and resolves when the receiver reads its body. */
const beginUpload = async (port: number, number: number): Promise<SlowUpload> => {
  const body = JSON.stringify(clickBody({ reportName: `event-${number}-` }));
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  const ended = new Promise<void>((resolve) => {
    socket.on('error', () => resolve());
    socket.on('close', () => resolve());
  });
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => (text += chunk));
  socket.write(
    `POST /api/embed/webhook HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${secret}\r\ncontent-length: ${body.length}\r\nconnection: close\r\nexpect: 100-continue\r\n\r\n`,
  );
  const refused = ended.then(() => Promise.reject(new Error('The receiver closed the connection.')));
  refused.catch(() => undefined);
  while (!text.includes('100 Continue')) await Promise.race([once(socket, 'data'), refused]);
  socket.write(body.slice(0, 100));
  return {
    async finish() {
      socket.write(body.slice(100));
      await ended;
      return text.includes('HTTP/1.1 202');
    },
  };
};

/** Numbers of the partially sent events, above those of the load. */
const firstUpload = 1_000_000;

/**
 * Restarts two receivers in turn under load, as a rolling deployment does: each gets no new requests, then shuts down.
 */
const restartInTurn = async (kind: string, place: string, restarts: number) => {
  const start = () => startReceiver({ kind, file: place });
  const receivers = [await start(), await start()];
  let turn = 0;
  const sender = createSender(8);
  const { acknowledged, failed } = sender.tally;
  const state = { isGoing: true };
  const portOf = (): number => {
    turn += 1;
    return receivers[turn % receivers.length]?.port ?? 0;
  };
  const sending = sender.run(portOf, () => state.isGoing);
  for (let done = 0; done < restarts; done += 1) {
    const enough = acknowledged.size + 50;
    await expect.poll(() => acknowledged.size, { timeout: 50_000 }).toBeGreaterThan(enough);
    const [leaving] = receivers;
    if (!leaving) throw new Error('There is always one.');
    const upload = await beginUpload(leaving.port, firstUpload + done);
    receivers.shift();
    await sender.sentTo(leaving.port);
    await leaving.sendStop();
    ((await upload.finish()) ? acknowledged : failed).add(firstUpload + done);
    await leaving.stop();
    receivers.push(await start());
  }
  state.isGoing = false;
  await sending;
  for (const receiver of receivers) await receiver.stop();
  const stored = await storedNumbers(place);
  return {
    acknowledged: acknowledged.size,
    failed: failed.size,
    lost: [...acknowledged].filter((number) => !stored.has(number)).length,
  };
};

// A receiver drains in the same way on every database.
for (const { database, isThere, create } of placesWhereItIsAlike)
  describe.skipIf(!isThere)(`two receivers with one inbox on ${database} that restart in turn`, () => {
    it('reject and lose nothing, because each finishes its requests', async () => {
      const { acknowledged, failed, lost } = await restartInTurn('honest', create(), sized(3, 50));
      expect(acknowledged).toBeGreaterThan(100);
      expect({ failed, lost }).toEqual({ failed: 0, lost: 0 });
    });

    it('control: would abort requests if they ended at once', async () => {
      const { failed } = await restartInTurn('no-drain', create(), 2);
      expect(failed).toBeGreaterThanOrEqual(2);
    }, 120_000);
  });
