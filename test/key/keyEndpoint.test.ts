import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { getRequestListener } from '@hono/node-server';
import { vitrine } from '@vitrine/express';
import { createFetchHandler, createNodeHandler } from '@vitrine/server';
import express, { type Express, type Request as ExpressRequest } from 'express';
import { type Context, Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type HostOptions, optionsFor } from '../support/keyHost.ts';
import { serveUntilEnd } from '../support/serveUntilEnd.ts';
import { envelopeOf, refusalOf, type StandInPortal, startStandInPortal } from '../support/standInPortal.ts';

/** Starts a host with the endpoint under `/api/embed` and returns its URL; it closes with the test. */
type StartHost = (portalUrl: string, options: HostOptions) => Promise<string>;

const askFor = (
  url: string,
  body: unknown,
  ...[headers = {}, signal]: [headers?: Record<string, string>, signal?: AbortSignal]
) =>
  fetch(`${url}/api/embed/keys`, {
    ...(signal !== undefined && { signal }),
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'x-vitrine-request': '1', cookie: 'north', ...headers },
    body:
      typeof body === 'string' || body instanceof Uint8Array
        ? new Uint8Array(Buffer.from(body))
        : JSON.stringify(body),
  });

const headersOf = (response: Response) => [...response.headers].filter(([name]) => name !== 'date');

