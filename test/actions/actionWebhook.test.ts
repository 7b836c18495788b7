import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createActions, sqliteInbox, vitrine } from '@vitrine/express';
import type { ActionEvent, Actions, ActionsOptions } from '@vitrine/server/actions';
import express, { type RequestHandler } from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startActions } from '../../src/server/lib/actions/createActions.ts';
import type { Timing } from '../../src/server/lib/actions/timing.ts';
import { connectionTo } from '../support/standInPortal.ts';
import { clickBody, clickRow, collectDiagnostics, secret } from './support/samples.ts';

const start = async (
  options: Partial<ActionsOptions> = {},
  before: readonly RequestHandler[] = [],
  timing: Partial<Timing> = {},
) => {
  const inbox = options.inbox ?? sqliteInbox(':memory:');
  const { diagnostics, logger } = collectDiagnostics();
  const actions = startActions({ secrets: secret, inbox, audience: 'nobody', logger, ...options }, timing);
  const app = express();
  for (const handler of before) app.use(handler);
  app.use('/api/embed', mountActions(actions));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await actions.close();
  });
  const { port } = server.address() as AddressInfo;
  const post = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}/api/embed/webhook`, {
      method: 'POST',
      body: body as BodyInit,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
    });
  const stored = () => inbox.list({ limit: 100 });
  return { post, stored, diagnostics, port, inbox, actions };
};
const mountActions = (actions: Actions) =>
  vitrine({
    portal: connectionTo('http://127.0.0.1:1'),
    viewer: () => null,
    canView: () => false,
    actions,
    logger: false,
  });

const body = JSON.stringify(clickBody());

describe('the action webhook in Express', () => {
  it('stores a delivery byte for byte and responds with 202 without a body', async () => {
    const { post, stored } = await start({ dispatch: false });
    const response = await post(body);
    expect(response.status).toBe(202);
    expect(await response.text()).toBe('');
    const [delivery] = await stored();
    expect(Buffer.from(delivery!.raw).toString()).toBe(body);
    expect(delivery).toMatchObject({ id: '1', state: 'pending', source: '127.0.0.1' });
  });

  it.each(['/webhook/', '/WEBHOOK', '//webhook'])(
    'accepts a delivery to the path %s, because the portal sends it only once',
    async (path) => {
      const { port, stored } = await start({ dispatch: false });
      const response = await fetch(`http://127.0.0.1:${port}/api/embed${path}`, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${secret}` },
      });
      expect(response.status).toBe(202);
      expect(await stored()).toHaveLength(1);
    },
  );

  it('logs a rejected delivery with the sender and the reason', async () => {
    const lines: string[] = [];
    const write = (_: unknown, message: string) => lines.push(message);
    const logger = { debug: write, info: write, warn: write, error: write };
    const { port } = await start({ dispatch: false, logger });
    const post = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${port}/api/embed/webhook`, { method: 'POST', body, headers });
    await post({});
    await post({ authorization: 'Bearer wrong' });
    expect(lines).toEqual([
      'Rejected an action webhook from 127.0.0.1: it has no Authorization header. Set the secret token on the Action Task.',
      expect.stringMatching(/^Rejected an action webhook from 127.0.0.1: its token does not match `secrets`/),
    ]);
  });

  it('accepts any content type, invalid JSON and an empty body, because a rejected delivery is lost', async () => {
    const { post, stored } = await start({ dispatch: false });
    for (const [text, type] of [
      ['{"half":', 'application/json'],
      ['a=b', 'application/x-www-form-urlencoded'],
      ['', 'text/plain'],
    ] as const)
      expect((await post(text, { 'content-type': type })).status).toBe(202);
    expect((await stored()).map(({ raw }) => Buffer.from(raw).toString())).toEqual(['', 'a=b', '{"half":']);
  });

  it.each([
    ['after express.json()', express.json()],
    ['after express.raw()', express.raw({ type: '*/*' })],
    ['after express.text()', express.text({ type: '*/*' })],
    ['after express.urlencoded(), which does not parse JSON', express.urlencoded()],
  ])('works %s', async (_, parser) => {
    const { post, stored } = await start({ dispatch: false }, [parser]);
    expect((await post(body)).status).toBe(202);
    const [delivery] = await stored();
    expect(JSON.parse(Buffer.from(delivery!.raw).toString())).toEqual(clickBody());
  });

  it('rejects a body that something has read and left nowhere, because there is no click to store', async () => {
    const drop: RequestHandler = (request, _, next) => request.resume().on('end', () => next());
    const { post, diagnostics, stored } = await start({ dispatch: false }, [drop]);
    expect((await post(body)).status).toBe(400);
    expect(await stored()).toEqual([]);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      expect.stringContaining('left no `req.body`. Mount Vitrine before it.'),
    ]);
  });

  it('answers after a parser that received a chunked body without a byte', async () => {
    const { port, stored } = await start({ dispatch: false }, [express.json({ type: () => true })]);
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(
      `POST /api/embed/webhook HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${secret}\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    );
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 202 /);
    expect((await stored())[0]!.raw.byteLength).toBe(0);
  });

  it('reads a compressed body that a parser has decompressed', async () => {
    const { post, inbox } = await start({}, [express.raw({ type: '*/*' })]);
    const published = Promise.withResolvers<void>();
    inbox.watch((change) => void (change === 'published' && published.resolve()));
    await post(gzipSync(body), { 'content-encoding': 'gzip' });
    await published.promise;
    expect(await inbox.counts()).toMatchObject({ done: 1, parked: 0 });
  });

  it('uses the bytes that a verify hook stored as rawBody', async () => {
    const keep = express.json({ verify: (request, _, bytes) => Object.assign(request, { rawBody: bytes }) });
    const { post, stored } = await start({ dispatch: false }, [keep]);
    const spaced = JSON.stringify(clickBody(), undefined, 2);
    await post(spaced);
    const [delivery] = await stored();
    expect(Buffer.from(delivery!.raw).toString()).toBe(spaced);
  });

  it('rejects a wrong or missing token with 401 without reading the body', async () => {
    const { post, stored, diagnostics } = await start();
    for (const authorization of ['Bearer wrong', '']) {
      const response = await post(body, { authorization });
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    }
    expect(await stored()).toEqual([]);
    expect(diagnostics.map(({ kind }) => kind)).toEqual(['rejected', 'rejected']);
  });

  it.each([`bearer ${secret}`, `BEARER   ${secret}`, secret, `Token ${secret}`])(
    'accepts the token in every form that a portal may send',
    async (authorization) => {
      const { post } = await start({ dispatch: false });
      expect((await post(body, { authorization })).status).toBe(202);
    },
  );

  it.each(['', 'Bearer '])(
    'accepts only the complete secret when it contains spaces, after %j',
    async (before) => {
      const secrets = 'one two three four five six seven eight nine';
      const { post } = await start({ secrets, dispatch: false });
      expect((await post(body, { authorization: before + secrets })).status).toBe(202);
      expect((await post(body, { authorization: before + secrets.slice(4) })).status).toBe(401);
    },
  );

  it('rejects a body over the limit with 413, with or without a declared length', async () => {
    const { post, diagnostics, port, stored } = await start({ maxBodyBytes: 1000 });
    expect((await post('x'.repeat(1001))).status).toBe(413);
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST /api/embed/webhook HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${secret}\r\ntransfer-encoding: chunked\r\n\r\n` +
        `3e9\r\n${'x'.repeat(1001)}\r\n`,
    );
    const [answer] = await once(socket, 'data');
    socket.destroy();
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
    expect(diagnostics.filter((item) => item.kind === 'rejected').length).toBe(2);
    expect(await stored()).toEqual([]);
  });

  it('accepts a body of exactly the limit', async () => {
    const { post } = await start({ maxBodyBytes: 1000, dispatch: false });
    expect((await post('x'.repeat(1000))).status).toBe(202);
  });

  it('responds with 405 to other methods', async () => {
    const { port } = await start();
    const response = await fetch(`http://127.0.0.1:${port}/api/embed/webhook`);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });

  it('accepts only listed addresses when a list is set', async () => {
    const closed = await start({ allowedSources: ['192.0.2.0/24'] });
    expect((await closed.post(body)).status).toBe(403);
    const open = await start({ allowedSources: ['192.0.2.0/24', '::ffff:127.0.0.1'], dispatch: false });
    expect((await open.post(body)).status).toBe(202);
  });

  it('responds with 503 when the inbox cannot store, so that no unsaved delivery is acknowledged', async () => {
    const inbox = sqliteInbox(':memory:');
    const failing = { ...inbox, append: () => Promise.reject(new Error('disk full')) };
    const { post, diagnostics } = await start({ inbox: failing, dispatch: false });
    expect((await post(body)).status).toBe(503);
    expect(diagnostics).toMatchObject([{ kind: 'unstored' }]);
  });

  it('calls the handler after the response, with flattened rows', async () => {
    const seen = Promise.withResolvers<ActionEvent>();
    const { post } = await start({ on: (event) => seen.resolve(event) });
    await post(body);
    expect(await seen.promise).toMatchObject({
      reportName: 'Sales by region',
      visual: 'sales-by-region',
      currentUser: 7,
      isCleared: false,
      rows: [clickRow],
      flatRows: [{ 'Sales[Region]': 'North', 'Sum(Sales[Amount])': 1250.5 }],
    });
  });

  it('responds with 503 to new deliveries after it is closed', async () => {
    const { post, actions } = await start();
    await actions.close();
    expect((await post(body)).status).toBe(503);
  });
});

