import { createActions, sqliteInbox } from '@vitrine/server/actions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clickRow, otherReport, reportId, secret } from './support/samples.ts';
import { startStream } from './support/startStream.ts';

describe('the action stream, GET {endpoint}/actions', () => {
  it('sends server-sent events with headers that prevent caching, compression and buffering', async () => {
    const { open } = await startStream();
    const { response, events } = await open('north@acme.example');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(events[0]).toMatchObject({ name: 'hello', data: { heartbeatMs: 15_000 } });
  });

  it('sends an action to every stream of its viewer and to no other viewer', async () => {
    const { open, click } = await startStream();
    const first = await open('north@acme.example');
    const second = await open('north@acme.example');
    const other = await open('south@acme.example');
    await click(7);
    await Promise.all([first.untilActions(1), second.untilActions(1)]);
    await click(8);
    await other.untilActions(1);
    expect(first.actions()).toEqual([
      {
        id: '1',
        itemId: 1042,
        reportId,
        reportName: 'Sales by region',
        visual: 'sales-by-region',
        triggeredAt: '2026-11-20T08:00:00.000Z',
        isCleared: false,
        rows: [clickRow],
      },
    ]);
    expect(second.actions()).toHaveLength(1);
    expect(other.actions().map(({ id }) => id)).toEqual(['2']);
  });

  it('sends the value that the handler returned', async () => {
    const reply = { result: { opened: 3 }, refresh: true, message: 'Three orders opened.' };
    const { open, click } = await startStream({ reply });
    const stream = await open('north@acme.example');
    await click(7);
    await stream.untilActions(1);
    expect(stream.actions()[0]).toMatchObject(reply);
  });

  it.each([
    ['nothing', () => undefined],
    ['an empty list', () => []],
    ['an empty name', () => ''],
    ['something else', () => ({ everybody: true }) as never],
  ])('sends an action to nobody when the audience is %s', async (_, audience) => {
    const { open, click } = await startStream({
      audience: (event) => (event.reportName === 'The last' ? ['a'] : audience()),
    });
    const streams = await Promise.all([open('a'), open('undefined'), open('')]);
    await click(7);
    await click(7);
    await click(7, { reportName: 'The last' });
    await streams[0].untilActions(1);
    expect(streams[0].actions().map(({ reportName }) => reportName)).toEqual(['The last']);
    expect(streams[1].actions()).toEqual([]);
    expect(streams[2].actions()).toEqual([]);
  });

  it('sends an action to nobody and reports the error when the audience callback fails', async () => {
    const { open, click, diagnostics } = await startStream({
      audience: ({ reportName }) => {
        if (reportName === 'Broken') throw new Error('directory is down');
        return 'a';
      },
    });
    const stream = await open('a');
    await click(7, { reportName: 'Broken' });
    await click(7, { reportName: 'Fine' });
    await stream.untilActions(1);
    expect(stream.actions().map(({ reportName }) => reportName)).toEqual(['Fine']);
    expect(diagnostics).toMatchObject([{ kind: 'not-shown', deliveryId: '1' }]);
  });

  it('runs the handler once and sends its reply when the audience is known later', async () => {
    let [asked, runs] = [0, 0];
    const { open, click, diagnostics } = await startStream({
      audience: () => {
        if ((asked += 1) < 3) throw new Error('directory is down');
        return 'a';
      },
      on: () => ({ message: `run ${(runs += 1)}` }),
      timing: { maxRetryMs: 5 },
    });
    const stream = await open('a');
    await click(7);
    await stream.untilActions(1);
    expect(stream.actions()).toMatchObject([{ message: 'run 1' }]);
    expect([asked, runs]).toEqual([3, 1]);
    expect(diagnostics).toMatchObject([{ kind: 'not-shown', deliveryId: '1' }]);
  });

  it('recognizes both forms of the item ID and calls canView again for each viewer', async () => {
    const itemIdOf = (id: string) => (id === reportId ? 1042 : id === otherReport ? 1043 : undefined);
    const { open, click } = await startStream({
      itemIdOf,
      audience: () => ['a', 'b'],
      canView: (userId, itemId) => userId === 'a' || itemId !== 1042,
    });
    const [allowed, denied] = [await open('a'), await open('b')];
    await click(7);
    await click(7, { reportId: otherReport });
    await Promise.all([allowed.untilActions(2), denied.untilActions(1)]);
    expect(allowed.actions().map(({ itemId }) => itemId)).toEqual([1042, 1043]);
    expect(denied.actions().map(({ itemId }) => itemId)).toEqual([1043]);
  });

  it('treats an ID made of digits as the number of the item', async () => {
    const { open, click } = await startStream();
    const stream = await open('north@acme.example');
    await click(7, { reportId: '1042' });
    await stream.untilActions(1);
    expect(stream.actions()[0]).toMatchObject({ itemId: 1042, reportId: '1042' });
  });
});

describe('the action stream without access control', () => {
  it('throws at construction without an audience', () => {
    const inbox = sqliteInbox(':memory:');
    onTestFinished(() => inbox.close());
    expect(() => createActions({ inbox, secrets: secret } as never)).toThrow(/may see actions/);
  });

  it('throws at construction without an inbox', () => {
    expect(() => createActions({ audience: () => [], secrets: secret } as never)).toThrow(
      /"inbox" is missing/,
    );
  });
});
