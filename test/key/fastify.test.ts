import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createFetchHandler } from '@vitrine/server';
import { type FastifyRequest, fastify } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { type HostOptions, optionsFor } from '../support/keyHost.ts';
import { startStandInPortal } from '../support/standInPortal.ts';

/** A host as the guide to Fastify describes it, with hooks that set headers as plugins do. */
const start = async (portalUrl: string, options: HostOptions) => {
  const embed = createFetchHandler({
    ...optionsFor<FastifyRequest>(portalUrl, ({ headers }) => headers.cookie, options),
    webRequest: ({ method, host, url, raw, body }: FastifyRequest) =>
      new Request(`http://${host}${url}`, {
        method,
        headers: raw.headers as Record<string, string>,
        body: body instanceof Uint8Array ? new Uint8Array(body) : null,
      }),
  });
  const app = fastify();
  app.addHook('onRequest', async (_request, reply) => void reply.header('x-of-plugin', 'yes'));
  app.addHook('onSend', async (_request, reply) => void reply.header('set-cookie', 'sid=renewed'));
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.all('/api/embed/*', (request) => embed(request));
  });
  onTestFinished(async () => {
    await app.close();
    await embed.close();
  });
  return await app.listen({ port: 0, host: '127.0.0.1' });
};

it('keeps the headers and cookies that plugins of Fastify set', async () => {
  const portal = await startStandInPortal();
  onTestFinished(() => portal.close());
  const url = await start(portal.url, {});
  for (const [itemId, status] of [
    [1042, 200],
    [0, 400],
  ]) {
    const response = await fetch(`${url}/api/embed/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-vitrine-request': '1', cookie: 'north' },
      body: JSON.stringify({ itemId }),
    });
    expect([response.status, response.headers.get('x-of-plugin'), response.headers.getSetCookie()]).toEqual([
      status,
      'yes',
      ['sid=renewed'],
    ]);
    expect(response.headers.get('cache-control')).toBe('no-store');
  }
});

it.each([
  ['a Host header that no address is made of', 'POST', 'Host: a b', 400],
  ['a method that no web-standard request has', 'TRACE', 'Host: a.example', 400],
  // Node takes the first.
  ['two Host headers', 'POST', 'Host: a.example\r\nHost: b.example', 401],
  // Control: a sound request of nobody.
  ['nothing wrong', 'POST', 'Host: a.example', 401],
])('answers a request with %s', async (_title, method, host, status) => {
  const url = new URL(await start('http://127.0.0.1:9', {}));
  const socket = connect(Number(url.port), url.hostname);
  const body = method === 'POST' ? '{"itemId":1042}' : '';
  socket.end(
    `${method} /api/embed/keys HTTP/1.1\r\n${host}\r\nConnection: close\r\nx-vitrine-request: 1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  expect(await text(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});
