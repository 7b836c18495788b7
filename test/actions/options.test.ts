import { VitrineOptionsError } from '@vitrine/server';
import { createActions, postgresInbox, sqliteInbox } from '@vitrine/server/actions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { secret } from './support/samples.ts';

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
  const inbox = sqliteInbox(':memory:');
  onTestFinished(() => inbox.close());
  return inbox;
};

/** Each factory with the required options and some that a plain JavaScript host may add. */
const factories: Readonly<Record<string, (more: object) => unknown>> = {
  createActions: (more) =>
    createActions({ secrets: secret, inbox: openInbox(), audience: 'nobody', logger: false, ...more }),
  postgresInbox: (more) => postgresInbox('postgres://host/database', more),
};

describe('the options of the actions', () => {
  it.each(Object.entries(factories))(
    '%s rejects a misspelled option and says what to write',
    (_name, make) => {
      const error = errorOf(() => make({ nwo: Date.now }));
      expect(error).toBeInstanceOf(VitrineOptionsError);
      expect(error).toMatchObject({
        code: 'unknown_option',
        message: expect.stringMatching(/has no option "nwo"\. \S/),
      });
    },
  );

  it.each([
    ['secret for secrets', { secret, secrets: undefined }, '"secret"'],
    ['dispatchs for dispatch', { dispatchs: false }, '"dispatchs"'],
    ['secret beside secrets', { secret }, '"secrets"'],
    ['handlers for on', { handlers: {} }, 'one of'],
  ])('createActions rejects a misspelled option before anything starts: %s', (_title, more, named) => {
    const error = errorOf(() => factories['createActions']?.(more));
    expect(error).toMatchObject({ code: 'unknown_option', message: expect.stringContaining(named) });
  });

  it.each([
    ['createActions', 'a time limit of 0', { handlerTimeoutMs: 0 }],
    ['createActions', 'a time limit of an hour', { handlerTimeoutMs: 3_600_000 }],
    ['createActions', 'a duration as text', { handlerTimeoutMs: '30s' }],
    ['createActions', 'a duration as text', { keepHandledMs: '30d' }],
    ['createActions', 'a size as text', { maxBodyBytes: '5mb' }],
    ['createActions', 'an object for dispatch', { dispatch: {} }],
    ['postgresInbox', 'an unknown value for onMissing', { onMissing: 'throw' }],
  ])('%s rejects %s', (name, _title, more) => {
    expect(errorOf(() => factories[name]?.(more))).toMatchObject({ code: 'invalid_option' });
  });

  it.each(['createActions'])('%s rejects a logger of the wrong type', (name) => {
    for (const logger of [
      { log: () => undefined },
      { warn: () => undefined },
      () => undefined,
      null,
      'console',
      {},
    ])
      expect(errorOf(() => factories[name]?.({ logger }))).toMatchObject({
        code: 'invalid_option',
      });
  });

  it.each([
    ['a promise', Promise.resolve({}), 'Await it'],
    ['an object without an address', {}, 'Option "tenantUrl" is missing'],
  ])('createActions rejects %s as the portal', (_title, portal, named) => {
    expect(errorOf(() => factories['createActions']?.({ portal, audience: 'clicker' }))).toMatchObject({
      code: 'invalid_portal',
      message: expect.stringContaining(named),
    });
  });

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['a number', 5],
    ['a sparse list', [secret, undefined]],
    ['a line break between two secrets', `${secret}\n${secret}`],
    ['a NUL', `${secret}\0`],
    ['a promise', Promise.resolve(secret)],
    ['a function', () => secret],
  ])('createActions rejects %s as the secrets', (_title, secrets) => {
    expect(errorOf(() => factories['createActions']?.({ secrets }))).toMatchObject({
      code: 'invalid_option',
      message: expect.stringMatching(/^Option "secrets" is .*at least 32 characters/),
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
    on: undefined,
    dispatch: undefined,
    keepHandledMs: false,
    maxBodyBytes: undefined,
    logger: undefined,
  } as never);
  expect(await actions.health()).toMatchObject({ canPersist: true });
  await actions.close(0);
});
