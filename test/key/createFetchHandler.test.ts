import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { createFetchHandler, type FetchHandlerOptions, type VitrineOptions } from '@vitrine/server';
import { type Context, Hono } from 'hono';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { keyRequest, viewerByHeader } from '../support/keyRequest.ts';
import { recordLog } from '../support/recordLog.ts';
import { serveUntilEnd } from '../support/serveUntilEnd.ts';
import { connectionTo } from '../support/standInPortal.ts';

describe('a body that arrives only in part', () => {
  /** Serves it as a minimal adapter for Node does: it streams the body in and writes the response. */
  const start = async (options: Partial<FetchHandlerOptions<Request>> = {}) => {
    const handler = createFetchHandler({
      portal: connectionTo('http://127.0.0.1:9'),
      viewer: () => ({ userId: 'north' }),
      canView: () => true,
      logger: false,
      ...options,
    });
    onTestFinished(() => handler.close());
    const isFreed = Promise.withResolvers<void>();
    const url = await serveUntilEnd(async (incoming, outgoing) => {
      incoming.on('close', isFreed.resolve);
      const response = await handler(
        new Request(`http://host.example${incoming.url}`, {
          method: 'POST',
          headers: new Headers(incoming.headers as Record<string, string>), // these tests send no header twice
          body: Readable.toWeb(incoming) as ReadableStream, // the same class under two names
          duplex: 'half',
        } as RequestInit),
      );
      outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
    });
    return { url: new URL(url), isFreed: isFreed.promise };
  };
  const sendPart = ({ hostname, port }: URL, route: string, framing: string) => {
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.write(
      `POST /api/embed/${route} HTTP/1.1\r\nHost: host.example\r\nx-vitrine-request: 1\r\nContent-Type: application/json\r\n${framing}`,
    );
    return socket;
  };
  const announced = 'Content-Length: 15\r\n\r\n{"item';
  const inChunks = 'Transfer-Encoding: chunked\r\n\r\n6\r\n{"item\r\n';

  it.each([announced, inChunks])(
    'gets a response of 400 after its timeout, and is not read further (%j)',
    async (framing) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const asked = Promise.withResolvers<void>();
      const viewer = () => {
        asked.resolve();
        return { userId: 'north' };
      };
      const { url, isFreed } = await start({ viewer });
      const socket = sendPart(url, 'keys', framing);
      await asked.promise;
      await vi.advanceTimersByTimeAsync(5000);
      await isFreed;
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 [^]*did not arrive within 5000 ms/);
    },
  );

  it('gets a response of 413 when it has become too large, and does not crash the process', async () => {
    const { url, isFreed } = await start({
      viewer: async () => {
        // Enough time for more to arrive than Node buffers, so that reading starts with a pause.
        await setTimeout(100);
        return { userId: 'north' };
      },
    });
    const chunk = `bb8\r\n${' '.repeat(3000)}\r\n`;
    const socket = sendPart(url, 'keys', `${inChunks}${chunk.repeat(60)}`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 /);
    await isFreed;
  });

  it.each([announced, inChunks])('is not read further once a webhook is answered (%j)', async (framing) => {
    const receive: NonNullable<NonNullable<VitrineOptions<never>['actions']>['receive']> = async (
      _request,
      context,
    ) => {
      void context?.reader?.read({ maxBytes: 1000, timeoutMs: 60_000 });
      return { status: 408, headers: {}, body: null };
    };
    const { url, isFreed } = await start({
      actions: { receive, open: async () => ({ status: 200, headers: {}, body: null }) },
    });
    const socket = sendPart(url, 'webhook', framing);
    await isFreed;
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /);
  });
});

const fail = (): never => {
  throw new Error('no stream');
};

describe('createFetchHandler()', () => {
  it.each([
    ['consumed the body', (request: Request) => request.text()],
    ['locked the body', async (request: Request) => request.body?.getReader()],
  ])('reports that middleware before it %s', async (_, take) => {
    const handler = createFetchHandler({
      portal: connectionTo('http://127.0.0.1:9'),
      viewer: viewerByHeader,
      canView: () => true,
    });
    const request = keyRequest(1042);
    await take(request);
    const response = await handler(request);
    expect([response.status, (await response.json()).detail]).toEqual([
      400,
      expect.stringContaining('something else read it first'),
    ]);
  });

  it('reports that Hono middleware consumed the body', async () => {
    const handler = createFetchHandler<Context>({
      portal: connectionTo('http://127.0.0.1:9'),
      viewer: () => ({ userId: 'north' }),
      canView: () => true,
      webRequest: (c) => c.req.raw,
    });
    onTestFinished(() => handler.close());
    const app = new Hono();
    app.use(async (c, next) => {
      await c.req.raw.text();
      await next();
    });
    app.all('/api/embed/*', handler);
    const url = await serveUntilEnd(getRequestListener(app.fetch));
    const headers = { 'content-type': 'application/json', 'x-vitrine-request': '1' };
    const answer = await fetch(`${url}/api/embed/keys`, { method: 'POST', headers, body: '{"itemId":1042}' });
    expect(await answer.json()).toMatchObject({
      status: 400,
      detail: expect.stringContaining('read it first'),
    });
  });

  it.each([{}, { 'content-length': '15' }])(
    'treats an interrupted body as a client that left, not as a failure of the host (%j)',
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

  it('stops reading a body that is too large', async () => {
    const handler = createFetchHandler({
      portal: connectionTo('http://127.0.0.1:9'),
      viewer: viewerByHeader,
      canView: () => true,
    });
    onTestFinished(() => handler.close());
    const { url, headers } = keyRequest(1042);
    const isCanceled = Promise.withResolvers<void>();
    const body = new ReadableStream({
      pull: (sink) => sink.enqueue(new Uint8Array(1000)),
      cancel: () => isCanceled.resolve(),
    });
    const init = { method: 'POST', headers, body, duplex: 'half' };
    expect((await handler(new Request(url, init))).status).toBe(413);
    await isCanceled.promise;
  });

  it('opens no action stream for a browser that has left', async () => {
    let streams = 0;
    const handler = createFetchHandler({
      portal: connectionTo('http://127.0.0.1:9'),
      viewer: () => ({ userId: 'north' }),
      canView: () => true,
      actions: {
        open: async () => {
          streams += 1;
          return { status: 200, headers: {}, body: null };
        },
      },
    });
    const signal = AbortSignal.abort();
    const response = await handler(new Request('http://host.example/api/embed/actions', { signal }));
    expect([response.status, streams]).toEqual([499, 0]);
  });

  it.each([
    ['throws', () => fail()],
    ['rejects', async () => await Promise.reject(new Error('no stream'))],
  ])('responds with 500 when an action route of the host %s before its stream starts', async (_, open) => {
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

  it('explains what to write when the framework passes something that is not a Request', async () => {
    const handler = createFetchHandler({
      portal: connectionTo('http://127.0.0.1:9'),
      viewer: () => null,
      canView: () => false,
    });
    // A plain JavaScript host can mount it on anything.
    await expect(handler({ req: 'not a request' } as unknown as Request)).rejects.toThrow('c.req.raw');
  });
});
