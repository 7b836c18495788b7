import { allowAll, createFetchHandler, type VitrineOptions, VitrineOptionsError } from '@vitrine/server';
import { fastify } from 'fastify';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { keyRequest, viewerByHeader } from '../support/keyRequest.ts';
import { connectionTo } from '../support/standInPortal.ts';

const portal = connectionTo('https://api.portal.example');
const good: VitrineOptions<Request> = { portal, viewer: viewerByHeader, canView: allowAll, logger: false };

const errorOf = (options: unknown) => {
  try {
    // A plain JavaScript host may pass anything.
    createFetchHandler(options as VitrineOptions<Request>);
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('an invalid setup', () => {
  it.each([
    ['no options', undefined, 'missing_options'],
    ['null', null, 'missing_options'],
    ['no portal', { ...good, portal: undefined }, 'invalid_option'],
    ['no viewer', { ...good, viewer: undefined }, 'invalid_option'],
    ['a viewer that is not a function', { ...good, viewer: { userId: 'x' } }, 'invalid_option'],
    ['no canView', { ...good, canView: undefined }, 'invalid_option'],
    ['canView: true', { ...good, canView: true }, 'invalid_option'],
    ['a misspelled option', { ...good, keyLifeTime: '45m' }, 'unknown_option'],
    ['a lifetime without a unit, which means milliseconds', { ...good, keyLifetime: 45 }, 'invalid_option'],
    ['an invalid lifetime', { ...good, keyLifetime: 'long' }, 'invalid_option'],
    ['an infinite lifetime', { ...good, keyLifetime: Number.POSITIVE_INFINITY }, 'invalid_option'],
    ['a lifetime in days', { ...good, keyLifetime: '2d' }, 'invalid_option'],
    ['an empty lifetime', { ...good, keyLifetime: '' }, 'invalid_option'],
    ['a wildcard in an origin', { ...good, allowedOrigins: ['https://*.example'] }, 'invalid_option'],
    ['a wildcard as the origin', { ...good, allowedOrigins: ['*'] }, 'invalid_option'],
    ['an endpoint that matches no request', { ...good, endpoint: '/a/../b' }, 'invalid_option'],
    ['an origin with a path', { ...good, allowedOrigins: ['https://a.example/b'] }, 'invalid_option'],
    ['a limit of zero', { ...good, rateLimit: { points: 0, durationSeconds: 60 } }, 'invalid_option'],
    ['zero connections', { ...good, upstream: { connections: 0 } }, 'invalid_option'],
    ['an unknown upstream option', { ...good, upstream: { retries: 3 } }, 'unknown_option'],
    ['null for upstream', { ...good, upstream: null }, 'invalid_option'],
    ['a retry that is not a boolean', { ...good, upstream: { retry: 'never' } }, 'invalid_option'],
    ['null for the limits', { ...good, rateLimit: null }, 'invalid_option'],
    ['a misspelled limit', { ...good, rateLimit: { perUser: false } }, 'unknown_option'],
    ['a limit that is a number', { ...good, rateLimit: 5 }, 'invalid_option'],
    ['a limit without its period', { ...good, rateLimit: { points: 5 } }, 'invalid_option'],
    ['null for the logger', { ...good, logger: null }, 'invalid_option'],
    ['null for the actions', { ...good, actions: null }, 'invalid_option'],
    ['null for the origins', { ...good, allowedOrigins: null }, 'invalid_option'],
    [
      'a time limit below a tenth of a second',
      { ...good, upstream: { totalTimeoutMs: 99 } },
      'invalid_option',
    ],
    ['a text for the items', { ...good, items: 'all' }, 'invalid_option'],
    ['a hook that is not a function', { ...good, audit: {} }, 'invalid_option'],
    ['null for a hook', { ...good, onError: null }, 'invalid_option'],
    ['a logger without methods', { ...good, logger: {} }, 'invalid_option'],
    ['actions that createActions did not create', { ...good, actions: {} }, 'invalid_option'],
    ['a string for strictRls, which would be truthy', { ...good, strictRls: 'false' }, 'invalid_option'],
    ['null for strictRls, which would be falsy', { ...good, strictRls: null }, 'invalid_option'],
    ['an endpoint that is not a path', { ...good, endpoint: 'api/embed?' }, 'invalid_option'],
    ['an endpoint with the route of keys', { ...good, endpoint: '/api/embed/keys' }, 'invalid_option'],
    ['an endpoint with the route of webhooks', { ...good, endpoint: '/embed/webhook' }, 'invalid_option'],
    ['a promise of a portal', { ...good, portal: Promise.resolve(good.portal) }, 'invalid_portal'],
  ])('is rejected at construction: %s', (_title, options, code) => {
    const error = errorOf(options);
    expect(error).toBeInstanceOf(VitrineOptionsError);
    expect(error).toMatchObject({ code, message: expect.stringContaining(`[${code}]`) });
  });

  it.each([
    [
      'a number',
      { upstream: { connections: 0 } },
      'Option "upstream.connections" is 0. Pass a whole number from 1 to 4096.',
    ],
    ['the nearest name', { keyLifeTime: '45m' }, 'no option "keyLifeTime". Use "keyLifetime".'],
    [
      'text instead of a boolean',
      { strictRls: 'false' },
      'Option "strictRls" is a string. Pass true or false.',
    ],
    [
      'the numbers of a limit',
      { rateLimit: { points: 0 } },
      'Option "rateLimit.points" is 0. Pass a whole number from 1.',
    ],
    ['the kind of a hook', { audit: {} }, 'Option "audit" is an object. Pass a function.'],
    ['the value of a callback', { viewer: 1 }, 'Option "viewer" is 1. Pass a function'],
    ['canView: true', { canView: true }, 'Option "canView" is true. Pass a function'],
    ['no callback', { viewer: undefined }, 'Option "viewer" is missing.'],
    [
      'that the limits may be false',
      { rateLimit: null },
      'Option "rateLimit" is null. Pass { points, durationSeconds }, a limiter of rate-limiter-flexible, or false.',
    ],
  ])('shows what it got: %s', (_title, options, seen) => {
    expect(errorOf({ ...good, ...options })).toMatchObject({ message: expect.stringContaining(seen) });
  });

  it.each([
    ['rateLimit', { rateLimit: 'redis://:Vw7rTq2Hn4@store' }],
    ['rateLimit.points', { rateLimit: { points: 'redis://:Vw7rTq2Hn4@store' } }],
    ['logger', { logger: 'https://log.example/?token=Vw7rTq2Hn4' }],
  ])('shows no value where it may be a secret: %s', (option, options) => {
    const message = String(errorOf({ ...good, ...options }));
    expect(message).toContain(option);
    expect(message).not.toContain('Vw7rTq2Hn4');
  });

  it.each([
    ['an empty API key', { portal: { ...portal, apiKey: '' } }, 'invalid_portal', 'apiKey'],
    ['a URL without TLS', { portal: { ...portal, tenantUrl: 'http://x' } }, 'invalid_portal', 'tenantUrl'],
    ['a misspelled field', { portal: { ...portal, passphrase: 'x' } }, 'invalid_portal', 'Use "passPhrase"'],
    [
      'a value that is not an object',
      { portal: 'https://portal.example' },
      'invalid_portal',
      'it is a string',
    ],
    [
      'disabled verification',
      { upstream: { tls: { rejectUnauthorized: false } } },
      'unknown_option',
      'no option "tls"',
    ],
  ])('is rejected at construction with an unusable connection: %s', (...[, options, code, words]) => {
    const error = errorOf({ ...good, ...options });
    expect(error).toBeInstanceOf(VitrineOptionsError);
    expect(error).toMatchObject({ code, message: expect.stringContaining(words) });
  });

  it.each([
    [{ dispatcher: {} }, 'Option "upstream.dispatcher" cannot be used: it has no dispatch().'],
    [{ dispatcher: null }, 'Option "upstream.dispatcher" cannot be used: it has no dispatch().'],
  ])(
    'names an option of the upstream by its place, also for a portal of each request: %j',
    (upstream, words) => {
      for (const given of [portal, () => portal])
        expect(errorOf({ ...good, portal: given, upstream })).toMatchObject({
          message: expect.stringContaining(words),
        });
    },
  );

  it.each([
    ['an object', portal],
    ['a function', () => portal],
  ])('is rejected at construction on a runtime without the pool of undici: %s', (_title, given) => {
    Object.defineProperty(process.versions, 'bun', { value: '1.3.0', configurable: true });
    onTestFinished(() => void Reflect.deleteProperty(process.versions, 'bun'));
    expect(errorOf({ ...good, portal: given })).toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining('does not run on Bun'),
    });
  });

  it('names createFetchHandler(), and all of its options', () => {
    expect(String(errorOf({ ...good, sourceof: () => '' }))).toContain(
      'createFetchHandler() has no option "sourceof". Use "sourceOf".',
    );
    expect(String(errorOf({ ...good, webRequest: 1 }))).toContain(
      'Option "webRequest" is 1. Pass a function of what the handler is called with.',
    );
  });

  it.each(['/v1', '/v1/', '/V1', '/portal/v1'])('refuses an address that ends in %s', (path) => {
    for (const name of ['apiBaseUrl', 'baseUrl'])
      expect(
        errorOf({ ...good, portal: { ...portal, [name]: `https://api.portal.example${path}` } }),
      ).toMatchObject({
        message: expect.stringMatching(
          new RegExp(
            String.raw`^Option "${name}" contains the path of an endpoint \(/v1/?\)\. Remove it`,
            'i',
          ),
        ),
      });
    // Control: a path that only resembles it.
    const api = 'https://api.portal.example/v1beta';
    expect(
      errorOf({ ...good, portal: { ...portal, apiBaseUrl: api, baseUrl: `${api}/api` } }),
    ).toBeUndefined();
  });

  it.each([
    ['that is not a URL', 'ftp://host:Vw7rTq2Hn4@proxy', 'is not the URL of an HTTP proxy'],
    ['that uses SOCKS', 'socks5://host:Vw7rTq2Hn4@proxy:1080', 'SOCKS is not supported'],
    ['whose password is not encoded', 'http://host:Vw7rTq2Hn4%ss@proxy:3128', 'as %25'],
  ])('is rejected at construction with a proxy %s', (...[, proxy, advice]) => {
    vi.stubEnv('HTTPS_PROXY', proxy);
    onTestFinished(() => void vi.unstubAllEnvs());
    const error = errorOf(good);
    expect(error).toBeInstanceOf(VitrineOptionsError);
    expect(error).toMatchObject({
      code: 'invalid_proxy',
      message: expect.not.stringContaining('Vw7rTq2Hn4'),
    });
    expect(error).toMatchObject({ message: expect.stringContaining('HTTPS_PROXY') });
    expect(error).toMatchObject({ message: expect.stringContaining(advice) });
  });

  it('treats an undefined option as omitted', () => {
    expect(
      errorOf({
        ...good,
        keyLifetime: undefined,
        rateLimit: undefined,
        upstream: undefined,
        logger: false,
        actions: undefined,
        allowedOrigins: undefined,
        endpoint: undefined,
        strictRls: undefined,
        items: undefined,
      }),
    ).toBeUndefined();
  });
});

describe('the logger', () => {
  /** Makes the handler write one line, of level `error`. */
  const failWith = async (options: VitrineOptions<Request>) => {
    const viewer = () => Promise.reject(new Error('database'));
    const handler = createFetchHandler({ ...options, viewer });
    onTestFinished(() => handler.close());
    expect((await handler(keyRequest(1042))).status).toBe(500);
  };

  it('may be that of Fastify, which is pino', async () => {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    await failWith({ ...good, logger: fastify({ logger: { level: 'warn', stream: { write } } }).log });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 50,
      code: 'internal_error',
      msg: 'No key issued.',
    });
  });

  it('may be the console, which is the default', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await failWith({ ...good, logger: console });
    const { logger: _, ...silent } = good;
    await failWith(silent);
    expect(error).toHaveBeenCalledTimes(2);
  });
});
