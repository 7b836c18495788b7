import { describe, expect, it, onTestFinished } from 'vitest';
import { cursorOf } from './support/log.ts';
import { clickBody } from './support/samples.ts';
import { startStream } from './support/startStream.ts';

describe('the position that a heartbeat sends', () => {
  it('never passes an action that still waits for canView', async () => {
    const gate = Promise.withResolvers<boolean>();
    const asked = Promise.withResolvers<void>();
    const { open, click, inbox } = await startStream({
      timing: { heartbeatMs: 20 },
      canView: () => {
        asked.resolve();
        return gate.promise;
      },
    });
    const stream = await open('north@acme.example');
    const witness = await open('south@acme.example');
    await click(7);
    await asked.promise;
    const published = await cursorOf(inbox);
    // The other viewer has no pending action, so their heartbeats show that enough time has passed.
    await expect.poll(() => Number(witness.lastId), { timeout: 20_000 }).toBe(published);
    const before = stream.beats;
    await expect.poll(() => stream.beats, { timeout: 20_000 }).toBeGreaterThan(before + 1);
    expect(Number(stream.lastId)).toBeLessThan(published);
    gate.resolve(true);
    await stream.untilActions(1);
    expect(Number(stream.lastId)).toBe(published);
  });
});

describe('the start of a stream', () => {
  it('is followed by a heartbeat at once, so that a browser detects buffering', async () => {
    const { open } = await startStream({ timing: { heartbeatMs: 600_000 } });
    const stream = await open('north@acme.example');
    await stream.untilBeat();
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no');
    expect(stream.response.headers.get('cache-control')).toContain('no-transform');
  });
});

describe('a page of many actions for one viewer', () => {
  it('reaches an open stream completely', async () => {
    const { open, inbox } = await startStream();
    const stream = await open('north@acme.example');
    const count = 500;
    for (let n = 0; n < count; n += 1) {
      const raw = Buffer.from(JSON.stringify(clickBody({ reportName: `${n}` })));
      await inbox.append({ raw, receivedAtMs: Date.now() });
    }
    await stream.untilActions(count);
    expect(new Set(stream.actions().map(({ reportName }) => reportName)).size).toBe(count);
  });
});

describe('the audience callback', () => {
  it('delays no other click, even if many calls for one customer never settle', async () => {
    const unanswered = Promise.withResolvers<string>();
    const { open, click } = await startStream({
      audience: ({ currentUser }) => (currentUser === 7 ? 'north@acme.example' : unanswered.promise),
    });
    // Closing waits for answers, for ten seconds.
    onTestFinished(() => unanswered.resolve('nobody@acme.example'));
    const north = await open('north@acme.example');
    for (let n = 0; n < 60; n += 1) await click(8);
    const clickedMs = performance.now();
    await click(7);
    await north.untilActions(1);
    expect(performance.now() - clickedMs).toBeLessThan(5000);
  });

  it('is called once per event, however many browsers connect and reconnect', async () => {
    const asked: string[] = [];
    const { open, click, settled, inbox } = await startStream({
      audience: ({ id }) => {
        asked.push(id);
        return 'north@acme.example';
      },
    });
    const before = String(await cursorOf(inbox));
    const watching = await Promise.all([open('north@acme.example'), open('north@acme.example')]);
    await click(7);
    await click(7);
    await Promise.all(watching.map((stream) => stream.untilActions(2)));
    await settled();
    const back = await Promise.all(
      Array.from({ length: 5 }, () => open('north@acme.example', { 'last-event-id': before })),
    );
    await Promise.all(back.map((stream) => stream.untilActions(2)));
    expect(asked.sort()).toEqual(['1', '2']);
  });

  it('runs for many events in parallel, and a call that hangs delays no other event', async () => {
    const gate = Promise.withResolvers<void>();
    let [waiting, most] = [0, 0];
    const { open, click } = await startStream({
      timing: { lookupMs: 1000 },
      audience: async ({ reportName }) => {
        if (reportName === 'hanging') return new Promise<never>(() => undefined);
        most = Math.max(most, (waiting += 1));
        if (most >= 10) gate.resolve();
        await gate.promise;
        waiting -= 1;
        return 'north@acme.example';
      },
    });
    const stream = await open('north@acme.example');
    await click(7, { reportName: 'hanging' });
    await Promise.all(Array.from({ length: 20 }, () => click(7)));
    await stream.untilActions(20);
    expect(most).toBeGreaterThanOrEqual(10);
    expect(most).toBeLessThanOrEqual(16);
  });
});
