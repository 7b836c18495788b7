import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as httpRequest, IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { createActions, sqliteInbox, vitrine } from '@vitrine/express';
import { createNodeHandler } from '@vitrine/server';
import express, { type Express, type RequestHandler } from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { secret } from '../actions/support/samples.ts';
import { recordLog } from '../support/recordLog.ts';
import { serveUntilEnd } from '../support/serveUntilEnd.ts';
import { connectionTo, startStandInPortal } from '../support/standInPortal.ts';

const start = async () => {
  const portal = await startStandInPortal();
  const logger = recordLog();
  const handler = vitrine({
    portal: connectionTo(portal.url),
    viewer: () => ({ userId: 'north' }),
    canView: () => true,
    logger,
  });
  onTestFinished(async () => {
    await handler.close();
    await portal.close();
  });
  return { portal, logger, handler };
};

const post = (url: string, path = '/api/embed/keys') =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-vitrine-request': '1' },
    body: '{"itemId":1042}',
  });

describe('a mount that removes the whole path', () => {
  const mounts: readonly [string, (app: Express, handler: RequestHandler) => unknown][] = [
    ["app.use('/api/embed/*splat')", (app, handler) => app.use('/api/embed/*splat', handler)],
    ["app.use('/api/embed/keys')", (app, handler) => app.use('/api/embed/keys', handler)],
  ];
  it.each(mounts)('is named once in the log: %s', async (_title, use) => {
    const { logger, handler } = await start();
    const app = express();
    use(app, handler);
    const url = await serveUntilEnd(app);
    for (let n = 0; n < 2; n += 1) expect((await post(url)).status).toBe(404);
    expect(logger.lines).toMatchObject([
      {
        level: 'warn',
        fields: { code: 'mount_hides_path' },
        message: expect.stringContaining('/api/embed/keys'),
      },
    ]);
  });

  const working: readonly [string, (app: Express, handler: RequestHandler) => unknown][] = [
    ['app.use', (app, handler) => app.use('/api/embed', handler)],
    ['app.all with a wildcard', (app, handler) => app.all('/api/embed/*splat', handler)],
    ['a router', (app, handler) => app.use('/api', express.Router().use('/embed', handler))],
    ['an app in an app', (app, handler) => app.use('/api', express().use('/embed', handler))],
    ['a path with a parameter', (app, handler) => app.use('/:tenant/embed', handler)],
  ];
  it.each(working)('is none of these, which work: %s', async (_title, use) => {
    const { logger, handler } = await start();
    const app = express();
    use(app, handler);
    const url = await serveUntilEnd(app);
    expect((await fetch(`${url}/api/embed/`)).status).toBe(404);
    expect((await fetch(`${url}/api/embed/other`)).status).toBe(404);
    expect((await post(url)).status).toBe(200);
    expect(logger.lines).toEqual([]);
  });
});

describe('a host that brings a body without a stream', () => {
  /** As adapters of serverless platforms do: the request's stream holds nothing and never ends. */
  const answerTo = async (body: unknown, rawHeaders: readonly unknown[] = []) => {
    const { handler } = await start();
    const socket = new Socket();
    const request = Object.assign(new IncomingMessage(socket), { method: 'POST', url: '/keys' });
    const given = Object.getOwnPropertyDescriptor(body ?? {}, 'body') ?? { value: body };
    Object.defineProperty(request, 'body', given);
    const headers = { host: 'app.example', 'content-type': 'application/json', 'x-vitrine-request': '1' };
    Object.assign(request.headers, headers);
    request.rawHeaders.push(...(rawHeaders as string[])); // an adapter without types
    const response = new ServerResponse(request);
    const written = new PassThrough();
    response.assignSocket(written as never); // a ServerResponse only writes to it
    handler(request, response);
    await once(response, 'finish');
    return `${String(written.read())}`;
  };
  it.each([
    ['text', '{"itemId":1042}'],
    ['bytes', Buffer.from('{"itemId":1042}')],
    ['an object', { itemId: 1042 }],
  ])('gets a key: %s', async (_title, body) => {
    expect(await answerTo(body)).toMatch(/^HTTP\/1\.1 200 [^]*"key":"key-1"/);
  });
  it('that cannot be parsed is refused, although the host parses when it is asked', async () => {
    const parsing = {
      get body(): unknown {
        throw new SyntaxError('Invalid JSON');
      },
    };
    expect(await answerTo(parsing)).toMatch(/^HTTP\/1\.1 400 /);
  });
  it('gets a key although its raw headers hold numbers', async () => {
    const headers = ['content-type', 'application/json', 'x-vitrine-request', 1, 'content-length', 15];
    expect(await answerTo({ itemId: 1042 }, headers)).toMatch(/^HTTP\/1\.1 200 [^]*"key":"key-1"/);
  });
});

