import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createActions, sqliteInbox } from '@vitrine/express';
import { type ActionsOptions, type WebhookSecrets } from '@vitrine/server/actions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mountActions } from './support/mountActions.ts';
import { collectDiagnostics, numberedBody, secret } from './support/samples.ts';

const nextSecret = 'webhook-secret-of-at-least-32-bytes-0002';
const open = () => sqliteInbox(':memory:');

/** A host whose secrets come from a store that the test controls. */
const start = async (options: Partial<ActionsOptions> = {}) => {
  const { diagnostics, logger } = collectDiagnostics();
  const inbox = open();
  let read: () => readonly string[] = () => [secret];
  const actions = createActions({
    secrets: () => read(),
    inbox,
    audience: 'nobody',
    dispatch: false,
    logger,
    ...options,
  });
  const server = createServer(mountActions(actions)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await actions.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  let sent = 0;
  const deliver = async (token: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/embed/webhook`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new Uint8Array(numberedBody((sent += 1))),
    });
    await response.text();
    return [response.status, response.headers.get('retry-after')];
  };
  const storeAnswers = (answer: typeof read) => void (read = answer);
  return { deliver, storeAnswers, diagnostics, stored: async () => (await inbox.list({ limit: 10 })).length };
};

const fail = (): never => {
  throw Object.assign(new Error(`GET https://vault.example/?token=${secret}`), { code: 'ECONNREFUSED' });
};

describe('a secret store that is down', () => {
  it('is reported without the error message, and no secret applies until it responds again', async () => {
    const { deliver, storeAnswers, diagnostics, stored } = await start();
    storeAnswers(fail);
    for (const token of [secret, nextSecret]) expect(await deliver(token)).toEqual([503, '10']);
    expect(await stored()).toBe(0);
    expect(diagnostics.map(({ message }) => message)).toEqual(
      Array(2)
        .fill([
          'The function `secrets` failed. It threw an error.',
          expect.stringContaining('the secrets are not available'),
        ])
        .flat(),
    );
    expect(JSON.stringify(diagnostics)).not.toMatch(/vault|0001/);
    expect(diagnostics[0]?.stack).toContain('secretsAway.test.ts');
    storeAnswers(() => [nextSecret]);
    expect(await deliver(nextSecret)).toEqual([202, null]);
    expect(await deliver(secret)).toEqual([401, null]);
  });

  it.each([
    ['an empty list', [], /no secret/],
    ['a short secret', ['short'], /5 bytes/],
    ['a value that is not a list', { secret }, /must be a string/],
    ['a promise', Promise.resolve([secret]), /synchronous function/],
    ['nothing', undefined, /no secret/],
  ])('grants no access when it returns %s, not even with the secret from before', async (...given) => {
    const [, answer, reason] = given;
    const { deliver, storeAnswers, diagnostics } = await start();
    storeAnswers(() => answer as never);
    expect(await deliver(secret)).toEqual([503, '10']);
    expect(await deliver('')).toEqual([503, '10']);
    expect(diagnostics).toMatchObject([
      { kind: 'rejected', message: expect.stringMatching(reason) },
      { kind: 'rejected', message: expect.stringContaining('the secrets are not available') },
      { kind: 'rejected', message: expect.stringMatching(reason) },
      { kind: 'rejected', message: expect.stringContaining('the secrets are not available') },
    ]);
  });
});

describe('invalid secrets throw at construction', () => {
  it.each([
    ['undefined', undefined, 'missing_webhook_secret'],
    ['null', null, 'missing_webhook_secret'],
    ['a number', 5, 'invalid_webhook_secret'],
    ['a sparse list', [secret, undefined], 'invalid_webhook_secret'],
    ['a line break between two secrets', `${secret}\n${nextSecret}`, 'invalid_webhook_secret'],
    ['a NUL', `${secret}\0`, 'invalid_webhook_secret'],
    ['an async function', async () => [secret], 'invalid_webhook_secret'],
  ])('%s', (_title, secrets, code) => {
    const inbox = open();
    onTestFinished(() => inbox.close());
    expect(() =>
      createActions({ secrets: secrets as unknown as WebhookSecrets, inbox, audience: 'nobody' }),
    ).toThrow(code);
  });
});
