import { join } from 'node:path';
import { type ActionReply, sqliteInbox } from '@vitrine/server/actions';
import { describe, expect, it } from 'vitest';
import { sized } from '../support/size.ts';
import { cursorOf, publicationsAfter } from './support/log.ts';
import { clickBody, secret, temporaryFolder } from './support/samples.ts';
import { settled, startDispatch } from './support/startDispatch.ts';

describe('a handler that fails', () => {
  it('receives the event again until it succeeds, and its last outcome counts', async () => {
    const attempts: number[] = [];
    const { deliver, states, diagnostics, inbox } = startDispatch(
      (_, { attempt }) => {
        attempts.push(attempt);
        if (attempt < 3) throw new Error('not yet');
        return { message: 'Done at last.' };
      },
      {},
      { audience: () => 'a' },
    );
    const before = await cursorOf(inbox);
    await deliver(clickBody());
    await settled(states);
    expect(attempts).toEqual([1, 2, 3]);
    expect(diagnostics.map(({ kind }) => kind)).toEqual(['handler-failed', 'handler-failed']);
    expect(await publicationsAfter(inbox, before, 10)).toMatchObject([
      { reply: { message: 'Done at last.' } },
    ]);
  });

  it('becomes a dead letter after the last attempt, and a replay makes it due again', async () => {
    let isFixed = false;
    const { deliver, states, diagnostics, inbox } = startDispatch(
      () => {
        if (!isFixed) throw new Error('broken');
      },
      { maxAttempts: 3 },
    );
    await deliver(clickBody());
    await expect.poll(async () => (await states())?.dead, { timeout: 50_000 }).toBe(1);
    expect(diagnostics.at(-1)).toMatchObject({
      kind: 'dead',
      message: expect.stringContaining('failed 3 times'),
    });
    isFixed = true;
    expect(await inbox.replay({ states: ['dead'] })).toBe(1);
    await settled(states);
    expect(await states()).toMatchObject({ done: 1, dead: 0 });
  });

  it('runs once although the inbox fails while the outcome is written', async () => {
    const inbox = sqliteInbox(':memory:');
    let [runs, failures] = [0, 0];
    const { deliver, states, diagnostics } = startDispatch(
      () => void (runs += 1),
      {},
      {
        inbox: {
          ...inbox,
          settle: (claimed, outcome) =>
            (failures += 1) < 3 ? Promise.reject(new Error('deadlock')) : inbox.settle(claimed, outcome),
        },
      },
    );
    await deliver(clickBody());
    await settled(states);
    expect([runs, failures]).toEqual([1, 3]);
    expect(new Set(diagnostics.map(({ kind }) => kind))).toEqual(new Set(['inbox-failed']));
  });

  it('is done and shown to nobody when the audience is still unknown after five minutes', async () => {
    const { deliver, states, inbox } = startDispatch(
      () => undefined,
      { showForMs: 1 },
      { audience: () => Promise.reject(new Error('no luck')) },
    );
    await deliver(clickBody(), Date.now() - 1000);
    await settled(states);
    expect(await inbox.list({ limit: 1 })).toMatchObject([
      { state: 'done', attempts: 1, lastError: 'It was not delivered: no luck' },
    ]);
  });

  it.each([
    ['undefined', undefined, 1],
    ['null', null, 0],
    ['an empty list', [], 0],
  ])('says once that nobody sees an action whose audience() returns %s', async (_, audience, times) => {
    const { deliver, states, diagnostics } = startDispatch(() => undefined, {}, { audience: () => audience });
    await deliver(clickBody());
    await deliver(clickBody());
    await settled(states);
    expect(diagnostics.map(({ message }) => message)).toEqual(
      Array(times).fill(expect.stringContaining('audience() returned undefined')),
    );
  });

  it.each([
    ['an error', new Error('no luck'), 'no luck'],
    ['a text', 'no luck', 'no luck'],
    ['nothing', null, 'null'],
    ['a value without a text', Object.create(null), 'a value that cannot be converted to a string'],
    [
      'secrets',
      new Error(`no luck with ${secret}, Bearer abcdef, postgres://u:pw12345@h/db and https://h/a?key=1`),
      'no luck with ***, Bearer ***, postgres://***@h/db and https://h/a?***',
    ],
  ])('logs and stores what it threw: %s', async (_, thrown, told) => {
    const lines: string[] = [];
    const write = (__: unknown, line: string) => lines.push(line);
    const { deliver, states, inbox } = startDispatch(
      () => {
        throw thrown;
      },
      { maxAttempts: 1 },
      { logger: { debug: write, info: write, warn: write, error: write } },
    );
    await deliver(clickBody());
    await settled(states);
    expect(lines).toEqual([
      `Action 1 failed 1 times and is a dead letter: ${told}. Fix the handler, then run \`vitrine actions replay 1\`.`,
    ]);
    expect((await inbox.list({ limit: 1 }))[0]?.lastError).toBe(told);
  });

  it('or hangs occupies only its own slot and delays no other event', async () => {
    const handled: string[] = [];
    const { deliver, states } = startDispatch(
      ({ reportName }) => {
        if (reportName === 'poison') return new Promise<undefined>(() => undefined);
        handled.push(reportName);
        return undefined;
      },
      { concurrency: 2 },
      { handlerTimeoutMs: 60_000 },
    );
    await deliver(clickBody({ reportName: 'poison' }));
    for (let n = 0; n < 50; n += 1) await deliver(clickBody({ reportName: String(n) }));
    await expect.poll(() => handled.length, { timeout: 50_000 }).toBe(50);
    expect(await states()).toMatchObject({ pending: 1, done: 50 });
  });

  it('control: would delay all other events if there were a single slot', async () => {
    const handled: string[] = [];
    const standing = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<undefined>();
    const { deliver, states } = startDispatch(
      ({ reportName }) => {
        if (reportName !== 'poison') return void handled.push(reportName);
        standing.resolve();
        return gate.promise;
      },
      { concurrency: 1 },
      { handlerTimeoutMs: 600_000 },
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

  it('at once leaves nothing behind that ends the process when the host stops', async () => {
    const { deliver, states, actions } = startDispatch(
      ({ reportName }) => {
        if (reportName === 'hangs') return new Promise<undefined>(() => undefined);
        throw new Error('at once');
      },
      { maxAttempts: 1 },
    );
    await deliver(clickBody({ reportName: 'hangs' }));
    await deliver(clickBody());
    await expect.poll(async () => (await states()).dead, { timeout: 20_000 }).toBe(1);
    // The signals of all handlers fire. An unhandled rejection fails the run.
    await actions.close(0);
  });

  it('receives an aborted signal at its timeout', async () => {
    const aborted = Promise.withResolvers<unknown>();
    const { deliver, diagnostics, next } = startDispatch(
      (_, { signal }) =>
        new Promise<undefined>(() => signal.addEventListener('abort', () => aborted.resolve(signal.reason))),
      { maxAttempts: 1 },
      { handlerTimeoutMs: 20 },
    );
    const dead = next('dead');
    await deliver(clickBody());
    expect(String(await aborted.promise)).toContain('longer than 20 ms');
    await dead;
    expect(diagnostics).toHaveLength(1);
  });
});

describe('a handler that hangs', () => {
  it('does not block deliveries: events wait on disk, few are in memory, and none is lost', async () => {
    const events = sized(1500, 100_000);
    let started = 0;
    const gate = Promise.withResolvers<undefined>();
    const { deliver, states } = startDispatch(
      () => {
        started += 1;
        return gate.promise;
      },
      {},
      { handlerTimeoutMs: 600_000 },
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
    await expect.poll(async () => (await states())?.done, { timeout: 300_000 }).toBe(events);
  });
});

describe('a handler that returns a value that viewers cannot get', () => {
  it('loses only that value: its action is handled once, and concurrent deliveries are stored', async () => {
    const inbox = sqliteInbox(join(temporaryFolder(), 'actions.db'));
    const replied = Promise.withResolvers<void>();
    const { deliver, states, diagnostics } = startDispatch(
      () => {
        replied.resolve();
        return { result: 1n };
      },
      {},
      { inbox, audience: () => ['a'] },
    );
    const before = await cursorOf(inbox);
    await deliver(clickBody());
    await replied.promise;
    const meanwhile = await Promise.allSettled(Array.from({ length: 20 }, () => deliver(clickBody())));
    expect(meanwhile.filter(({ status }) => status === 'rejected')).toEqual([]);
    await settled(states);
    expect(await states()).toMatchObject({ done: 21 });
    expect(diagnostics.map(({ kind }) => kind)).toEqual(Array(21).fill('not-shown'));
    const published = await publicationsAfter(inbox, before, 100);
    expect(published.map(({ reply }) => reply)).toEqual(Array(21).fill(undefined));
  });

  const loop: unknown[] = [];
  loop.push(loop);
  it.each([
    ['a text', 'done'],
    ['a list', [1]],
    ['a number', 5],
    ['a function', () => 1],
    ['a result that is not JSON', { result: [1n], message: 'Hi' }],
    ['a result that contains itself', { result: loop }],
    ['a result over 256 KiB', { result: 'x'.repeat(262_144) }],
    ['an unknown part', { text: 'x', message: 'Hi' }],
    ['a part with the name of a member', { constructor: 1, message: 'Hi' }],
    ['a message that is not text', { message: { a: 1 } }],
    ['a message that is null', { message: null }],
    ['a refresh that is not a boolean', { refresh: 1 }],
  ])('shows the action without it, and reports it: %s', async (_, reply) => {
    const { deliver, states, diagnostics, inbox } = startDispatch(
      // A plain JavaScript host may return anything.
      () => reply as ActionReply,
      {},
      { audience: () => 'a' },
    );
    const before = await cursorOf(inbox);
    await deliver(clickBody());
    await settled(states);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "The handler's reply to action 1 is not delivered. Return nothing, or { result, message, refresh }: JSON, a text and a boolean, at most 256 KiB together.",
    ]);
    const shown = await publicationsAfter(inbox, before, 10);
    expect(shown.map((published) => published.reply)).toEqual([undefined]);
  });

  it('control: shows what fits', async () => {
    const reply = { message: 'Hi', refresh: true, result: 'x'.repeat(262_000) };
    const { deliver, states, diagnostics, inbox } = startDispatch(() => reply, {}, { audience: () => 'a' });
    const before = await cursorOf(inbox);
    await deliver(clickBody());
    await settled(states);
    expect(diagnostics).toEqual([]);
    expect(await publicationsAfter(inbox, before, 10)).toMatchObject([{ reply }]);
  });
});

describe('a handler that throws a value that is not an Error', () => {
  it.each([
    ['nothing', null],
    ['an object without a prototype', Object.create(null)],
    [
      'an error whose message is not a string',
      Object.assign(new Error('x'), { message: { toString: null } }),
    ],
  ])('fails like any other: %s', async (_, thrown) => {
    const { deliver, states, diagnostics } = startDispatch(
      () => {
        throw thrown;
      },
      { maxAttempts: 2 },
    );
    await deliver(clickBody());
    await settled(states);
    expect(diagnostics.map(({ kind }) => kind)).toEqual(['handler-failed', 'dead']);
  });
});
