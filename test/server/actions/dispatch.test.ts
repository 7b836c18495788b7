import { join } from 'node:path';
import {
  type ActionHandlers,
  type ActionInbox,
  createActionWebhook,
  type DispatchOptions,
  on,
  sqliteInbox,
} from '@vitrine/server';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { sized } from '../../support/size.ts';
import { clickBody, collectNews, secret, temporaryFolder } from './support/samples.ts';

const quick: DispatchOptions = { pollMs: 20, backoff: { firstMs: 1, maxMs: 5 } };

const start = (handlers: ActionHandlers | undefined, dispatch: DispatchOptions = {}, given?: ActionInbox) => {
  const inbox = given ?? sqliteInbox(':memory:', { thread: 'main' });
  const { news, report, next } = collectNews();
  const webhook = createActionWebhook({
    secrets: secret,
    inbox,
    report,
    dispatch: { ...quick, ...dispatch },
    ...(handlers !== undefined && { on: handlers }),
  });
  onTestFinished(() => webhook.close(0));
  const deliver = (body: unknown, receivedAtMs = Date.now()) =>
    inbox.append({
      raw: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      receivedAtMs,
    });
  const states = async () => (await inbox.health()).counts;
  return { inbox, webhook, news, next, deliver, states };
};

const settled = async (states: () => Promise<{ readonly pending: number }>): Promise<void> => {
  await expect.poll(async () => (await states()).pending, { timeout: 50_000 }).toBe(0);
};

describe('which handler gets an event', () => {
  const heardBy = async (handlersOf: (note: (who: string) => () => void) => ActionHandlers) => {
    const heard: string[] = [];
    const { deliver, states } = start(handlersOf((who) => () => void heard.push(who)));
    await deliver(clickBody());
    await deliver(clickBody({ visualName: 'totals' }));
    await deliver(clickBody({ reportName: 'Another report', reportId: 'b' }));
    await settled(states);
    return heard.sort();
  };

  it('a single function gets everything', async () => {
    expect(await heardBy((note) => note('all'))).toEqual(['all', 'all', 'all']);
  });

  it('a record is keyed by report, report and visual, or * for the rest; the most specific key wins', async () => {
    const heard = await heardBy((note) => ({
      '*': note('rest'),
      'Sales by region': note('report'),
      'Sales by region/totals': note('visual'),
    }));
    expect(heard).toEqual(['report', 'rest', 'visual']);
  });

  it('a list of on() is asked in order, by report name or GUID and by visual', async () => {
    const heard = await heardBy((note) => [
      on({ visual: 'totals' }, note('visual')),
      on({ report: clickBody().metadata.reportId.toUpperCase() }, note('GUID')),
      on({ report: 'Another report' }, note('name')),
    ]);
    expect(heard).toEqual(['GUID', 'name', 'visual']);
  });

  it('an event nobody handles is done: it may still reach viewers', async () => {
    const { deliver, states } = start({ 'No such report': () => undefined });
    await deliver(clickBody());
    await settled(states);
    expect(await states()).toMatchObject({ done: 1 });
  });

  it('a schema types the rows, and an event that fails it is parked for a person', async () => {
    const schema = z.object({ 'Sales.Region': z.string(), 'Sales.Amount': z.number().transform(Math.round) });
    const amounts: number[] = [];
    const { deliver, states, news } = start([
      on({ schema }, ({ rows }) => void amounts.push(...rows.map((row) => row['Sales.Amount']))),
    ]);
    await deliver(clickBody());
    const other = clickBody();
    await deliver({ ...other, visualData: [{ visual: 'x', data: [{ identity: [], values: [] }] }] });
    await settled(states);
    expect(amounts).toEqual([1251]);
    expect(await states()).toMatchObject({ done: 1, parked: 1 });
    expect(news).toMatchObject([{ kind: 'parked', deliveryId: '2' }]);
  });

  it.each([
    ['bad JSON', '{"metadata":'],
    ['no metadata', '{"a":1}'],
    ['no visual data', JSON.stringify({ metadata: clickBody().metadata })],
    ['data of another shape', JSON.stringify({ ...clickBody(), visualData: [{ visual: 'a', data: [1] }] })],
    ['nothing', ''],
  ])('parks a body that cannot be understood (%s), and says so', async (_, body) => {
    const { deliver, states, news } = start(() => expect.unreachable());
    await deliver(body);
    await settled(states);
    expect(await states()).toMatchObject({ parked: 1 });
    expect(news).toMatchObject([{ kind: 'parked', deliveryId: '1' }]);
  });
});

