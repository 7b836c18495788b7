import { type ActionInbox, type Publication, sqliteInbox } from '@vitrine/server/actions';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { cursorOf } from './support/log.ts';
import { clickBody } from './support/samples.ts';
import { startStream } from './support/startStream.ts';

describe('the action stream when a browser reconnects', () => {
  it('replays missed actions once and in order, starting after Last-Event-ID', async () => {
    const { open, click } = await startStream();
    const first = await open('north@acme.example');
    await click(7, { reportName: 'One' });
    await first.untilActions(1);
    first.close();
    const witness = await open('north@acme.example');
    await click(7, { reportName: 'Two' });
    await click(8, { reportName: 'Of somebody else' });
    await click(7, { reportName: 'Three' });
    await witness.untilActions(2);
    const again = await open('north@acme.example', { 'last-event-id': first.lastId });
    await again.untilActions(2);
    await click(7, { reportName: 'Four' });
    await again.untilActions(3);
    expect(again.actions().map(({ reportName }) => reportName)).toEqual(['Two', 'Three', 'Four']);
  });

  it('replays actions from the inbox that were published while no browser was connected', async () => {
    const { open, click, inbox, settled } = await startStream();
    const before = await cursorOf(inbox);
    await Promise.all(Array.from({ length: 200 }, (_, n) => click(7, { reportName: `Sales ${n}` })));
    await settled();
    const stream = await open('north@acme.example', { 'last-event-id': String(before) });
    await stream.untilActions(200);
    expect(new Set(stream.actions().map(({ id }) => id)).size).toBe(200);
  });

  it('replays the newest actions even when more were missed than one reconnect may read', async () => {
    const log: Publication[] = [];
    let notify: Parameters<ActionInbox['watch']>[0] = () => undefined;
    const inbox = sqliteInbox(':memory:');
    const busy = {
      ...inbox,
      since: async (after = log.length, limit = 0) => ({
        cursor: log.length,
        publications: log.slice(after, after + limit),
      }),
      watch: (listener: typeof notify) => {
        notify = listener;
        return () => undefined;
      },
    };
    const { open, actions } = await startStream({ inbox: busy });
    const witness = await open('north@acme.example');
    for (let cursor = 1; cursor <= 3000; cursor += 1)
      log.push({
        cursor,
        audience: ['north@acme.example'],
        itemId: 1042,
        delivery: {
          id: String(cursor),
          raw: Buffer.from(JSON.stringify(clickBody({ reportName: 'Newest' }))),
          receivedAtMs: cursor < 3000 ? 0 : Date.now(),
          state: 'done',
          attempts: 1,
        },
      });
    notify('published');
    await witness.untilActions(1);
    const again = await open('north@acme.example', { 'last-event-id': '0' });
    await again.untilActions(1);
    expect(again.actions()).toMatchObject([{ id: '3000', reportName: 'Newest' }]);
    // Without a connected browser the process remembers nothing: everything is read from the inbox.
    witness.close();
    again.close();
    await expect.poll(() => actions.streamCount).toBe(0);
    const first = await open('north@acme.example', { 'last-event-id': '1' });
    await first.untilActions(1);
    expect(first.actions()).toMatchObject([{ id: '3000', reportName: 'Newest' }]);
  });

  it('starts at the present when Last-Event-ID is missing or invalid', async () => {
    const { open, click, inbox } = await startStream();
    const witness = await open('north@acme.example');
    await click(7, { reportName: 'Old' });
    await witness.untilActions(1);
    for (const headers of [
      {},
      { 'last-event-id': 'abc' },
      { 'last-event-id': '-1' },
      { 'last-event-id': '9'.repeat(16) },
      // A future ID, as after an inbox was restored or replaced.
      { 'last-event-id': String(Date.now() + 3_600_000) },
    ]) {
      const stream = await open('north@acme.example', headers);
      // A position that the log has not reached yet would make the browser skip the actions before it.
      expect(Number(stream.lastId)).toBeLessThanOrEqual(await cursorOf(inbox));
      await click(7, { reportName: 'New' });
      await stream.untilActions(1);
      expect(stream.actions().map(({ reportName }) => reportName)).toEqual(['New']);
    }
  });

  it('does not replay an action that is no longer shown', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { open, inbox } = await startStream({ timing: { showForMs: 60_000 } });
    const before = await cursorOf(inbox);
    const append = (reportName: string) =>
      inbox.append({
        raw: Buffer.from(JSON.stringify(clickBody({ reportName }))),
        receivedAtMs: Date.now(),
      });
    await append('Old');
    vi.setSystemTime(Date.now() + 60_001);
    const stream = await open('north@acme.example', { 'last-event-id': String(before) });
    await append('New');
    await stream.untilActions(1);
    expect(stream.actions().map(({ reportName }) => reportName)).toEqual(['New']);
  });
});