describe('the globals of the host', () => {
  it('are untouched after a request (control: the default of the library replaces them)', async () => {
    const script = (setUp: string) => `
      import { createServer } from 'node:http';
      const before = [globalThis.Request, globalThis.Response, globalThis.Headers, globalThis.fetch];
      ${setUp}
      const server = createServer((request, response) => handler(request, response)).listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      await fetch('http://127.0.0.1:' + server.address().port + '/keys', { method: 'POST' });
      const after = [globalThis.Request, globalThis.Response, globalThis.Headers, globalThis.fetch];
      console.log(after.every((one, index) => one === before[index]));
      process.exit();`;
    const run = async (setUp: string) => {
      const args = ['--conditions=@vitrine/source', '--input-type=module', '--eval', script(setUp)];
      return (await promisify(execFile)(process.execPath, args)).stdout.trim();
    };
    const connection = JSON.stringify(connectionTo('http://127.0.0.1:9'));
    expect(
      await run(`
        const { createNodeHandler } = await import('@vitrine/server');
        const handler = createNodeHandler({ portal: ${connection}, viewer: () => null, canView: () => false, logger: false });`),
    ).toBe('true');
    expect(
      await run(`
        const { getRequestListener } = await import('@hono/node-server');
        const handler = getRequestListener(() => new Response());`),
    ).toBe('false');
  });
});

describe('a request that no URL can be made of', () => {
  it.each([
    ['a Host with a path', 'POST /keys HTTP/1.1\r\nHost: a/b\r\n'],
    ['a Host with a user', 'POST /keys HTTP/1.1\r\nHost: user@host\r\n'],
  ])('gets 400, and nothing is written to the console: %s', async (_title, head) => {
    const handler = createNodeHandler({
      portal: connectionTo('http://127.0.0.1:9'),
      viewer: () => null,
      canView: () => false,
      logger: false,
    });
    onTestFinished(() => handler.close());
    const url = new URL(await serveUntilEnd(handler));
    const socket = connect(Number(url.port), url.hostname);
    socket.write(`${head}Connection: close\r\nContent-Length: 0\r\n\r\n`);
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"invalid_request"');
  });
});

describe('an upload that is answered early', () => {
  it('is closed although its body never ends', async () => {
    const { handler } = await start();
    const url = await serveUntilEnd(express().use('/api/embed', handler));
    const sent = httpRequest(`${url}/api/embed/keys`, {
      method: 'POST',
      // No content type: the answer does not wait for the body.
      headers: { 'x-vitrine-request': '1', 'transfer-encoding': 'chunked' },
      agent: false,
    });
    const [answered, closed] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()];
    sent.on('response', (response) => answered.resolve(response.resume().statusCode ?? 0));
    sent.on('error', () => undefined);
    sent.on('close', closed.resolve);
    sent.write('{');
    expect(await answered.promise).toBe(415);
    await closed.promise;
  });
});

describe('allowedSources', () => {
  const startHost = async (setting: unknown) => {
    const actions = createActions({
      secrets: secret,
      inbox: sqliteInbox(':memory:'),
      audience: 'nobody',
      allowedSources: ['192.0.2.0/24', '2001:db8::/32'],
      logger: false,
    });
    const handler = vitrine({
      portal: connectionTo('http://127.0.0.1:9'),
      viewer: () => null,
      canView: () => false,
      actions,
      logger: false,
    });
    const url = await serveUntilEnd(
      createServer(express().set('trust proxy', setting).use('/api/embed', handler)).listeners(
        'request',
      )[0] as never, // Express's own listener
    );
    onTestFinished(async () => {
      await actions.close(0);
      await handler.close();
    });
    return async (forwarded: string) => {
      const headers = { authorization: `Bearer ${secret}`, 'x-forwarded-for': forwarded };
      return (await fetch(`${url}/api/embed/webhook`, { method: 'POST', headers, body: '{}' })).status;
    };
  };

  it.each([
    ['192.0.2.7', 202],
    ['192.0.2.7:52114', 202],
    ['[2001:db8::7]:52114', 202],
    ['[2001:db8::7]', 202],
    ['2001:db8::7', 202],
    ['::ffff:192.0.2.7', 202],
    ['198.51.100.7', 403],
    ['198.51.100.7:52114', 403],
    ['192.0.2.7, 198.51.100.7', 403],
    ['not an address', 403],
  ])('are compared with the address behind a proxy that the app trusts: %s', async (forwarded, status) => {
    expect(await (await startHost(1))(forwarded)).toBe(status);
  });

  it('are compared with the address of the connection without such a proxy', async () => {
    expect(await (await startHost(false))('192.0.2.7')).toBe(403);
  });
});