describe('a handler that fails', () => {
  it('gets the event again until it succeeds, and the last word counts', async () => {
    const attempts: number[] = [];
    const { deliver, states, news, inbox } = start((_, { attempt }) => {
      attempts.push(attempt);
      if (attempt < 3) throw new Error('not yet');
      return { message: 'Done at last.' };
    });
    const before = await inbox.lastCursor();
    await deliver(clickBody());
    await settled(states);
    expect(attempts).toEqual([1, 2, 3]);
    expect(news.map(({ kind }) => kind)).toEqual(['handler-failed', 'handler-failed']);
    expect(await inbox.publications(before, 10)).toMatchObject([{ reply: { message: 'Done at last.' } }]);
  });

  it('leaves a dead letter after the last attempt, which a replay brings back', async () => {
    let isMended = false;
    const { deliver, states, news, inbox } = start(
      () => {
        if (!isMended) throw new Error('broken');
      },
      { maxAttempts: 3 },
    );
    await deliver(clickBody());
    await expect.poll(async () => (await states()).dead, { timeout: 50_000 }).toBe(1);
    expect(news.at(-1)).toMatchObject({ kind: 'dead', attempts: 3 });
    isMended = true;
    expect(await inbox.replay({ states: ['dead'] })).toBe(1);
    await settled(states);
    expect(await states()).toMatchObject({ done: 1, dead: 0 });
  });

  it('or hangs keeps its own slot and delays nobody else', async () => {
    const handled: string[] = [];
    const { deliver, states } = start(
      ({ reportName }) => {
        if (reportName === 'poison') return new Promise<undefined>(() => undefined);
        handled.push(reportName);
        return undefined;
      },
      { concurrency: 2, timeoutMs: 60_000 },
    );
    await deliver(clickBody({ reportName: 'poison' }));
    for (let n = 0; n < 50; n += 1) await deliver(clickBody({ reportName: String(n) }));
    await expect.poll(() => handled.length, { timeout: 50_000 }).toBe(50);
    expect(await states()).toMatchObject({ pending: 1, done: 50 });
  });

  it('would delay all the others if there was a single slot (the control)', async () => {
    const handled: string[] = [];
    const standing = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<undefined>();
    const { deliver, states } = start(
      ({ reportName }) => {
        if (reportName !== 'poison') return void handled.push(reportName);
        standing.resolve();
        return gate.promise;
      },
      { concurrency: 1, timeoutMs: 600_000 },
    );
    await deliver(clickBody({ reportName: 'poison' }));
    await standing.promise;
    for (let n = 0; n < 50; n += 1) await deliver(clickBody({ reportName: String(n) }));
    expect(await states()).toMatchObject({ pending: 51 });
    expect(handled).toEqual([]);
    gate.resolve(undefined);
    await settled(states);
    expect(handled).toHaveLength(50);
  });

  it('has its signal fired when its time is up', async () => {
    const aborted = Promise.withResolvers<unknown>();
    const { deliver, news, next } = start(
      (_, { signal }) =>
        new Promise<undefined>(() => signal.addEventListener('abort', () => aborted.resolve(signal.reason))),
      { timeoutMs: 20, maxAttempts: 1 },
    );
    const dead = next('dead');
    await deliver(clickBody());
    expect(String(await aborted.promise)).toContain('longer than 20 ms');
    await dead;
    expect(news).toHaveLength(1);
  });
});

