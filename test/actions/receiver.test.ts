import { type Actions, type ActionsOptions, createActions, sqliteInbox } from '@vitrine/server/actions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { collectDiagnostics, secret } from './support/samples.ts';
import { webhook } from './support/webhook.ts';

const start = (options: Partial<ActionsOptions> = {}) => {
  const { diagnostics, logger } = collectDiagnostics();
  const actions = createActions({
    secrets: secret,
    inbox: sqliteInbox(':memory:'),
    audience: 'nobody',
    dispatch: false,
    logger,
    ...options,
  });
  onTestFinished(() => actions.close());
  return { actions, diagnostics };
};

type Context = NonNullable<Parameters<Actions['receive']>[1]>;
type Body = Awaited<ReturnType<NonNullable<Context['reader']>['read']>>;

const read: Body = { kind: 'bytes', bytes: new TextEncoder().encode('{}') };
/** The arguments of a webhook whose body comes from a function. */
const request = (
  readBody: () => Promise<Body> = async () => read,
  headers: Readonly<Record<string, string>> = {},
): [Request, Context] => [
  webhook('{}', headers),
  { source: '192.0.2.1', reader: { read: readBody, cancel: () => undefined } },
];
const from = (source: string | undefined): [Request, Context] => [webhook('{}'), { source }];
const closeConnection = { connection: 'close' };

describe('the receiver during shutdown', () => {
  it('still stores deliveries after drain(), and asks senders to close their connections', async () => {
    const { actions } = start();
    const gate = Promise.withResolvers<Body>();
    const slow = actions.receive(...request(() => gate.promise));
    expect((await actions.receive(...request())).headers).not.toMatchObject(closeConnection);
    await actions.drain();
    expect(await actions.receive(...request())).toMatchObject({ status: 202, headers: closeConnection });
    gate.resolve(read);
    expect(await slow).toMatchObject({ status: 202, headers: closeConnection });
  });

  it('ends although a body never arrives', async () => {
    const { actions } = start();
    void actions.receive(...request(() => new Promise(() => undefined)));
    await actions.close(0);
    expect((await actions.receive(...request())).status).toBe(503);
  });

  it('rejects new requests after the shutdown, without reading or storing them', async () => {
    const { actions, diagnostics } = start();
    await actions.close(0);
    const late = await actions.receive(...request(() => Promise.reject(new Error('was read'))));
    expect(late).toMatchObject({ status: 503, headers: closeConnection });
    expect(diagnostics).toEqual([]);
  });

  it('keeps the connection of a delivery that could not be stored, until the shutdown', async () => {
    const inbox = sqliteInbox(':memory:');
    const full = { ...inbox, append: () => Promise.reject(new Error('disk full')) };
    const { actions } = start({ inbox: full });
    const failed = await actions.receive(...request());
    expect(failed.status).toBe(503);
    expect(failed.headers).not.toHaveProperty('connection');
    const gate = Promise.withResolvers<Body>();
    const slow = actions.receive(...request(() => gate.promise));
    const closed = actions.close(60_000);
    gate.resolve(read);
    expect(await slow).toMatchObject({ status: 503, headers: closeConnection });
    await closed;
  });
});

describe('the receiver', () => {
  it('reports a body that was aborted, and a source that is not allowed', async () => {
    const { actions, diagnostics } = start({ allowedSources: ['192.0.2.0/24'] });
    const aborted = await actions.receive(...request(async () => ({ kind: 'gone' })));
    expect(aborted.status).toBe(408);
    const elsewhere = await actions.receive(...from('198.51.100.1'));
    expect(elsewhere.status).toBe(403);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      expect.stringContaining('its sender closed the connection'),
      expect.stringMatching(/from 198\.51\.100\.1: its address is not in `allowedSources`/),
    ]);
  });

  it.each([
    ['192.0.2.1/32', '192.0.2.1'],
    ['192.0.2.0/24', '::FFFF:192.0.2.7'],
    ['2001:db8::ffff:192.0.2.1', '2001:db8::ffff:192.0.2.1'],
    ['2001:db8::/128', '2001:db8::'],
  ])('with the allowed source %s accepts %s, also as text instead of a list', async (allowed, source) => {
    // A plain JavaScript host may pass one entry.
    expect((await start({ allowedSources: allowed as never }).actions.receive(...from(source))).status).toBe(
      202,
    );
    const { actions } = start({ allowedSources: [allowed] });
    expect((await actions.receive(...from(source))).status).toBe(202);
    expect((await actions.receive(...from('203.0.113.1'))).status).toBe(403);
    expect((await actions.receive(...from(undefined))).status).toBe(403);
  });

  it.each(['192.0.2.0/1e1', '192.0.2.0/+8', '2001:db8::/129'])(
    'does not start with the allowed source %s',
    (source) => {
      expect(() => start({ allowedSources: [source] })).toThrow(/"allowedSources"/);
    },
  );

  it.each([[[]], [null]])('does not start with %j as the allowed sources, which nobody could be', (none) => {
    expect(() => start({ allowedSources: none as never })).toThrow(/is empty, so nobody may post/);
  });

  it('accepts a token between spaces, and no token that only ends like a secret', async () => {
    const sharp = `@${secret}`;
    const { actions } = start({ secrets: [secret, sharp] });
    const statusOf = async (authorization: string) =>
      (await actions.receive(...request(undefined, { authorization }))).status;
    expect(await statusOf(`  Bearer ${secret} `)).toBe(202);
    expect(await statusOf(`@Bearer ${secret}`)).toBe(401);
  });

  it('accepts secrets of 32 bytes and more', () => {
    expect(() => start({ secrets: 'x'.repeat(32) })).not.toThrow();
    expect(() => start({ secrets: 'x'.repeat(31) })).toThrow(/a text of 31 characters/);
  });
});
