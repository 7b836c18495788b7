import { createActions, postgresInbox, sqliteInbox } from '@vitrine/actions';
import { VitrineOptionsError } from '@vitrine/server';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { secret, temporaryFolder } from './support/samples.ts';

/** The error of a factory. If the factory succeeds, its timers make the test fail. */
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
const onDiagnostic = () => undefined;

/** Each factory with the required options and some that a plain JavaScript host may add. */
const factories: Readonly<Record<string, (more: object) => unknown>> = {
  createActions: (more) =>
    createActions({ secrets: secret, inbox: openInbox(), audience: 'nobody', onDiagnostic, ...more }),
  sqliteInbox: (more) => sqliteInbox(':memory:', { thread: 'main', ...more }),
  postgresInbox: (more) => postgresInbox('postgres://host/database', more),
};

describe('the options of the actions', () => {
  it.each(Object.entries(factories))(
    '%s rejects a misspelled option and lists the valid ones',
    (_name, make) => {
      const error = errorOf(() => make({ nwo: Date.now }));
      expect(error).toBeInstanceOf(VitrineOptionsError);
      expect(error).toMatchObject({
        code: 'unknown_option',
        message: expect.stringMatching(/no option "nwo"\. Its options are .*\w+, \w+/),
      });
    },
  );

  it.each([
    ['secret for secrets', { secret, secrets: undefined }, '"secret"'],
    ['dispatchs for dispatch', { dispatchs: false }, '"dispatchs"'],
    ['an unknown key of dispatch', { dispatch: { concurency: 4 } }, '"concurency"'],
    ['an unknown key of backoff', { dispatch: { backoff: { first: 4 } } }, '"first"'],
  ])('createActions rejects a misspelled option before anything starts: %s', (_title, more, named) => {
    const error = errorOf(() => factories['createActions']?.(more));
    expect(error).toMatchObject({ code: 'unknown_option', message: expect.stringContaining(named) });
  });

  it.each([
    ['createActions', 'a concurrency of 0', { dispatch: { concurrency: 0 } }],
    ['createActions', 'false for a number', { dispatch: { concurrency: false } }],
    ['createActions', 'a duration as text', { dispatch: { timeoutMs: '30s' } }],
    ['createActions', 'a poll interval of 0', { dispatch: { pollMs: 0 } }],
    ['createActions', 'zero attempts', { dispatch: { maxAttempts: 0 } }],
    ['createActions', 'a delay that is not a number', { dispatch: { backoff: { firstMs: Number.NaN } } }],
    ['createActions', 'a lease that ends before its attempt', { dispatch: { leaseMs: 30_000 } }],
    ['createActions', 'an attempt that outlasts the lease', { dispatch: { timeoutMs: 9, leaseMs: 8 } }],
    ['createActions', 'an unknown value for duplicates', { dispatch: { duplicates: 'drop' } }],
    ['createActions', 'a duration as text', { keepHandledMs: '30d' }],
    ['createActions', 'a heartbeat interval of 0', { stream: { heartbeatMs: 0 } }],
    ['createActions', 'a delay that overflows a timer', { stream: { pollMs: 2 ** 31 } }],
    ['createActions', 'zero streams', { stream: { maxStreamsPerViewer: 0 } }],
    ['sqliteInbox', 'an unknown value for onMissing', { onMissing: 'throw' }],
    ['sqliteInbox', 'an unknown thread', { thread: 'both' }],
    ['sqliteInbox', 'a window as text', { duplicateWindowMs: '24h' }],
    ['postgresInbox', 'a window as text', { duplicateWindowMs: '24h' }],
  ])('%s rejects %s', (name, _title, more) => {
    expect(errorOf(() => factories[name]?.(more))).toMatchObject({ code: 'invalid_action_option' });
  });

  it.each(['createActions'])('%s rejects a logger or onDiagnostic of the wrong type', (name) => {
    for (const logger of [{ log: () => undefined }, { warn: () => undefined }, () => undefined, null, false])
      expect(errorOf(() => factories[name]?.({ logger, onDiagnostic: undefined }))).toMatchObject({
        code: 'invalid_logger',
      });
    for (const given of ['console', {}])
      expect(errorOf(() => factories[name]?.({ onDiagnostic: given }))).toMatchObject({
        code: 'invalid_action_option',
      });
  });

  it('names the minimum lease, and accepts a lease longer than an attempt (control)', async () => {
    const make = (leaseMs: number) =>
      factories['createActions']?.({ dispatch: { timeoutMs: 90_000, leaseMs } });
    expect(errorOf(() => make(60_000))).toMatchObject({
      message: expect.stringMatching(/"leaseMs" of the dispatch of actions is 60000.*may take 90000/),
    });
    const options = { secrets: secret, inbox: openInbox(), audience: 'nobody', onDiagnostic } as const;
    await createActions({ ...options, dispatch: { timeoutMs: 90_000, leaseMs: 90_001 } }).close(0);
  });

  it('postgresInbox rejects a pool that is too small to avoid waiting for itself', async () => {
    const poolOf = (max: number) => new pg.Pool({ connectionString: 'postgres://host/database', max });
    for (const max of [1])
      expect(errorOf(() => postgresInbox(poolOf(max)))).toMatchObject({
        code: 'inbox_pool_too_small',
        message: expect.stringContaining(`has ${max} connection`),
      });
    await postgresInbox(poolOf(2)).close();
  });

  it('rejects a value for openTelemetry that is not the OpenTelemetry API', () => {
    expect(errorOf(() => factories['createActions']?.({ openTelemetry: {} }))).toMatchObject({
      code: 'invalid_open_telemetry',
    });
  });

  it.each([undefined, null])('rejects %j instead of an options object', (options) => {
    // A plain JavaScript host may pass anything.
    expect(errorOf(() => createActions(options as never))).toMatchObject({ code: 'missing_options' });
  });
});

it('treats every undefined option as absent', async () => {
  const inbox = openInbox();
  const actions = createActions({
    secrets: secret,
    inbox,
    audience: 'nobody',
    portal: undefined,
    itemIdOf: undefined,
    stream: undefined,
    on: undefined,
    dispatch: undefined,
    keepHandledMs: false,
    openTelemetry: undefined,
    maxBodyBytes: undefined,
    logger: undefined,
    onDiagnostic,
    now: undefined,
  } as never);
  await actions.close(0);
  const other = sqliteInbox(`${temporaryFolder()}/actions.db`, {
    now: undefined,
  } as never);
  await expect(other.lastCursor()).resolves.toBeGreaterThan(0);
  await other.close();
});
