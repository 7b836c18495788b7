import type { ActionHandlers } from '@vitrine/server/actions';
import { describe, expect, it } from 'vitest';
import { clickBody, reportId } from './support/samples.ts';
import { settled, startDispatch } from './support/startDispatch.ts';

describe('the routes of actions', () => {
  const heardBy = async (handlersOf: (note: (who: string) => () => void) => ActionHandlers) => {
    const heard: string[] = [];
    const { deliver, states } = startDispatch(handlersOf((who) => () => void heard.push(who)));
    await deliver(clickBody());
    await deliver(clickBody({ visualName: 'totals' }));
    await deliver(clickBody({ reportName: 'Another report', reportId: 'b' }));
    await settled(states);
    return heard.sort();
  };

  it('a single function receives every event', async () => {
    expect(await heardBy((note) => note('all'))).toEqual(['all', 'all', 'all']);
  });

  it.each([
    ['number', '1042'],
    ['GUID', reportId.toUpperCase()],
  ])(
    'a record is keyed by the %s of an item, by item and visual, or by *; the most specific key wins',
    async (_, item) => {
      const heard = await heardBy((note) => ({
        '*': note('rest'),
        [item]: note('report'),
        [`${item}/totals`]: note('visual'),
      }));
      expect(heard).toEqual(['report', 'rest', 'visual']);
    },
  );

  it.each([
    ['a list', [{ match: {} }], 'invalid_option'],
    ['a handler that is not a function', { 1042: { match: {} } }, 'invalid_option'],
  ])('%s is rejected', (_, handlers, code) => {
    // A plain JavaScript host may pass anything.
    expect(() => startDispatch(handlers as never)).toThrow(code);
  });

  it('a renamed report keeps its handler', async () => {
    const handled: string[] = [];
    const { deliver, states } = startDispatch({ 1042: ({ reportName }) => void handled.push(reportName) });
    await deliver(clickBody({ reportName: 'Before' }));
    await deliver(clickBody({ reportName: 'After' }));
    await settled(states);
    expect(handled.sort()).toEqual(['After', 'Before']);
  });

  it.each(['Sales by region', 'Income / Expenses', '0', '10.5', ''])(
    'a record key that is neither a number nor a GUID is rejected: %j',
    (key) => {
      expect(() => startDispatch({ [key]: () => undefined })).toThrow(/display names are not supported/);
    },
  );

  it('an event is retried without counting an attempt when its item cannot be looked up', async () => {
    let isDown = true;
    const { inbox, deliver, next, diagnostics, states } = startDispatch(
      { 1042: () => undefined },
      { firstRetryMs: 1000, maxRetryMs: 600_000 },
      { itemIdOf: () => (isDown ? Promise.reject(new Error('portal is down')) : 1042) },
    );
    const failed = next('handler-failed');
    await deliver(clickBody());
    expect((await failed).message).toContain('Could not look up the item of action 1;');
    isDown = false;
    await expect
      .poll(async () => (await inbox.list({ limit: 1 }))[0])
      .toMatchObject({
        state: 'pending',
        attempts: 0,
        lastError: 'portal is down',
      });
    expect(diagnostics).toHaveLength(1);
    expect(await states()).toMatchObject({ pending: 1 });
    await expect.poll(states, { timeout: 20_000 }).toMatchObject({ done: 1 });
  });

  it('an event without a route is kept, counted, reported once per report, and can be replayed', async () => {
    const { inbox, deliver, states, diagnostics } = startDispatch({ 7: () => undefined });
    // Until then, another process may have its handler.
    const receivedAtMs = Date.now() - 301_000;
    await deliver(clickBody(), receivedAtMs);
    await deliver(clickBody(), receivedAtMs);
    await deliver(clickBody({ reportId: 'b' }), receivedAtMs);
    await settled(states);
    expect(await states()).toMatchObject({ unrouted: 3, done: 0 });
    expect(diagnostics).toMatchObject([
      { kind: 'unrouted', deliveryId: '1', message: expect.stringContaining(reportId) },
      { kind: 'unrouted', deliveryId: '3', message: expect.stringContaining('report b. ') },
    ]);
    expect(await inbox.replay({ states: ['unrouted'] })).toBe(3);
  });

  it('an event is done without handlers, because viewers may still receive it', async () => {
    const { deliver, states } = startDispatch(undefined);
    await deliver(clickBody());
    await settled(states);
    expect(await states()).toMatchObject({ done: 1 });
  });

  it.each([
    ['invalid JSON', '{"metadata":'],
    ['no metadata', '{"a":1}'],
  ])('a body that cannot be parsed (%s) is parked and reported', async (_, body) => {
    const { deliver, states, diagnostics } = startDispatch(() => expect.unreachable());
    await deliver(body);
    await settled(states);
    expect(await states()).toMatchObject({ parked: 1 });
    expect(diagnostics).toMatchObject([{ kind: 'parked', deliveryId: '1' }]);
  });
});
