import { getRequestListener } from '@hono/node-server';
import { createFetchHandler } from '@vitrine/server';
import { type Context, Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeKeyEndpoint, optionsFor } from '../support/keyEndpointSuite.ts';
import { keyRequest, viewerByHeader } from '../support/keyRequest.ts';
import { recordLog } from '../support/recordLog.ts';
import { serveUntilEnd } from '../support/serveUntilEnd.ts';
import { connectionTo } from '../support/standInPortal.ts';

describeKeyEndpoint('Hono', (portalUrl, options) => {
  const handler = createFetchHandler({
    ...optionsFor<Context>(portalUrl, (c) => c.req.header('cookie'), options),
    webRequest: (c) => c.req.raw,
  });
  onTestFinished(() => handler.close());
  const app = new Hono();
  app.all('/api/embed/*', handler);
  return serveUntilEnd(getRequestListener(app.fetch));
});

// `app/api/embed/[route]/route.ts` of a Next.js app exports functions by method and is called with (request, context).
describeKeyEndpoint('a Next.js route handler', (portalUrl, options) => {
  const handler = createFetchHandler(
    optionsFor<Request>(portalUrl, (request) => request.headers.get('cookie') ?? undefined, options),
  );
  onTestFinished(() => handler.close());
  const route: Record<string, (request: Request, context: object) => Promise<Response>> = {
    POST: handler,
    GET: handler,
  };
  return serveUntilEnd(
    getRequestListener(async (request) => {
      const method = route[request.method];
      const context = { params: Promise.resolve({ route: 'keys' }) };
      return method === undefined ? new Response(null, { status: 405 }) : await method(request, context);
    }),
  );
});

const fail = (): never => {
  throw new Error('no stream');
};

describe('createFetchHandler()', () => {
  it('says so when something before it read the body', async () => {
    const handler = createFetchHandler({
      portal: connectionTo('http://127.0.0.1:9'),
      viewer: viewerByHeader,
      canView: () => true,
    });
    const request = keyRequest(1042);
    await request.text();
    const response = await handler(request);
    expect([response.status, (await response.json()).detail]).toEqual([
      400,
      expect.stringContaining('consumed the body before Vitrine'),
    ]);
  });

  it.each([{}, { 'content-length': '15' }])(
    'takes a body that breaks off for a client that has left, and for no failure of the host (%j)',
    async (headers) => {
      const logger = recordLog();
      const handler = createFetchHandler({
        portal: connectionTo('http://127.0.0.1:9'),
        viewer: viewerByHeader,
        canView: () => true,
        logger,
      });
      onTestFinished(() => handler.close());
      const { url, headers: usual } = keyRequest(1042);
      const body = new ReadableStream({ pull: (sink) => sink.error(new Error('reset')) });
      const init = {
        method: 'POST',
        headers: { ...Object.fromEntries(usual), ...headers },
        body,
        duplex: 'half',
      };
      const response = await handler(new Request(url, init));
      expect([response.status, logger.lines]).toEqual([499, []]);
    },
  );

  it('reads no further in a body that is too large', async () => {
    const handler = createFetchHandler({
      portal: connectionTo('http://127.0.0.1:9'),
      viewer: viewerByHeader,
      canView: () => true,
    });
    onTestFinished(() => handler.close());
    const { url, headers } = keyRequest(1042);
    const isCancelled = Promise.withResolvers<void>();
    const body = new ReadableStream({
      pull: (sink) => sink.enqueue(new Uint8Array(1000)),
      cancel: () => isCancelled.resolve(),
    });
    const init = { method: 'POST', headers, body, duplex: 'half' };
    expect((await handler(new Request(url, init))).status).toBe(413);
    await isCancelled.promise;
  });

  it('opens no stream of actions for a browser that has left', async () => {
    let streams = 0;
    const handler = createFetchHandler({
      portal: connectionTo('http://127.0.0.1:9'),
      viewer: () => ({ userId: 'north' }),
      canView: () => true,
      actions: { open: () => void (streams += 1) },
    });
    const signal = AbortSignal.abort();
    const response = await handler(new Request('http://host.example/api/embed/actions', { signal }));
    expect([response.status, streams]).toEqual([499, 0]);
  });

  it.each([
    ['throws', () => fail()],
    ['rejects', async () => await Promise.reject(new Error('no stream'))],
  ])('answers 500 when a route of actions of the host %s before its stream begins', async (_, open) => {
    const handler = createFetchHandler({
      portal: connectionTo('http://127.0.0.1:9'),
      viewer: () => ({ userId: 'north' }),
      canView: () => true,
      actions: { open },
      logger: false,
    });
    const response = await handler(new Request('http://host.example/api/embed/actions'));
    expect([response.status, (await response.json()).code]).toEqual([500, 'internal_error']);
  });

  it('says what to write when the framework hands it something that is no Request', async () => {
    const handler = createFetchHandler({
      portal: connectionTo('http://127.0.0.1:9'),
      viewer: () => null,
      canView: () => false,
    });
    // A host in plain JavaScript can mount it on anything.
    await expect(handler({ req: 'not a request' } as unknown as Request)).rejects.toThrow('c.req.raw');
  });
});
