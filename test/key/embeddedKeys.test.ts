import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { deflateSync, gzipSync } from 'node:zlib';
import { createPortalClient, type PortalClientOptions, PortalError } from '@vitrine/portal-client';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { listenOn } from '../support/listenOn.ts';
import {
  connectionTo,
  envelopeOf,
  refusalOf,
  type StandInPortal,
  startStandInPortal,
} from '../support/standInPortal.ts';

let portal: StandInPortal;
beforeEach(async () => {
  portal = await startStandInPortal();
});
afterEach(() => portal.close());

const request = { userId: 'north.manager@acme.example', itemId: 1042, lifetimeMs: 45 * 60_000 };

const keysOf = (options: PortalClientOptions = {}, connection: object = {}) => {
  const embedding = { ...connectionTo(portal.url), ...connection };
  const client = createPortalClient({ embedding, ...options });
  onTestFinished(() => client.close());
  return client.embeddedKeys;
};

/** Writes raw HTTP: these bytes, and then a response with the next key. */
const serveWire = async (before: string) => {
  let keys = 0;
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    let text = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      text += chunk;
      if (!text.endsWith('}')) return;
      text = '';
      const body = JSON.stringify(envelopeOf(`key-${(keys += 1)}`));
      socket.write(`${before}HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    });
    onTestFinished(() => void socket.destroy());
  });
  onTestFinished(() => void server.close());
  return { url: await listenOn(server), connections: () => connections };
};

const failureOf = async (promise: Promise<unknown>): Promise<PortalError> => {
  const error = await promise.then(
    () => new Error('it succeeded'),
    (rejection: unknown) => rejection,
  );
  expect(error).toBeInstanceOf(PortalError);
  // Checked on the line above.
  return error as PortalError;
};

describe('embeddedKeys.create()', () => {
  it('requests an expiration in UTC and returns it with the key', async () => {
    const before = Date.now();
    const created = await keysOf().create(request);
    expect(created).toMatchObject({ key: 'key-1', stats: { attempts: 1 } });
    expect(created.expiresAt).toBe(new Date(created.expiresAtMs).toISOString());
    expect(created.expiresAtMs - request.lifetimeMs - before).toBeLessThan(60_000);
    expect(created.expiresAtMs - request.lifetimeMs).toBeGreaterThanOrEqual(before);
    expect(JSON.parse(portal.calls[0]?.body ?? '').value).toEqual({
      userId: 'north.manager@acme.example',
      reportId: 1042,
      expiration: created.expiresAt,
    });
  });

  it.each([
    ['the role names', ['region-north']],
    ['an empty list of role names as one', []],
    ['no role names', undefined],
  ])('sends %s', async (_title, roleNames) => {
    await keysOf().create({ ...request, ...(roleNames && { roleNames }) });
    const { value } = JSON.parse(portal.calls[0]?.body ?? '');
    expect(value).toEqual({
      userId: request.userId,
      reportId: request.itemId,
      expiration: expect.any(String),
      ...(roleNames && { roleNames }),
    });
  });

  it.each([
    ['a text for the role names', { roleNames: 'north' }, 'roleNames'],
    ['null for the role names', { roleNames: null }, 'roleNames'],
    ['a role name that is not a string', { roleNames: ['north', 7] }, 'roleNames'],
    ['a text for the deadline', { timeoutMs: '9s' }, 'timeoutMs'],
    ['a deadline of NaN', { timeoutMs: Number.NaN }, 'timeoutMs'],
    ['a number for the request ID', { requestId: 7 }, 'requestId'],
  ])('sends nothing for %s', async (_title, wrong, option) => {
    // A plain JavaScript host may pass anything.
    const failure = await failureOf(keysOf().create({ ...request, ...(wrong as object) }));
    expect(failure).toMatchObject({ kind: 'config', code: `bad_option_${option}` });
    expect(failure.message).toContain(option);
    expect(portal.calls).toEqual([]);
  });

  it('calls a portal under a path', async () => {
    await keysOf({}, { apiBaseUrl: `${portal.url}/gateway/` }).create(request);
    expect(portal.calls[0]?.url).toBe('/gateway/api/services/app/ItemLinks/CreateEncryptedKey');
  });

  it('sends the tenant in another header when a gateway drops the dotted one', async () => {
    await keysOf({}, { tenantIdHeader: 'X-Tenant' }).create(request);
    expect(portal.calls[0]?.headers['x-tenant']).toBe('101');
    expect(portal.calls[0]?.headers['svc.tenantid']).toBeUndefined();
  });

  it('treats "success: false" as permanent, whatever the status, and does not retry', async () => {
    for (const status of [200, 500, 503]) {
      portal.calls.length = 0;
      portal.answer = () => ({ status, body: refusalOf(0, 'Passphrase is wrong.') });
      const error = await failureOf(keysOf().create(request));
      expect(error).toMatchObject({ kind: 'business', status, stats: { attempts: 1 } });
      expect(error.message).toContain('Passphrase is wrong');
      expect(portal.calls).toHaveLength(1);
    }
  });

  it.each([
    [401, refusalOf(401, 'Unknown key'), 'unauthorized'],
    [403, refusalOf(403, 'Missing permission'), 'forbidden'],
    [500, refusalOf(403, 'Missing permission'), 'forbidden'],
    [404, refusalOf(404, 'No such item'), 'not_found'],
    [404, refusalOf(404, 'There is no entity 1042 of this type'), 'invalid_response'],
    [404, refusalOf(404, 'No such endpoint'), 'invalid_response'],
    [404, refusalOf(404, 'Unknown tenancy name'), 'business'],
    [400, refusalOf(400, 'Expiration is past'), 'invalid'],
    [200, refusalOf(429, 'Slow down'), 'rate_limited'],
    [401, '', 'unauthorized'],
    [403, '<html>', 'forbidden'],
    [404, '<html>', 'invalid_response'],
    [302, '', 'invalid_response'],
    [200, '<html>login</html>', 'invalid_response'],
    [200, '{', 'invalid_response'],
    [200, {}, 'invalid_response'],
    [200, { success: true }, 'invalid_response'],
    [200, { success: true, result: { key: '' } }, 'invalid_response'],
    [200, { success: true, result: { key: 'k'.repeat(16_385) } }, 'invalid_response'],
    [200, { success: true, result: { key: 'quoted"' } }, 'invalid_response'],
    [200, { success: true, result: { key: 'with\r\nline break' } }, 'invalid_response'],
    [200, { success: 'true', result: { key: 'abc' } }, 'invalid_response'],
    [500, envelopeOf('abc'), 'server'],
    [502, '<html>', 'server'],
  ])('maps status %i with %j to %s', async (status, body, kind) => {
    portal.answer = () => ({ status, body });
    expect(await failureOf(keysOf({ maxRetries: 0 }).create(request))).toMatchObject({ kind, status });
  });

  it('understands the message of the portal before it masks a secret that is one of its words', async () => {
    portal.answer = () => ({ status: 500, body: refusalOf(0, 'The passphrase-2026 or passphrase is wrong') });
    const error = await failureOf(keysOf({}, { passPhrase: 'passphrase-2026' }).create(request));
    expect(error).toMatchObject({ part: 'passphrase_wrong', failure: { code: 'passphrase_wrong' } });
    expect(error.message).toContain('The *** or passphrase is wrong');
    expect(error.hint).toMatch(/^Copy the passphrase of the tenant/);
  });

  it('accepts a key of 16,384 characters', async () => {
    const key = 'k'.repeat(16_384);
    portal.answer = () => ({ body: envelopeOf(key) });
    expect(await keysOf().create(request)).toMatchObject({ key });
  });

  it('does not follow a redirect', async () => {
    portal.answer = () => ({ status: 307, headers: { location: `${portal.url}/elsewhere` }, body: '' });
    await failureOf(keysOf().create(request));
    expect(portal.calls).toHaveLength(1);
  });

  it('retries a failed connection or gateway once', async () => {
    portal.answer = () =>
      portal.calls.length === 1 ? { status: 502, body: '' } : { body: envelopeOf('second') };
    expect(await keysOf().create(request)).toMatchObject({ key: 'second', stats: { attempts: 2 } });
    portal.calls.length = 0;
    portal.answer = () => ({ status: 503, body: '' });
    expect(await failureOf(keysOf().create(request))).toMatchObject({
      kind: 'server',
      stats: { attempts: 2 },
    });
    expect(portal.calls).toHaveLength(2);
  });

  it('does not retry when the portal sends Retry-After, and passes it on', async () => {
    portal.answer = () => ({ status: 503, headers: { 'retry-after': '7' }, body: '' });
    expect(await failureOf(keysOf().create(request))).toMatchObject({
      stats: { retryAfterMs: 7000, attempts: 1 },
    });
  });

  it('passes on the full Retry-After for callers to judge', async () => {
    portal.answer = () => ({ status: 503, headers: { 'retry-after': '86400' }, body: '' });
    expect(await failureOf(keysOf().create(request))).toMatchObject({ stats: { retryAfterMs: 86_400_000 } });
    const { hint } = await failureOf(keysOf().create(request));
    expect(hint).toContain('Try again in 24 hours');
  });

  it.each([-3_600_000, 3_600_000])(
    'reads a Retry-After date by the clock of the portal, %i ms from ours',
    async (ms) => {
      const now = Date.now();
      const text = (more: number) => new Date(now + ms + more).toUTCString();
      portal.answer = () => ({
        status: 503,
        headers: { date: text(0), 'retry-after': text(8000) },
        body: '',
      });
      expect(await failureOf(keysOf().create(request))).toMatchObject({ stats: { retryAfterMs: 8000 } });
    },
  );

  it('rejects a response that is too large', async () => {
    portal.answer = () => ({ body: 'x'.repeat(100_000) });
    expect(await failureOf(keysOf().create(request))).toMatchObject({
      kind: 'invalid_response',
      code: 'ERR_BUFFER_TOO_LARGE',
    });
  });

  it('does not retry a 501, which is permanent', async () => {
    portal.answer = () => ({ status: 501, body: '<html>' });
    expect(await failureOf(keysOf().create(request))).toMatchObject({
      kind: 'server',
      stats: { attempts: 1 },
    });
  });

  it('ends at the deadline of the client', async () => {
    const never = createServer(() => undefined);
    await new Promise<void>((resolve) => never.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void never.close());
    const address = never.address();
    const apiBaseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const keys = keysOf({ timeoutMs: 100 }, { apiBaseUrl });
    expect(await failureOf(keys.create(request))).toMatchObject({ kind: 'timeout', stats: { attempts: 1 } });
  });

  it('ends at the deadline of the call, even before that of the client', async () => {
    portal.answer = () => new Promise(() => undefined);
    const keys = keysOf({ timeoutMs: 3_600_000 });
    expect(await failureOf(keys.create({ ...request, timeoutMs: 100 }))).toMatchObject({ kind: 'timeout' });
  });

  it('rejects at once when the pause before a second attempt would exceed the deadline', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.999);
    onTestFinished(() => void vi.restoreAllMocks());
    portal.answer = () => ({ status: 503, body: '' });
    const failure = await failureOf(keysOf().create({ ...request, timeoutMs: 200 }));
    expect(failure).toMatchObject({ kind: 'server', status: 503, stats: { attempts: 1 } });
  });

  it('stops at once when the caller aborts', async () => {
    const asked = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    portal.answer = async (_call, response) => {
      response.on('close', left.resolve);
      asked.resolve();
      await left.promise;
      return { body: '' };
    };
    const leaving = new AbortController();
    const minting = failureOf(keysOf().create({ ...request, signal: leaving.signal }));
    await asked.promise;
    leaving.abort();
    expect(await minting).toMatchObject({ kind: 'aborted' });
    await left.promise;
    const late = failureOf(keysOf().create({ ...request, signal: leaving.signal }));
    expect(await late).toMatchObject({ kind: 'aborted' });
    expect(portal.calls).toHaveLength(1);
  });

  it('names the kind of connection failure without quoting it', async () => {
    const closed = await startStandInPortal();
    await closed.close();
    const refused = await failureOf(keysOf({ maxRetries: 0 }, { apiBaseUrl: closed.url }).create(request));
    expect(refused).toMatchObject({ kind: 'network', code: 'ECONNREFUSED' });
    expect(refused.message).not.toContain('127.0.0.1');
  });

  it('does not send a request to a server that has no certificate', async () => {
    const error = await failureOf(
      keysOf({ maxRetries: 0 }, { apiBaseUrl: portal.url.replace('http:', 'https:') }).create(request),
    );
    expect(error.kind).toBe('network');
    expect(portal.calls).toEqual([]);
  });

  it('finds the secret that the portal accepts, and remembers it', async () => {
    const taken = { apiKey: 'old-api-key-1234', passPhrase: 'old passphrase 1234' };
    portal.answer = (call) => {
      if (call.headers.authorization !== `ApiKey ${taken.apiKey}`)
        return { status: 401, body: refusalOf(401, 'Unknown key') };
      if (JSON.parse(call.body).passPhrase !== taken.passPhrase)
        return { status: 500, body: refusalOf(0, 'Passphrase is wrong.') };
      return { body: envelopeOf('abc') };
    };
    const keys = keysOf(
      {},
      {
        apiKey: ['new-api-key-1234', 'old-api-key-1234'],
        passPhrase: ['new passphrase 1234', 'old passphrase 1234'],
      },
    );
    expect((await keys.create(request)).stats.secrets).toEqual({ apiKey: 1, passPhrase: 1 });
    expect(portal.calls).toHaveLength(3);
    expect((await keys.create(request)).stats.attempts).toBe(1);
    taken.apiKey = 'new-api-key-1234';
    expect((await keys.create(request)).stats.secrets).toEqual({ apiKey: 0, passPhrase: 1 });
    expect((await keys.create(request)).stats.attempts).toBe(1);
    taken.passPhrase = 'new passphrase 1234';
    expect((await keys.create(request)).stats.secrets).toEqual({ apiKey: 0, passPhrase: 0 });
    expect((await keys.create(request)).stats.attempts).toBe(1);
  });

  it.each([401, 403, 404])(
    'tries the previous passphrase after a %i about the passphrase',
    async (status) => {
      portal.answer = ({ body }) =>
        JSON.parse(body).passPhrase === 'Rb52kYt8WcNe'
          ? { body: envelopeOf('abc') }
          : { status, body: refusalOf(status, 'Invalid passphrase') };
      const keys = keysOf({}, { passPhrase: ['Km47tR9Zq83n', 'Rb52kYt8WcNe'] });
      expect((await keys.create(request)).stats.secrets?.passPhrase).toBe(1);
    },
  );

  it.each([
    ['apiKey', 403, { error: 'invalid_api_key' }],
    ['apiKey', 403, { error: { code: 'InvalidApiKey', message: 'Access denied' } }],
    ['apiKey', 403, refusalOf(403, 'This key has been revoked')],
    ['apiKey', 500, refusalOf(0, 'Invalid api_key')],
    ['passPhrase', 401, { message: 'Unauthorized' }],
    ['passPhrase', 500, refusalOf(0, 'API key or passphrase is wrong')],
  ] as const)('tries the previous secret, %s, after a %i with %o', async (secret, status, body) => {
    portal.answer = (call) =>
      `${call.headers.authorization} ${call.body}`.includes('previous-secret-1')
        ? { body: envelopeOf('abc') }
        : { status, body };
    const keys = keysOf({}, { [secret]: ['newest-secret-1', 'previous-secret-1'] });
    expect((await keys.create(request)).stats.secrets?.[secret]).toBe(1);
  });

  it.each([
    [500, 'RLS role region-north is not defined', 1],
    [403, 'The user jane has no access to the report', 1],
    [403, 'Permission Administration.ItemLinks.BiItems is missing', 1],
    [500, 'License exceeded', 1],
    [500, 'An internal error occurred during your request!', 3],
  ] as const)('reports a %i, %s, and no previous secret', async (status, message, calls) => {
    portal.answer = (call) => {
      if (call.headers.authorization !== 'ApiKey newest-secret-1')
        return { status: 401, body: refusalOf(401, 'Invalid API key') };
      return call.body.includes('newest-phrase-1')
        ? { status, body: refusalOf(0, message) }
        : { status: 500, body: refusalOf(0, 'Wrong passphrase') };
    };
    const secrets = {
      apiKey: ['newest-secret-1', 'previous-secret-1'],
      passPhrase: ['newest-phrase-1', 'previous-phrase-1'],
    };
    const error: unknown = await keysOf({}, secrets)
      .create(request)
      .catch((thrown: unknown) => thrown);
    expect((error as PortalError).message).toContain(message.replace(/\.$/, ''));
    expect(portal.calls.length).toBeLessThanOrEqual(calls);
  });

  it('tries the newest secret again once a minute, because the portal may accept it by then', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const taken = new Set(['ApiKey old-api-key-1234']);
    portal.answer = ({ headers }) =>
      taken.has(headers.authorization ?? '')
        ? { body: envelopeOf('abc') }
        : { status: 401, body: refusalOf(401, 'Unknown key') };
    const keys = keysOf({}, { apiKey: ['new-api-key-1234', 'old-api-key-1234'] });
    expect((await keys.create(request)).stats.secrets?.apiKey).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect([
      (await keys.create(request)).stats.attempts,
      (await keys.create(request)).stats.attempts,
    ]).toEqual([2, 1]);
    taken.add('ApiKey new-api-key-1234');
    vi.advanceTimersByTime(59_000);
    expect((await keys.create(request)).stats.secrets?.apiKey).toBe(1);
    vi.advanceTimersByTime(1000);
    expect((await keys.create(request)).stats.secrets?.apiKey).toBe(0);
    expect((await keys.create(request)).stats.attempts).toBe(1);
  });

  it('sends a user agent, and requests an uncompressed response', async () => {
    await keysOf().create(request);
    expect(portal.calls[0]?.headers).toMatchObject({
      'user-agent': expect.stringMatching(/^vitrine-portal-client\/\d+\.\d+\.\d+$/),
      'accept-encoding': 'identity',
    });
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['GZIP, identity', gzipSync],
  ])('reads a response that a gateway compressed anyway: %s', async (encoding, compress) => {
    portal.answer = () => ({
      headers: { 'content-encoding': encoding },
      body: compress(JSON.stringify(envelopeOf('packed-key'))),
    });
    expect(await keysOf().create(request)).toMatchObject({ key: 'packed-key' });
  });

  it('reads a response with a byte order mark', async () => {
    portal.answer = () => ({ body: `\uFEFF${JSON.stringify(envelopeOf('marked-key'))}` });
    expect(await keysOf().create(request)).toMatchObject({ key: 'marked-key' });
  });

  it.each([
    ['a corrupt one', Buffer.from('not gzip at all'), 'Z_DATA_ERROR'],
    ['one that decompresses to 10 MB', gzipSync(Buffer.alloc(10_000_000)), 'ERR_BUFFER_TOO_LARGE'],
  ])('rejects a compressed response: %s', async (_title, body, code) => {
    portal.answer = () => ({ headers: { 'content-encoding': 'gzip' }, body });
    expect(await failureOf(keysOf().create(request))).toMatchObject({ kind: 'invalid_response', code });
  });

  it("returns request statistics: latency, the portal's clock, its request ID, the secrets", async () => {
    portal.answer = async () => {
      await setTimeout(20);
      return {
        headers: { date: new Date(Date.now() + 600_000).toUTCString(), 'x-request-id': 'r-17' },
        body: envelopeOf('abc'),
      };
    };
    const { stats } = await keysOf().create(request);
    expect(stats).toEqual({
      method: 'POST',
      path: '/api/services/app/ItemLinks/CreateEncryptedKey',
      status: 200,
      body: 'envelope',
      requestId: 'r-17',
      attempts: 1,
      durationMs: expect.any(Number),
      clockSkewMs: expect.any(Number),
      retryAfterMs: undefined,
      proxy: undefined,
      secrets: { apiKey: 0, passPhrase: 0 },
    });
    expect(stats.durationMs).toBeGreaterThan(15);
    expect(Math.abs((stats.clockSkewMs ?? 0) - 600_000)).toBeLessThan(5_000);
  });

  it('adds the same statistics to an error, without a status when no response arrived', async () => {
    portal.answer = () => ({ status: 502, headers: { 'x-request-id': 'r-18' }, body: '<html>' });
    expect(await failureOf(keysOf().create(request))).toMatchObject({
      stats: { status: 502, body: 'html', requestId: 'r-18', attempts: 2 },
    });
    await portal.close();
    const { stats } = await failureOf(keysOf({ maxRetries: 0 }).create(request));
    expect(stats).toMatchObject({ attempts: 1 });
    expect([stats?.status, stats?.body, stats?.clockSkewMs]).toEqual([undefined, undefined, undefined]);
  });

  it('masks a secret that the portal echoes as the ID of the request', async () => {
    const { passPhrase } = connectionTo(portal.url);
    portal.answer = () => ({
      status: 502,
      headers: { 'x-request-id': `r-19-${encodeURIComponent(passPhrase)}` },
      body: '<html>',
    });
    const { stats } = await failureOf(keysOf().create(request));
    expect(stats?.requestId).toBe('r-19-***');
  });

  it('reads headers that a gateway duplicates', async () => {
    const twice = ['7', '7'];
    portal.answer = () => ({ status: 429, headers: { 'retry-after': twice }, body: '' });
    expect(await failureOf(keysOf().create(request))).toMatchObject({
      kind: 'rate_limited',
      stats: { retryAfterMs: 7000 },
    });
    const date = new Date().toUTCString();
    portal.answer = () => ({
      headers: { 'retry-after': twice, date: [date, date] },
      body: envelopeOf('key'),
    });
    const { stats } = await keysOf().create(request);
    expect(stats.clockSkewMs).toEqual(expect.any(Number));
  });

  it.each(['0', '2026-11-22T10:00:00Z', 'now', 'Thu, 01 Jan 1970 00:00:00 GMT'])(
    'ignores the Date header %j',
    async (date) => {
      portal.answer = () => ({ headers: { date }, body: envelopeOf('abc') });
      expect((await keysOf().create(request)).stats.clockSkewMs).toBeUndefined();
    },
  );

  it.each([
    [200, 'application/xml', '<?xml version="1.0"?><e/>', 'text', /a body that is not JSON/],
    [200, 'text/plain', '<e/>', 'html', /an HTML page/],
    [304, 'text/plain', '', 'empty', /status 304 and an empty body/],
    [308, 'text/plain', '', 'empty', /a redirect/],
  ])('describes an unexpected response: %i, %s, %s', async (...[status, type, text, body, message]) => {
    portal.answer = () => ({ status, headers: { 'content-type': type }, body: text });
    const error = await failureOf(keysOf({ maxRetries: 0 }).create(request));
    expect(error).toMatchObject({ kind: 'invalid_response', stats: { body } });
    expect(error.message).toMatch(message);
  });

  it.each([
    [
      'both Content-Length and chunks',
      'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n',
      'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
      /Content-Length/,
    ],
  ])('reports a response with %s, and does not retry', async (...[, before, code, hint]) => {
    const wire = await serveWire(before);
    const error = await failureOf(keysOf({}, { apiBaseUrl: wire.url }).create(request));
    expect(error).toMatchObject({ kind: 'invalid_response', code, stats: { attempts: 1 } });
    expect(error.hint).toMatch(hint);
  });

  it('masks a key in an error message of the portal', async () => {
    const key = 'ENCKEYabcdef0123456789';
    portal.answer = () => ({
      body: { ...refusalOf(0, `Cannot issue key ${key} now.`), result: { key } },
    });
    const error = await failureOf(keysOf().create(request));
    expect(error.message).toContain('Cannot issue key *** now');
  });

  it('ignores early hints before the response', async () => {
    const wire = await serveWire('HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n');
    const keys = keysOf({ concurrency: 1, maxRetries: 0 }, { apiBaseUrl: wire.url });
    for (const key of ['key-1', 'key-2', 'key-3']) expect(await keys.create(request)).toMatchObject({ key });
    expect(wire.connections()).toBe(1);
  });

  it('treats a protocol switch as a network failure', async () => {
    const upgraded = await serveWire(
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    );
    const keys = keysOf({ maxRetries: 0, timeoutMs: 200 }, { apiBaseUrl: upgraded.url });
    expect(await failureOf(keys.create(request))).toMatchObject({ kind: 'network' });
  });

  it('rejects an unknown option', () => {
    // A plain JavaScript host may pass anything.
    for (const options of [{ retries: 3 }, { maxRetires: 3 }])
      expect(() => keysOf(options as never)).toThrow(
        /createPortalClient has no option "\w+"\. Use "maxRetries"\./,
      );
  });

  it('rejects an invalid key request before it sends anything', async () => {
    const keys = keysOf();
    for (const change of [
      { itemId: 0 },
      { itemId: 1.5 },
      { userId: '' },
      { lifetimeMs: 1 },
      { lifetimeMs: Number.NaN },
      { roles: ['region-north'] },
    ])
      expect(await failureOf(keys.create({ ...request, ...change }))).toMatchObject({ kind: 'config' });
    expect(portal.calls).toHaveLength(0);
  });
});
