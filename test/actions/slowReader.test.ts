import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cursorOf } from './support/log.ts';
import { clickBody } from './support/samples.ts';
import { startStream } from './support/startStream.ts';

/** Actions of about 300 kB each: together several times the memory limit of a reader. */
const count = 24;
const bigBody = (n: number) => {
  const body = clickBody({ currentUser: 7, reportName: `Sales ${n}` });
  const [point] = body.visualData[0]!.data;
  return { ...body, visualData: [{ visual: 'v', data: Array.from({ length: 1500 }, () => point) }] };
};
const deliverAll = async (inbox: Awaited<ReturnType<typeof startStream>>['inbox']) => {
  for (let n = 0; n < count; n += 1)
    await inbox.append({ raw: Buffer.from(JSON.stringify(bigBody(n))), receivedAtMs: Date.now() });
};
const names = Array.from({ length: count }, (_, n) => `Sales ${n}`);
const namesOf = (actions: readonly { readonly reportName: string }[]) =>
  actions.map(({ reportName }) => reportName);

describe('a slow reader with more published actions than the memory limit', () => {
  it('receives everything in order over one connection when it was connected', async () => {
    const asked = Promise.withResolvers<boolean>();
    const { open, inbox, settled } = await startStream({
      // On a busy machine, the actions are published more slowly than `canView` may take by default.
      timing: { concurrency: 1, lookupMs: 60_000 },
      canView: () => asked.promise,
    });
    const stream = await open('north@acme.example');
    await deliverAll(inbox);
    await settled();
    asked.resolve(true);
    await stream.untilActions(count);
    expect(namesOf(stream.actions())).toEqual(names);
  });

  it('receives everything in order over one connection when it reconnects', async () => {
    const { open, inbox, settled } = await startStream({ timing: { concurrency: 1 } });
    const before = await cursorOf(inbox);
    await deliverAll(inbox);
    await settled();
    const stream = await open('north@acme.example', { 'last-event-id': String(before) });
    await stream.untilActions(count);
    expect(namesOf(stream.actions())).toEqual(names);
  });
});

it('a reader that reads nothing loses its connection, and what waits for it', async () => {
  const { inbox, url, connectionCount, diagnostics } = await startStream();
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.pause();
  socket.write(
    'GET /api/embed/actions HTTP/1.1\r\nHost: x\r\nX-As: north@acme.example\r\nX-Vitrine-Request: 1\r\n\r\n',
  );
  await expect.poll(() => connectionCount()).toBe(1);
  for (let round = 0; round < 10; round += 1) await deliverAll(inbox);
  await expect.poll(() => connectionCount(), { timeout: 30_000 }).toBe(0);
  expect(diagnostics).toEqual([]);
}, 60_000);
