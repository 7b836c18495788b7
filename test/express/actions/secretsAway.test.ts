import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createActions, sqliteInbox } from '@vitrine/express';
import { type ActionsOptions, type WebhookSecrets } from '@vitrine/server/actions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mountActions } from '../../actions/support/mountActions.ts';
import { collectDiagnostics, numberedBody, secret } from '../../actions/support/samples.ts';

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
  it('accepts deliveries with the last known secret', async () => {
    const { deliver, storeAnswers, stored } = await start();
    storeAnswers(fail);
    expect(await deliver(secret)).toEqual([202, null]);
    expect(await stored()).toBe(1);
  });

  it('responds with 503 to other tokens, because a new secret may match', async () => {
    const { deliver, storeAnswers, stored } = await start();
    storeAnswers(fail);
    expect(await deliver(nextSecret)).toEqual([503, '10']);
    expect(await stored()).toBe(0);
    storeAnswers(() => [nextSecret]);
    expect(await deliver(nextSecret)).toEqual([202, null]);
    expect(await deliver(secret)).toEqual([401, null]);
  });

  it('is reported once per outage, without the error message', async () => {
    const { deliver, storeAnswers, diagnostics } = await start();
    for (const answer of [fail, () => [secret], fail]) {
      storeAnswers(answer);
      for (const token of [secret, nextSecret, secret])
        if (answer === fail || token === secret) await deliver(token);
    }
    const told = expect.stringMatching(/\(Error ECONNREFUSED\).*the last known secrets apply/);
    expect(diagnostics.filter(({ kind }) => kind !== 'rejected')).toEqual([
      { kind: 'secrets-unavailable', message: told },
      { kind: 'secrets-unavailable', message: told },
    ]);
    expect(diagnostics.map(({ message }) => message).join()).not.toMatch(/vault|0001/);
  });

  it.each([
    ['an empty list', [], /no secret/],
    ['a short secret', ['short'], /5 bytes/],
    ['a value that is not a list', { secret }, /must be a string/],
    ['a promise', Promise.resolve([secret]), /synchronous function/],
    ['nothing', undefined, /no secret/],
  ])('grants no access when it returns %s, not even with the last known secret', async (...given) => {
    const [, answer, reason] = given;
    const { deliver, storeAnswers, diagnostics } = await start();
    storeAnswers(() => answer as never);
    expect(await deliver(secret)).toEqual([503, '10']);
    expect(await deliver('')).toEqual([503, '10']);
    expect(diagnostics).toMatchObject([
      { kind: 'secrets-unavailable', message: expect.stringMatching(reason) },
      { kind: 'rejected', message: expect.stringContaining('the secrets are not available') },
      { kind: 'rejected', message: expect.stringContaining('the secrets are not available') },
    ]);
    expect(diagnostics[0]?.message).toContain('no secret applies');
  });

  it('is reported again when the last known secret expires, and for each rejected delivery', async () => {
    const { deliver, storeAnswers, diagnostics } = await start();
    storeAnswers(fail);
    expect(await deliver(secret)).toEqual([202, null]);
    storeAnswers(() => []);
    for (const _ of [1, 2]) expect(await deliver(secret)).toEqual([503, '10']);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      expect.stringContaining('the last known secrets apply'),
      expect.stringContaining('no secret applies, and every delivery gets a 503 response'),
      ...Array(2).fill(expect.stringContaining('the secrets are not available')),
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