/** The behavior of the key endpoint in every framework. */
const describeKeyEndpoint = (name: string, startHost: StartHost): void => {
  describe(`the key endpoint on ${name}`, () => {
    let portal: StandInPortal;
    beforeEach(async () => {
      portal = await startStandInPortal();
    });
    afterEach(() => portal.close());
    const start = (options: HostOptions = {}) => startHost(portal.url, options);

    it('issues a key of the portal for a report to a signed-in viewer', async () => {
      const url = await start({ keyLifetime: '45m' });
      const response = await askFor(url, { itemId: 1042 });
      expect(response.status).toBe(200);
      const body = await response.json();
      expect(body).toEqual({
        itemId: 1042,
        key: 'key-1',
        tenantUrl: 'https://acme.portal.example',
        lifetimeMs: expect.any(Number),
        expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      });
      // Less the margin of 30 s, and the age of the key on a slow machine.
      const leftMs = 45 * 60_000 - 30_000 - body.lifetimeMs;
      expect(leftMs >= 0 && leftMs < 25_000).toBe(true);
      expect(portal.calls).toHaveLength(1);
      const [call] = portal.calls;
      expect(call?.method).toBe('POST');
      expect(call?.url).toBe('/api/services/app/ItemLinks/CreateEncryptedKey');
      expect(call?.rawHeaders).toContain('Svc.TenantId');
      expect(call?.headers['svc.tenantid']).toBe('101');
      expect(call?.headers.authorization).toBe('ApiKey api-key-Zq83nVb2Lw0x');
      expect(JSON.parse(call?.body ?? '')).toEqual({
        value: {
          userId: 'north.manager@acme.example',
          reportId: 1042,
          roleNames: ['region-north'],
          expiration: body.expiresAt,
        },
        passPhrase: 'pass phrase Km47+/=ü tR9',
        tenancyName: 'acme',
      });
    });

    it('prevents storing and sharing of every response', async () => {
      const url = await start();
      for (const itemId of [1042, -1]) {
        const { headers } = await askFor(url, { itemId });
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('etag')).toBeNull();
        expect(headers.get('vary')?.split(/, */)).toEqual(
          expect.arrayContaining(['Cookie', 'Authorization', 'Origin', 'Sec-Fetch-Site']),
        );
        expect(headers.get('access-control-allow-origin')).toBeNull();
      }
    });

    it('responds with 401 when nobody is signed in, without calling the portal', async () => {
      const url = await start();
      const response = await askFor(url, { itemId: 1042 }, { cookie: 'stranger' });
      expect(response.status).toBe(401);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(await response.json()).toMatchObject({ code: 'signed_out', status: 401 });
      expect(portal.calls).toHaveLength(0);
    });

    it('answers a forbidden report and a missing one with identical bytes', async () => {
      const url = await start({ canView: (_viewer, itemId) => itemId !== 1043 });
      portal.answer = () => ({ status: 404, body: refusalOf(404, 'No item 1999') });
      const forbidden = await askFor(url, { itemId: 1043 });
      expect(portal.calls).toHaveLength(0);
      const absent = await askFor(url, { itemId: 1999 });
      expect(portal.calls).toHaveLength(1);
      expect([forbidden.status, absent.status]).toEqual([404, 404]);
      expect(await forbidden.text()).toBe(await absent.text());
      expect(headersOf(forbidden)).toEqual(headersOf(absent));
    });

    it('rejects a body that contains more than the Item ID', async () => {
      const url = await start();
      for (const body of [
        { itemId: 1042, userId: 'someone.else@acme.example' },
        { itemId: 1042, roleNames: ['all-regions'] },
        '{"itemId":1042,"__proto__":{"userId":"x"}}',
        {},
        [],
        'null',
        '{',
        '',
      ])
        expect(await (await askFor(url, body)).json()).toMatchObject({
          status: 400,
          code: 'invalid_request',
        });
      for (const itemId of ['1042', 0, -1, 1.5, null, 1e300, [1042]])
        expect(await (await askFor(url, { itemId })).json()).toMatchObject({
          status: 400,
          code: 'invalid_item_id',
        });
      expect(portal.calls).toHaveLength(0);
    });

    it('accepts a body with a byte order mark', async () => {
      const url = await start();
      expect((await askFor(url, '\uFEFF{"itemId":1042}')).status).toBe(200);
    });

    it('rejects a compressed body', async () => {
      const url = await start();
      const body = gzipSync('{"itemId":1042}');
      expect((await askFor(url, body, { 'content-encoding': 'gzip' })).status).toBe(400);
      expect(portal.calls).toEqual([]);
    });

    it('accepts a single origin instead of a list', async () => {
      // A plain JavaScript host writes it so.
      const url = await start({ allowedOrigins: 'https://intranet.acme.example' as never });
      const answer = await askFor(url, { itemId: 1042 }, { origin: 'https://intranet.acme.example' });
      expect(answer.status).toBe(200);
      expect((await askFor(url, { itemId: 1042 }, { origin: 'https://evil.example' })).status).toBe(403);
    });

    it('rejects requests that another site could send', async () => {
      const url = await start({ allowedOrigins: ['https://intranet.acme.example'] });
      const statusWith = async (headers: Record<string, string>) =>
        (await askFor(url, { itemId: 1042 }, headers)).status;
      expect(await statusWith({ 'sec-fetch-site': 'same-origin' })).toBe(200);
      expect(await statusWith({ 'sec-fetch-site': 'cross-site' })).toBe(403);
      expect(await statusWith({ 'sec-fetch-site': 'none' })).toBe(403);
      expect(await statusWith({ 'sec-fetch-site': 'same-site' })).toBe(403);
      expect(await statusWith({ origin: 'https://evil.example' })).toBe(403);
      expect(await statusWith({ origin: 'https://intranet.acme.example.evil.example' })).toBe(403);
      expect(await statusWith({ origin: 'null' })).toBe(403);
      expect(await statusWith({ origin: url })).toBe(200);
      // Another port of this host is another origin: another app may run there.
      const { hostname, port, protocol } = new URL(url);
      expect(await statusWith({ origin: `${protocol}//${hostname}:${Number(port) + 1}` })).toBe(403);
      expect(await statusWith({ origin: `${protocol}//${hostname}` })).toBe(403);
      const intranet = { origin: 'https://intranet.acme.example', 'sec-fetch-site': 'cross-site' };
      expect(await statusWith(intranet)).toBe(200);
      const unmarked = await fetch(`${url}/api/embed/keys`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', cookie: 'north' },
        body: '{"itemId":1042}',
      });
      expect(unmarked.status).toBe(403);
      expect((await unmarked.json()).detail).toContain('x-vitrine-request: 1');
    });

    it('accepts only POST with small JSON', async () => {
      const url = await start();
      for (const type of ['text/plain', 'text/plain; application/json', 'application/jsonp'])
        expect((await askFor(url, { itemId: 1042 }, { 'Content-Type': type })).status).toBe(415);
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const headers = {
          'Content-Type': 'application/json',
          'x-vitrine-request': '1',
          cookie: 'north',
        };
        const body = method === 'GET' ? null : '{"itemId":1042}';
        const got = await fetch(`${url}/api/embed/keys`, { method, headers, body });
        expect([method, got.status]).toEqual([method, 405]);
        // A framework that routes by method may answer the others itself.
        if (method === 'GET') expect(got.headers.get('allow')).toBe('POST');
      }
      const big = await askFor(url, JSON.stringify({ itemId: 1042, more: 'x'.repeat(3000) }));
      expect(big.status).toBe(413);
    });

    it('makes one call for equal concurrent requests, and one for each different one', async () => {
      const url = await start();
      const { promise: gate, resolve: open } = Promise.withResolvers<void>();
      portal.answer = async () => {
        await gate;
        return { body: envelopeOf('shared') };
      };
      const asked = [1042, 1042, 1042, 1043].map((itemId) => askFor(url, { itemId }));
      while (portal.calls.length < 2) await new Promise((resolve) => setImmediate(resolve));
      open();
      const statuses = (await Promise.all(asked)).map((response) => response.status);
      expect(statuses).toEqual([200, 200, 200, 200]);
      expect(portal.calls).toHaveLength(2);
    });

    it('aborts the call to the portal when its only viewer leaves', async () => {
      const url = await start();
      const left = Promise.withResolvers<void>();
      portal.answer = async (_call, response) => {
        response.on('close', left.resolve);
        await left.promise;
        return { body: envelopeOf('too late') };
      };
      const leaving = new AbortController();
      const asked = fetch(`${url}/api/embed/keys`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'x-vitrine-request': '1', cookie: 'north' },
        body: '{"itemId":1042}',
        signal: leaving.signal,
      });
      while (portal.calls.length < 1) await new Promise((resolve) => setImmediate(resolve));
      leaving.abort();
      await expect(asked).rejects.toThrow('aborted');
      await left.promise;
      portal.answer = () => ({ body: envelopeOf('next') });
      expect(await (await askFor(url, { itemId: 1042 })).json()).toMatchObject({ key: 'next' });
    });

    it('keeps a call that others wait for when the viewer who started it leaves', async () => {
      const url = await start();
      const [arrived, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      portal.answer = async () => {
        arrived.resolve();
        await gate.promise;
        return { body: envelopeOf('shared') };
      };
      const leaving = new AbortController();
      const first = askFor(url, { itemId: 1042 }, {}, leaving.signal);
      await arrived.promise;
      const second = askFor(url, { itemId: 1042 });
      // A later request is answered after the server has noticed the disconnect.
      expect((await askFor(url, { itemId: 1042 }, { cookie: 'stranger' })).status).toBe(401);
      leaving.abort();
      await expect(first).rejects.toThrow('aborted');
      expect((await askFor(url, { itemId: 1042 }, { cookie: 'stranger' })).status).toBe(401);
      gate.resolve();
      expect(await (await second).json()).toMatchObject({ key: 'shared' });
      expect(portal.calls).toHaveLength(1);
    });

    it('makes a new call for a viewer who arrives after all others have left', async () => {
      const url = await start();
      const [arrived, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      portal.answer = async (_call, response) => {
        response.on('close', left.resolve);
        arrived.resolve();
        await left.promise;
        return { body: envelopeOf('too late') };
      };
      const leaving = new AbortController();
      const first = askFor(url, { itemId: 1042 }, {}, leaving.signal);
      await arrived.promise;
      leaving.abort();
      await expect(first).rejects.toThrow('aborted');
      portal.answer = () => ({ body: envelopeOf('next') });
      expect(await (await askFor(url, { itemId: 1042 })).json()).toMatchObject({ key: 'next' });
    });

    it.each([
      ['with its length', false],
      ['in chunks without a length', true],
    ])(
      'accepts a body of 2,048 bytes and rejects one of 2,049 that arrives %s',
      async (_title, isChunked) => {
        const url = await start();
        const send = (bytes: number) => {
          const text = '{"itemId":1042}'.padStart(bytes);
          const chunks = new ReadableStream<Uint8Array>({
            start: (sink) => {
              for (const part of [text.slice(0, 512), text.slice(512)])
                sink.enqueue(new TextEncoder().encode(part));
              sink.close();
            },
          });
          const body = isChunked ? chunks : text;
          const headers = { 'Content-Type': 'application/json', 'x-vitrine-request': '1', cookie: 'north' };
          // The standard library's type lacks "duplex", which a stream body requires.
          const init = { method: 'POST', headers, body, duplex: 'half' };
          return fetch(`${url}/api/embed/keys`, init);
        };
        expect((await send(2048)).status).toBe(200);
        expect(await (await send(2049)).json()).toMatchObject({ status: 413, code: 'request_too_large' });
      },
    );

    it.each([
      ['{"itemId":1042}', 200],
      [' '.repeat(2049), 413],
    ])(
      'asks a client that expects 100 Continue for its body, and answers %j with %i',
      async (body, status) => {
        const url = new URL(await start());
        const headers = {
          'Content-Type': 'application/json',
          'x-vitrine-request': '1',
          cookie: 'north',
          expect: '100-continue',
        };
        const sent = request(new URL('/api/embed/keys', url), { method: 'POST', headers });
        sent.flushHeaders();
        await once(sent, 'continue');
        sent.end(body);
        const [answer] = await once(sent, 'response');
        answer.resume();
        expect(answer.statusCode).toBe(status);
      },
    );

    it('does not call the portal for a viewer who left during a host callback', async () => {
      const [asked, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const url = await start({
        canView: async (_, itemId) => {
          if (itemId === 1042) return true;
          asked.resolve();
          await left.promise;
          return true;
        },
      });
      const leaving = new AbortController();
      const answer = fetch(`${url}/api/embed/keys`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'x-vitrine-request': '1', cookie: 'north' },
        body: '{"itemId":7}',
        signal: leaving.signal,
      });
      await asked.promise;
      leaving.abort();
      await expect(answer).rejects.toThrow('aborted');
      // A later request is answered after the server has noticed the disconnect.
      await askFor(url, { itemId: 1042 });
      left.resolve();
      await askFor(url, { itemId: 1042 });
      expect(portal.calls.map(({ body }) => JSON.parse(body).value.reportId)).toEqual([1042, 1042]);
    });

    it('also responds with a trailing slash, when a framework redirects there', async () => {
      const headers = { 'Content-Type': 'application/json', 'x-vitrine-request': '1', cookie: 'north' };
      const init = { method: 'POST', headers, body: '{"itemId":1042}' };
      expect((await fetch(`${await start()}/api/embed/keys/`, init)).status).toBe(200);
    });

    it('has no other route', async () => {
      const url = await start();
      expect((await fetch(`${url}/api/embed/other`)).status).toBe(404);
      expect((await fetch(`${url}/api/embed/actions`)).status).toBe(404);
    });
  });
};

