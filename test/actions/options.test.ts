import {
  createActionDispatcher,
  createActionFetchHandler,
  createActionReceiver,
  createActionStream,
  createActionWebhook,
  postgresInbox,
  sqliteInbox,
} from '@vitrine/actions';
import { VitrineOptionsError } from '@vitrine/server';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { secret, temporaryFolder } from './support/samples.ts';

/** What a factory throws. What it made instead would leave its timers behind, and fail the test anyhow. */
const errorOf = (make: () => unknown): unknown => {
  try {
    make();
  } catch (error) {
    return error;
  }
  return undefined;
};

const openInbox = () => {
  const inbox = sqliteInbox(':memory:', { thread: 'main' });
  onTestFinished(() => inbox.close());
  return inbox;
};
const report = () => undefined;

/** Each factory with the options it needs and some that a host in plain JavaScript may add. */
const factories: Readonly<Record<string, (more: object) => unknown>> = {
  createActionWebhook: (more) => createActionWebhook({ secrets: secret, inbox: openInbox(), ...more }),
  createActionFetchHandler: (more) =>
    createActionFetchHandler({ secrets: secret, inbox: openInbox(), ...more }),
  createActionReceiver: (more) =>
    createActionReceiver({ secrets: secret, inbox: openInbox(), report, ...more }),
  createActionDispatcher: (more) =>
    createActionDispatcher({ inbox: openInbox(), routes: [], report, ...more }),
  createActionStream: (more) => createActionStream({ inbox: openInbox(), audience: () => [], ...more }),
  sqliteInbox: (more) => sqliteInbox(':memory:', { thread: 'main', ...more }),
  postgresInbox: (more) => postgresInbox('postgres://host/database', more),
};