describe('a sender that stalls in the middle of its body', () => {
  const begin = (port: number, declared: number, { sent = '{', token = secret } = {}) => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    const ended = new Promise<string>((resolve) => void socket.on('close', () => resolve(text)));
    socket.on('error', () => undefined);
    socket.write(
      `POST /api/embed/webhook HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-length: ${declared}\r\n\r\n${sent}`,
    );
    return { socket, ended };
  };

  it('receives 408 at the timeout, and delays no other delivery', async () => {
    const { post, port, diagnostics, stored } = await start({ dispatch: false }, [], { bodyMs: 200 });
    const stalled = [begin(port, 1_000_000), begin(port, 999_999)];
    expect((await post(body)).status).toBe(202);
    for (const { ended } of stalled) expect(await ended).toMatch(/^HTTP\/1\.1 408 [^]*connection: close/i);
    const told = expect.stringContaining('had not arrived after 200 ms');
    expect(diagnostics.map(({ message }) => message)).toEqual([told, told]);
    expect(await stored()).toHaveLength(1);
  });

  it('is rejected without its body when its token is wrong', async () => {
    const { port } = await start({ dispatch: false });
    expect(await begin(port, 1000, { token: 'wrong' }).ended).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('is stored when the rest arrives in time (control)', async () => {
    const { port, diagnostics, stored } = await start({ dispatch: false });
    const { socket } = begin(port, 100);
    socket.write('x'.repeat(98));
    await new Promise((resolve) => setImmediate(resolve));
    socket.write('}');
    await expect.poll(async () => (await stored()).length, { timeout: 50_000 }).toBe(1);
    expect(diagnostics).toEqual([]);
  });
});

const createInbox = () => {
  const memory = sqliteInbox(':memory:');
  onTestFinished(() => memory.close());
  return memory;
};

describe('an action webhook without access control', () => {
  it.each([
    ['no secret', []],
    ['an empty secret', ''],
    ['a blank secret', '   '],
  ])('throws at construction with %s', (_, secrets) => {
    expect(() => createActions({ secrets, inbox: createInbox(), audience: 'nobody' })).toThrow(
      /Option "secrets" is missing/,
    );
  });

  it('throws at construction with a secret under 32 bytes, without showing it', () => {
    let message = '';
    try {
      createActions({ secrets: 'short-secret', inbox: createInbox(), audience: 'nobody' });
    } catch (error) {
      message = String(error);
    }
    expect(message).toMatch(/is a text of 12 characters.*at least 32/);
    expect(message).not.toContain('short-secret');
  });

  it('throws at construction without an inbox', () => {
    expect(() => createActions({ secrets: secret } as never)).toThrow(/Option "inbox" is missing/);
  });

  it.each(['acme.example', '192.0.2.0/33', '192.0.2.0/24/7', '192.0.2.0/', '::ffff:192.0.2.0/120'])(
    'throws at construction with an invalid allow list (%s)',
    (source) => {
      expect(() =>
        createActions({
          secrets: secret,
          inbox: createInbox(),
          audience: 'nobody',
          allowedSources: [source],
        }),
      ).toThrow(/allowedSources.*Pass IP addresses or ranges/);
    },
  );
});

describe('rotation of the webhook secret', () => {
  const next = 'webhook-secret-of-at-least-32-bytes-0002';

  it('accepts the old and the new secret during the overlap, and then only the new one', async () => {
    const statusesWith = async (...secrets: readonly string[]) => {
      const { post } = await start({ secrets, dispatch: false });
      const statusOf = async (token: string) =>
        (await post(body, { authorization: `Bearer ${token}` })).status;
      return [await statusOf(secret), await statusOf(next)];
    };
    expect(await statusesWith(secret)).toEqual([202, 401]);
    expect(await statusesWith(secret, next)).toEqual([202, 202]);
    expect(await statusesWith(next)).toEqual([401, 202]);
  });
});
