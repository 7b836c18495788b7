import { type InboxChange, type Publication, sqliteInbox } from '@vitrine/actions';
import { describe, expect, it } from 'vitest';
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

  it('replays only the actions that a browser missed while a proxy buffered its stream', async () => {
    let nowMs = Date.now();
    const { open, click, settled } = await startStream({ now: () => nowMs });
    await click(7, { reportName: 'Before the page' });
    await settled();
    nowMs += 60_000;
    await click(7, { reportName: 'While the proxy buffered' });
    await click(8, { reportName: 'Of somebody else' });
    await settled();
    nowMs += 5_000;
    const poll = await open('north@acme.example', {}, { query: '?poll=1&waited=15000' });
    await poll.untilEnd();
    expect(poll.actions().map(({ reportName }) => reportName)).toEqual(['While the proxy buffered']);
    await click(7, { reportName: 'Afterward' });
    await settled();
    const next = await open('north@acme.example', { 'last-event-id': poll.lastId }, { query: '?poll=1' });
    await next.untilEnd();
    expect(next.actions().map(({ reportName }) => reportName)).toEqual(['Afterward']);
  });

  it('replays actions from the inbox that were published while no browser was connected', async () => {
    const { open, click, inbox, settled } = await startStream();
    const before = await inbox.lastCursor();
    await Promise.all(Array.from({ length: 200 }, (_, n) => click(7, { reportName: `Sales ${n}` })));
    await settled();
    const stream = await open('north@acme.example', { 'last-event-id': String(before) });
    await stream.untilActions(200);
    expect(new Set(stream.actions().map(({ id }) => id)).size).toBe(200);
  });

  it('replays the newest actions even when more were missed than one reconnect may read', async () => {
    const log: Publication[] = [];
    let notify: (change: InboxChange) => void = () => undefined;
    const inbox = sqliteInbox(':memory:', { thread: 'main' });
    const busy = {
      ...inbox,
      lastCursor: async () => log.length,
      publications: async (after: number, limit: number) => log.slice(after, after + limit),
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
          isIntact: true,
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
      expect(Number(stream.lastId)).toBeLessThanOrEqual(await inbox.lastCursor());
      await click(7, { reportName: 'New' });
      await stream.untilActions(1);
      expect(stream.actions().map(({ reportName }) => reportName)).toEqual(['New']);
    }
  });

  it('does not replay actions older than maxAgeMs', async () => {
    let now = 1_000_000_000;
    const { open, inbox } = await startStream({ now: () => now, stream: { maxAgeMs: 60_000 } });
    const before = await inbox.lastCursor();
    const append = (reportName: string) =>
      inbox.append({
        raw: Buffer.from(JSON.stringify(clickBody({ reportName }))),
        receivedAtMs: now,
      });
    await append('Old');
    now += 60_001;
    const stream = await open('north@acme.example', { 'last-event-id': String(before) });
    await append('New');
    await stream.untilActions(1);
    expect(stream.actions().map(({ reportName }) => reportName)).toEqual(['New']);
  });
});