describe('a misspelt option of the actions', () => {
  it.each(Object.entries(factories))('is refused by %s, which names those it has', (_name, make) => {
    const error = errorOf(() => make({ nwo: Date.now }));
    expect(error).toBeInstanceOf(VitrineOptionsError);
    expect(error).toMatchObject({
      code: 'unknown_option',
      message: expect.stringMatching(/no option "nwo"\. Its options are .*\w+, \w+/),
    });
  });

  it.each([
    ['secret for secrets', { secret, secrets: undefined }, '"secret"'],
    ['dispatchs for dispatch', { dispatchs: false }, '"dispatchs"'],
    ['a word of the dispatch', { dispatch: { concurency: 4 } }, '"concurency"'],
    ['a word of the pauses', { dispatch: { backoff: { first: 4 } } }, '"first"'],
    ['a word of keepRefused', { keepRefused: { folder: '', maxByte: 1 } }, '"maxByte"'],
  ])('is refused before anything is started: %s', (_title, more, named) => {
    const error = errorOf(() => factories['createActionWebhook']?.(more));
    expect(error).toMatchObject({ code: 'unknown_option', message: expect.stringContaining(named) });
  });

  it.each([
    ['createActionWebhook', 'no handler at once', { dispatch: { concurrency: 0 } }],
    ['createActionWebhook', 'false for a number', { dispatch: { concurrency: false } }],
    ['createActionWebhook', 'a time in words', { dispatch: { timeoutMs: '30s' } }],
    ['createActionWebhook', 'a poll without a pause', { dispatch: { pollMs: 0 } }],
    ['createActionWebhook', 'no attempt', { dispatch: { maxAttempts: 0 } }],
    ['createActionWebhook', 'a pause that is no number', { dispatch: { backoff: { firstMs: Number.NaN } } }],
    ['createActionWebhook', 'a lease that ends before its attempt', { dispatch: { leaseMs: 30_000 } }],
    ['createActionWebhook', 'an attempt that outlasts the lease', { dispatch: { timeoutMs: 9, leaseMs: 8 } }],
    ['createActionDispatcher', 'an attempt that outlasts the lease', { timeoutMs: 90_000, leaseMs: 60_000 }],
    [
      'createActionWebhook',
      'an attempt that outlasts the lease of the inbox',
      { inbox: postgresInbox('postgres://host/database'), dispatch: { timeoutMs: 60_000 } },
    ],
    ['createActionWebhook', 'another word for duplicates', { dispatch: { duplicates: 'drop' } }],
    ['createActionWebhook', 'a time in words', { keepHandledMs: '30d' }],
    ['createActionWebhook', 'a silence of nothing', { quietAfterMs: 0 }],
    ['createActionStream', 'a beat without a pause', { heartbeatMs: 0 }],
    ['createActionStream', 'a timer that would fire at once', { pollMs: 2 ** 31 }],
    ['createActionStream', 'no stream', { maxStreamsPerViewer: 0 }],
    ['sqliteInbox', 'another word for damage, which would set a file aside', { onDamage: 'throw' }],
    ['sqliteInbox', 'another thread', { thread: 'both' }],
    ['sqliteInbox', 'a window in words', { duplicateWindowMs: '24h' }],
    ['postgresInbox', 'a lease of nothing', { leaseMs: 0 }],
  ])('is not the only mistake: %s refuses %s', (name, _title, more) => {
    expect(errorOf(() => factories[name]?.(more))).toMatchObject({ code: 'invalid_action_option' });
  });

  it.each(['createActionWebhook', 'createActionStream', 'createActionFetchHandler'])(
    '%s does not start with a place for its news that takes none',
    (name) => {
      for (const logger of [
        { log: () => undefined },
        { warn: () => undefined },
        () => undefined,
        null,
        false,
      ])
        expect(errorOf(() => factories[name]?.({ logger }))).toMatchObject({ code: 'invalid_logger' });
      for (const news of ['console', {}])
        expect(errorOf(() => factories[name]?.({ report: news }))).toMatchObject({
          code: 'invalid_action_option',
        });
    },
  );

  it('says how long a lease must be, and takes one that is longer than an attempt (the control)', async () => {
    const make = factories['createActionDispatcher'];
    expect(errorOf(() => make?.({ timeoutMs: 90_000, leaseMs: 60_000 }))).toMatchObject({
      message: expect.stringMatching(/"leaseMs" of the dispatch of actions is 60000.*may take 90000/),
    });
    const inbox = openInbox();
    const dispatcher = createActionDispatcher({
      inbox,
      routes: [],
      report,
      timeoutMs: 90_000,
      leaseMs: 90_001,
    });
    await dispatcher.stop(0);
  });

  it('does not start with a pool in which the Postgres inbox would wait for itself', async () => {
    const poolOf = (max: number) => new pg.Pool({ connectionString: 'postgres://host/database', max });
    for (const max of [1, 2])
      expect(errorOf(() => postgresInbox(poolOf(max)))).toMatchObject({
        code: 'inbox_pool_too_small',
        message: expect.stringContaining(`at most ${max} connections`),
      });
    await postgresInbox(poolOf(3)).close();
  });

  it.each([undefined, null])('does not start with %j in the place of options', (options) => {
    // A host in plain JavaScript may hand in anything.
    for (const make of [createActionWebhook, createActionFetchHandler, createActionStream])
      expect(errorOf(() => make(options as never))).toMatchObject({ code: 'missing_options' });
  });
});

it('every option of the actions may be undefined, as if it were left out', async () => {
  const inbox = openInbox();
  const webhook = createActionWebhook({
    secrets: secret,
    inbox,
    on: undefined,
    dispatch: undefined,
    keepRefused: undefined,
    keepHandledMs: false,
    quietAfterMs: undefined,
    maxBodyBytes: undefined,
    logger: undefined,
    report,
    now: undefined,
  } as never);
  await webhook.close(0);
  createActionStream({ inbox, audience: () => [], itemIdOf: undefined, now: undefined } as never).close();
  const other = sqliteInbox(`${temporaryFolder()}/actions.db`, {
    spillFolder: undefined,
    now: undefined,
  } as never);
  await expect(other.lastCursor()).resolves.toBeGreaterThan(0);
  await other.close();
});