describe('effects that must happen once', () => {
  it('happen once however often the handler runs, and later attempts get the noted result', async () => {
    const effects: string[] = [];
    const results: unknown[] = [];
    const { deliver, states } = start(async (_, { attempt, once }) => {
      const result = await once('order', ({ idempotencyKey }) => {
        effects.push(idempotencyKey);
        return { order: 17 };
      });
      results.push(result);
      if (attempt < 4) throw new Error('after the effect');
    });
    await deliver(clickBody());
    await settled(states);
    expect(effects).toEqual(['1:order']);
    expect(results).toEqual([{ order: 17 }, { order: 17 }, { order: 17 }, { order: 17 }]);
  });
});

describe('duplicates and double clicks', () => {
  const count = sized(300, 10_000);

  it('two clicks a millisecond apart are two events, and both are delivered', async () => {
    let handled = 0;
    const { deliver, states } = start(({ flags }) => {
      expect(flags).not.toContain('duplicate');
      handled += 1;
    });
    const at = (n: number) => new Date(1_790_000_000_000 + n).toISOString();
    await Promise.all(
      Array.from({ length: count }, (_, n) => deliver(clickBody({ actionTriggeredAt: at(n) }))),
    );
    await settled(states);
    expect(handled).toBe(count);
  });

  it('the same bytes again are stored, flagged and delivered; or skipped, if the host says so', async () => {
    for (const duplicates of ['deliver', 'skip'] as const) {
      let flagged = 0;
      let handled = 0;
      const { deliver, states } = start(
        ({ flags, duplicateOf }) => {
          handled += 1;
          if (flags.includes('duplicate') && duplicateOf === '1') flagged += 1;
        },
        { duplicates },
      );
      await Promise.all(Array.from({ length: count }, () => deliver(clickBody())));
      await settled(states);
      expect(await states()).toMatchObject({ done: count });
      expect([handled, flagged]).toEqual(duplicates === 'deliver' ? [count, count - 1] : [1, 0]);
    }
  });
});

describe('a handler that stands still', () => {
  it('stops no delivery: events wait on disk, a few at a time are in memory, none is lost', async () => {
    const events = sized(1500, 100_000);
    let started = 0;
    const gate = Promise.withResolvers<undefined>();
    const { deliver, states } = start(
      () => {
        started += 1;
        return gate.promise;
      },
      { timeoutMs: 600_000 },
    );
    for (let n = 0; n < events; n += 500)
      await Promise.all(
        Array.from({ length: Math.min(500, events - n) }, (_, m) =>
          deliver(clickBody({ reportName: `${n + m}` })),
        ),
      );
    expect(started).toBeLessThanOrEqual(16);
    expect(await states()).toMatchObject({ pending: events });
    gate.resolve(undefined);
    await expect.poll(async () => (await states()).done, { timeout: 300_000 }).toBe(events);
  });
});

describe('an event', () => {
  const parsed = async (body: unknown, receivedAtMs = Date.parse('2026-11-20T08:00:00Z')) => {
    const seen = Promise.withResolvers<unknown>();
    const { deliver } = start((event) => seen.resolve(event));
    await deliver(body, receivedAtMs);
    return seen.promise;
  };
  const { metadata, visualData } = clickBody();

  it.each([
    ['{metadata, visualData}', { metadata, visualData }],
    ['the array under another name', { metadata, selection: visualData }],
    ['metadata under another name', { info: metadata, visualData }],
    ['metadata flat at the top', { ...metadata, visualData }],
    ['[metadata, ...visuals]', [metadata, ...visualData]],
    ['[metadata, visuals]', [metadata, visualData]],
  ])('is understood as %s', async (_, body) => {
    expect(await parsed(body)).toMatchObject({
      reportId: metadata.reportId,
      visual: 'sales-by-region',
      rows: [{ 'Sales.Region': 'North', 'Sales.Amount': 1250.5 }],
      flags: [],
    });
  });

  it('is a clear when nothing is selected any more', async () => {
    expect(await parsed({ metadata, visualData: [{ visual: 'sales-by-region', data: [] }] })).toMatchObject({
      isClear: true,
      rows: [],
    });
  });

  it('keeps every kind of value, and names a second measure of a column after its aggregation', async () => {
    const target = { table: 'T', column: 'C' };
    const data = [
      {
        identity: [null, true, 'text', 7].map((equals, n) => ({
          equals,
          target: { table: 'T', column: `I${n}` },
        })),
        values: [
          { value: 1, formattedValue: '1', target },
          { value: '2', formattedValue: '2', target: { ...target, aggregationFunction: 'Max' } },
        ],
      },
    ];
    expect(await parsed({ metadata, visualData: [{ visual: 'v', data }] })).toMatchObject({
      rows: [{ 'T.I0': null, 'T.I1': true, 'T.I2': 'text', 'T.I3': 7, 'T.C': 1, 'Max(T.C)': '2' }],
    });
  });

  it('is flagged, not refused, when its time is odd or its metadata incomplete', async () => {
    expect(await parsed({ metadata, visualData }, Date.parse('2026-11-22T08:00:00Z'))).toMatchObject({
      flags: ['odd-time'],
    });
    const { reportId } = metadata;
    expect(await parsed({ metadata: { reportId }, visualData })).toMatchObject({
      flags: ['odd-time', 'incomplete'],
      currentUser: null,
      visual: 'sales-by-region',
    });
  });
});