describeKeyEndpoint('node:http without a framework', (portalUrl, options) => {
  const handler = createNodeHandler(
    optionsFor<IncomingMessage>(portalUrl, (request) => request.headers.cookie, options),
  );
  onTestFinished(() => handler.close());
  return serveUntilEnd(handler);
});

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

const onExpress = (app: Express, portalUrl: string, options: HostOptions) => {
  const handler = vitrine(optionsFor<ExpressRequest>(portalUrl, (req) => req.get('cookie'), options));
  onTestFinished(() => handler.close());
  return serveUntilEnd(app.use('/api/embed', handler));
};

describeKeyEndpoint('Express 5', (portalUrl, options) => onExpress(express(), portalUrl, options));

// Version 4 has no types here; those of version 5 fit these tests.
// @ts-expect-error: no declaration file
const version4: typeof express = (await import('express-4')).default;

describeKeyEndpoint('Express 4', (portalUrl, options) => onExpress(version4(), portalUrl, options));

it('rejects an opaque origin when the request has no host either', async () => {
  const handler = createNodeHandler(optionsFor('http://127.0.0.1:9', () => 'north', {}));
  onTestFinished(() => handler.close());
  const url = new URL(await serveUntilEnd(handler));
  const socket = connectSocket(Number(url.port), url.hostname);
  const headers =
    'Origin: null\r\nx-vitrine-request: 1\r\nContent-Type: application/json\r\nContent-Length: 15';
  socket.write(`POST /keys HTTP/1.0\r\n${headers}\r\n\r\n{"itemId":1042}`);
  expect(await text(socket)).toMatch(
    /^HTTP\/1\.1 403 [^]*the header Origin is \\"null\\" but the header Host is \\"host.invalid\\"/,
  );
});
