import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type ServerType, serve } from '@hono/node-server';
import { createFetchHandler } from '@vitrine/server';
import { type ActionEvent, type ActionsOptions, createActions, sqliteInbox } from '@vitrine/server/actions';
import { type Context, Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectionTo } from '../support/standInPortal.ts';
import { clickBody, clickRow, collectDiagnostics, secret } from './support/samples.ts';

const body = JSON.stringify(clickBody());

interface StartOptions extends Partial<ActionsOptions> {
  readonly sourceOf?: (context: Context) => string | undefined;
}

/** The handler in a Hono app that listens on its own port. */
const start = async ({ sourceOf, ...options }: StartOptions = {}) => {
  const inbox = options.inbox ?? sqliteInbox(':memory:');
  const { diagnostics, logger } = collectDiagnostics();
  const actions = createActions({
    secrets: secret,
    inbox,
    audience: 'nobody',
    logger,
    ...options,
  });
  const handler = createFetchHandler<Context>({
    portal: connectionTo('http://127.0.0.1:1'),
    viewer: () => null,
    canView: () => false,
    webRequest: (context) => context.req.raw,
    ...(sourceOf && { sourceOf }),
    actions,
    logger: false,
  });
  const app = new Hono();
  app.all('/api/embed/*', (context) => handler(context));
  const server: ServerType = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  if (!server.listening) await once(server, 'listening');
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve));
    await actions.close(0);
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const post = (content: BodyInit, headers: Record<string, string> = {}, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}/api/embed/webhook`, {
      method: 'POST',
      body: content,
      headers: { authorization: `Bearer ${secret}`, connection: 'close', ...headers },
      ...init,
    });
  return { post, actions, diagnostics, stored: () => inbox.list({ limit: 100 }) };
};

describe('the action webhook in createFetchHandler()', () => {
  it('stores a delivery byte for byte and responds with 202 without a body', async () => {
    const { post, stored } = await start({ dispatch: false });
    const bytes = Uint8Array.from({ length: 70_000 }, (_, n) => n % 256);
    const response = await post(bytes);
    expect(response.status).toBe(202);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toBe('');
    const [delivery] = await stored();
    expect(Buffer.compare(delivery!.raw, bytes)).toBe(0);
  });

  it('accepts invalid JSON, an empty body and a stream of unknown length, because a rejected delivery is lost', async () => {
    const { post, stored } = await start({ dispatch: false });
    const stream = new Blob(['a', 'b']).stream();
    for (const [content, init] of [
      ['{"half":', {}],
      ['', {}],
      [stream, { duplex: 'half' }],
    ] as const)
      expect((await post(content, {}, init as RequestInit)).status).toBe(202);
    expect((await stored()).map(({ raw }) => Buffer.from(raw).toString())).toEqual(['ab', '', '{"half":']);
  });

  it('calls the handler with the event after the response', async () => {
    const seen = Promise.withResolvers<ActionEvent>();
    const { post } = await start({ on: (event) => seen.resolve(event) });
    expect((await post(body)).status).toBe(202);
    expect((await seen.promise).rows).toEqual([clickRow]);
  });

  it.each([
    ['a wrong token', 401, {}, { authorization: 'Bearer wrong' }],
    ['no token', 401, {}, { authorization: '' }],
    ['a body over the cap', 413, { maxBodyBytes: 100 }, {}],
    [
      'an address that is not listed',
      403,
      { allowedSources: ['192.0.2.1'], sourceOf: () => '192.0.2.2' },
      {},
    ],
  ] satisfies [string, number, StartOptions, Record<string, string>][])(
    'rejects %s with %i and reports a diagnostic',
    async (...[, status, options, headers]) => {
      const { post, stored, diagnostics } = await start(options);
      expect((await post(body, headers)).status).toBe(status);
      expect(diagnostics).toMatchObject([{ kind: 'rejected' }]);
      expect(await stored()).toEqual([]);
    },
  );

  it('rejects a body of undeclared length that exceeds maxBodyBytes', async () => {
    const { post } = await start({ maxBodyBytes: 1000, dispatch: false });
    const stream = new Blob(['x'.repeat(1001)]).stream();
    expect((await post(stream, {}, { duplex: 'half' } as RequestInit)).status).toBe(413);
  });

  it('accepts an allowed source address that sourceOf returns', async () => {
    const { post, stored } = await start({
      allowedSources: ['192.0.2.0/24'],
      sourceOf: (context) => context.req.header('x-real-ip'),
      dispatch: false,
    });
    expect((await post(body, { 'x-real-ip': '192.0.2.9' })).status).toBe(202);
    expect((await stored())[0]).toMatchObject({ source: '192.0.2.9' });
  });

  it.each([
    ['192.0.2.7', '192.0.2.7', 202],
    ['192.0.2.7', '192.0.2.8', 403],
    ['192.0.2.0/24', '::FFFF:192.0.2.9', 202],
    ['2001:db8::7', '2001:db8::7', 202],
    ['2001:db8::7', '2001:db8::8', 403],
    ['2001:db8::/32', '2001:db8:ffff::1', 202],
    ['2001:db8::/32', '2001:db9::1', 403],
    ['0.0.0.0/0', 'proxy.internal', 403],
  ])('with allowed source %s, answers a delivery from %s with %i', async (listed, source, status) => {
    const { post } = await start({ allowedSources: [listed], sourceOf: () => source, dispatch: false });
    expect((await post(body)).status).toBe(status);
  });

  it('stores a delivery when sourceOf throws, unless an allow list is set', async () => {
    const sourceOf = () => {
      throw new Error('no platform');
    };
    const { post, stored } = await start({ sourceOf, dispatch: false });
    expect((await post(body)).status).toBe(202);
    const [delivery] = await stored();
    expect(delivery?.raw.byteLength).toBe(Buffer.byteLength(body));
    expect(delivery).not.toHaveProperty('source');
    const listed = await start({ sourceOf, allowedSources: ['192.0.2.0/24'], dispatch: false });
    expect((await listed.post(body)).status).toBe(403);
  });

  it('responds with 405 to other methods', async () => {
    const { post } = await start();
    const response = await post('', {}, { method: 'PUT' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('responds with 503 when the inbox cannot store, so that no unsaved delivery is acknowledged', async () => {
    const inbox = sqliteInbox(':memory:');
    const failing = { ...inbox, append: () => Promise.reject(new Error('disk full')) };
    const { post, diagnostics } = await start({ inbox: failing, dispatch: false });
    const response = await post(body);
    expect(response.status).toBe(503);
    expect(diagnostics).toMatchObject([{ kind: 'unstored' }]);
  });

  it('reports in health() that a delivery can be stored', async () => {
    const { actions } = await start();
    expect(await actions.health()).toMatchObject({ canPersist: true });
  });
});