describe('a handler that gives what is no JSON', () => {
  it('fails alone: deliveries of the same moment are stored, and a function counts as left out', async () => {
    const inbox = sqliteInbox(join(temporaryFolder(), 'actions.db'));
    const replied = Promise.withResolvers<void>();
    const { deliver, states, news } = start(
      ({ visual }) => {
        replied.resolve();
        // A host in plain JavaScript may return anything.
        return { result: visual === 'loop' ? 1n : () => 1 };
      },
      { maxAttempts: 1 },
      inbox,
    );
    const before = await inbox.lastCursor();
    await deliver(clickBody());
    await deliver(clickBody({ visualName: 'loop' }));
    await replied.promise;
    const beside = await Promise.allSettled(Array.from({ length: 20 }, () => deliver(clickBody())));
    expect(beside.filter(({ status }) => status === 'rejected')).toEqual([]);
    await settled(states);
    expect(await states()).toMatchObject({ done: 21, dead: 1 });
    expect(news.map(({ kind }) => kind)).toEqual(['dead']);
    expect((await inbox.publications(before, 100)).every(({ reply }) => reply?.result === undefined)).toBe(
      true,
    );
  });

  it('has its effect noted without the result, so that it is not repeated', async () => {
    let effects = 0;
    const { deliver, states } = start(async (_, { once }) => {
      await once('count', () => {
        effects += 1;
        return 1n;
      });
    });
    await deliver(clickBody());
    await settled(states);
    expect([effects, (await states()).done]).toEqual([1, 1]);
  });
});

describe('what was handled', () => {
  it('is kept for thirty days and then removed, while whatever still needs somebody stays', async () => {
    let passHour: () => void = () => expect.unreachable();
    const realSetInterval = setInterval;
    vi.stubGlobal('setInterval', (run: () => void, ms: number) => {
      if (ms === 3_600_000) passHour = run;
      return realSetInterval(run, ms);
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    const day = 24 * 3_600_000;
    let laterMs = 0;
    const inbox = sqliteInbox(':memory:', { thread: 'main' });
    const webhook = createActionWebhook({
      secrets: secret,
      inbox,
      report: () => undefined,
      now: () => Date.now() + laterMs,
      dispatch: { maxAttempts: 1 },
      on: ({ reportName }) => {
        if (reportName === 'broken') throw new Error('broken');
      },
    });
    onTestFinished(() => webhook.close(0));
    for (const body of [clickBody(), clickBody({ reportName: 'broken' }), 'no JSON'])
      await inbox.append({ raw: Buffer.from(JSON.stringify(body)), receivedAtMs: Date.now() });
    const counts = async () => (await inbox.health()).counts;
    await expect.poll(counts, { timeout: 50_000 }).toEqual({ pending: 0, done: 1, parked: 1, dead: 1 });
    laterMs = 29 * day;
    passHour();
    expect(await counts()).toEqual({ pending: 0, done: 1, parked: 1, dead: 1 });
    laterMs = 31 * day;
    passHour();
    expect(await counts()).toEqual({ pending: 0, done: 0, parked: 1, dead: 1 });
  });
});
