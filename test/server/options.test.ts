import * as openTelemetry from '@opentelemetry/api';
import { allowAll, createFetchHandler, type VitrineOptions, VitrineOptionsError } from '@vitrine/server';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { viewerByHeader } from '../support/keyRequest.ts';
import { recordLog } from '../support/recordLog.ts';
import { connectionTo } from '../support/standInPortal.ts';

const portal = connectionTo('https://api.portal.example');
const good: VitrineOptions<Request> = { portal, viewer: viewerByHeader, canView: allowAll, logger: false };

const errorOf = (options: unknown) => {
  try {
    // A host in plain JavaScript may hand in anything.
    createFetchHandler(options as VitrineOptions<Request>);
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('a wrong setup', () => {
  it.each([
    ['no options', undefined, 'missing_options'],
    ['null', null, 'missing_options'],
    ['no portal', { ...good, portal: undefined }, 'missing_portal'],
    ['no viewer', { ...good, viewer: undefined }, 'missing_viewer'],
    ['a viewer that is not a function', { ...good, viewer: { userId: 'x' } }, 'missing_viewer'],
    ['no canView', { ...good, canView: undefined }, 'missing_can_view'],
    ['canView: true', { ...good, canView: true }, 'missing_can_view'],
    ['a misspelt option', { ...good, keyLifeTime: '45m' }, 'unknown_option'],
    [
      'a lifetime without a unit that is read as milliseconds',
      { ...good, keyLifetime: 45 },
      'invalid_key_lifetime',
    ],
    ['a lifetime that is not a time', { ...good, keyLifetime: 'long' }, 'invalid_key_lifetime'],
    ['an endless lifetime', { ...good, keyLifetime: Number.POSITIVE_INFINITY }, 'invalid_key_lifetime'],
    ['a lifetime of days', { ...good, keyLifetime: '2d' }, 'invalid_key_lifetime'],
    ['an empty lifetime', { ...good, keyLifetime: '' }, 'invalid_key_lifetime'],
    ['a star in an origin', { ...good, allowedOrigins: ['https://*.example'] }, 'invalid_allowed_origins'],
    ['a star as origin', { ...good, allowedOrigins: ['*'] }, 'invalid_allowed_origins'],
    ['an endpoint that no request has', { ...good, endpoint: '/a/../b' }, 'invalid_endpoint'],
    [
      'an origin with a path',
      { ...good, allowedOrigins: ['https://a.example/b'] },
      'invalid_allowed_origins',
    ],
    [
      'a limit of nothing',
      { ...good, rateLimit: { perViewer: { points: 0, durationSeconds: 60 } } },
      'invalid_rate_limit',
    ],
    ['no connections', { ...good, upstream: { connections: 0 } }, 'invalid_upstream'],
    ['an unknown upstream option', { ...good, upstream: { retries: 3 } }, 'invalid_upstream'],
    ['null for upstream', { ...good, upstream: null }, 'invalid_upstream'],
    ['a retry that is not a boolean', { ...good, upstream: { retry: 'never' } }, 'invalid_upstream'],
    ['null for the limits', { ...good, rateLimit: null }, 'invalid_rate_limit'],
    ['a misspelt limit', { ...good, rateLimit: { perUser: false } }, 'invalid_rate_limit'],
    ['a limit that is a number', { ...good, rateLimit: { perViewer: 5 } }, 'invalid_rate_limit'],
    ['null for the cache', { ...good, cache: null }, 'invalid_cache'],
    ['a misspelt option of the cache', { ...good, cache: { maxEntires: 5 } }, 'invalid_cache'],
    ['null for the logger', { ...good, logger: null }, 'invalid_logger'],
    ['null for the actions', { ...good, actions: null }, 'invalid_actions'],
    ['null for the origins', { ...good, allowedOrigins: null }, 'invalid_allowed_origins'],
    ['null for OpenTelemetry', { ...good, openTelemetry: null }, 'invalid_open_telemetry'],
    [
      'an attempt longer than the whole',
      { ...good, upstream: { attemptTimeoutMs: 9000, totalTimeoutMs: 3000 } },
      'invalid_upstream',
    ],
    ['a cache that never ends', { ...good, cache: { maxAgeShare: 1 } }, 'invalid_cache'],
    ['a logger without methods', { ...good, logger: {} }, 'invalid_logger'],
    ['telemetry that is not a module', { ...good, openTelemetry: {} }, 'invalid_open_telemetry'],
    ['actions that nobody made', { ...good, actions: {} }, 'invalid_actions'],
    [
      'a text for strictRls, which would count as true',
      { ...good, strictRls: 'false' },
      'invalid_strict_rls',
    ],
    ['null for strictRls, which would count as false', { ...good, strictRls: null }, 'invalid_strict_rls'],
    ['a time that stands still', { ...good, now: 1_700_000_000_000 }, 'invalid_now'],
    ['null for the time', { ...good, now: null }, 'invalid_now'],
    ['an endpoint that is not a path', { ...good, endpoint: 'api/embed?' }, 'invalid_endpoint'],
  ])('does not start: %s', (_title, options, code) => {
    const error = errorOf(options);
    expect(error).toBeInstanceOf(VitrineOptionsError);
    expect(error).toMatchObject({ code, message: expect.stringContaining(`[${code}]`) });
  });

  it.each([
    ['an empty API key', { portal: { ...portal, apiKey: '' } }, 'invalid_portal', 'apiKey'],
    [
      'an address without TLS',
      { portal: { ...portal, tenantUrl: 'http://x' } },
      'invalid_portal',
      'tenantUrl',
    ],
    ['a misspelt field', { portal: { ...portal, passphrase: 'x' } }, 'invalid_portal', 'Write "passPhrase".'],
    ['no object', { portal: 'https://portal.example' }, 'invalid_portal', 'must be an object'],
    [
      'verification switched off',
      { upstream: { tls: { rejectUnauthorized: false } } },
      'invalid_upstream',
      'always verified',
    ],
    [
      'a certificate that is none',
      { upstream: { tls: { ca: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' } } },
      'invalid_upstream',
      'not a certificate',
    ],
    ['half a client certificate', { upstream: { tls: { cert: 'x' } } }, 'invalid_upstream', 'cert and key'],
  ])('does not start with a connection that cannot be used: %s', (...[, options, code, words]) => {
    const error = errorOf({ ...good, ...options });
    expect(error).toBeInstanceOf(VitrineOptionsError);
    expect(error).toMatchObject({ code, message: expect.stringContaining(words) });
  });

  it.each([
    ['that is not an address', 'ftp://host:Vw7rTq2Hn4@proxy', 'is not a proxy URL'],
    ['that uses SOCKS', 'socks5://host:Vw7rTq2Hn4@proxy:1080', 'SOCKS proxy, which is not supported'],
    ['whose password is not encoded', 'http://host:Vw7rTq2Hn4%ss@proxy:3128', 'Write %25'],
  ])('does not start with a proxy %s', (...[, proxy, advice]) => {
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

  it('takes undefined for an option that was left out', () => {
    expect(
      errorOf({
        ...good,
        keyLifetime: undefined,
        rateLimit: undefined,
        cache: undefined,
        upstream: undefined,
        logger: false,
        actions: undefined,
        allowedOrigins: undefined,
        endpoint: undefined,
        strictRls: undefined,
        now: undefined,
      }),
    ).toBeUndefined();
  });
});

const codesOf = (options: Partial<VitrineOptions<Request>>) => {
  const logger = recordLog();
  createFetchHandler({ ...good, ...options, logger });
  return logger.lines.map(({ level, fields }) => [level, fields['code'], fields['see']]);
};
const warning = (code: string) => [
  'warn',
  code,
  'https://github.com/vitrine-embed/vitrine/blob/main/docs/guides/key-endpoint.md#warnings',
];

describe('a setup that works and looks odd', () => {
  it('is silent when all is well', () => {
    expect(codesOf({})).toEqual([]);
    expect(codesOf({ keyLifetime: '30m' })).toEqual([]);
    expect(codesOf({ keyLifetime: '1 hour' })).toEqual([]);
  });

  it('warns when no limit holds a viewer back', () => {
    expect(codesOf({ rateLimit: false })).toEqual([warning('rate_limit_off')]);
    expect(codesOf({ rateLimit: { perViewer: false } })).toEqual([warning('rate_limit_off')]);
  });

  it('warns about a secret that is easy to guess', () => {
    expect(codesOf({ portal: { ...portal, passPhrase: 'newpass' } })).toEqual([warning('short_secret')]);
    expect(codesOf({ portal: { ...portal, passPhrase: 'newpass8' } })).toEqual([]);
    expect(codesOf({ portal: { ...portal, apiKey: [portal.apiKey, 'old-key'] } })).toEqual([
      warning('short_secret'),
    ]);
  });

  it('warns about key lifetimes outside of 30 to 60 minutes', () => {
    expect(codesOf({ keyLifetime: '29m' })).toEqual([warning('key_lifetime_unusual')]);
    expect(codesOf({ keyLifetime: '8h' })).toEqual([warning('key_lifetime_unusual')]);
  });

  it('warns when address and name seem to belong to two tenants', () => {
    expect(codesOf({ portal: { ...portal, tenancyName: 'globex' } })).toEqual([
      warning('tenancy_name_differs'),
    ]);
  });
});

describe('the logger', () => {
  it('may be pino', () => {
    const lines: string[] = [];
    createFetchHandler({
      ...good,
      rateLimit: false,
      logger: pino({ level: 'warn' }, { write: (line) => void lines.push(line) }),
    });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 40,
      code: 'rate_limit_off',
      msg: expect.stringContaining('limit'),
    });
  });

  it('may be the console, which it also is when none is named', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const info = vi.spyOn(console, 'info').mockImplementation(() => undefined);
    createFetchHandler({ ...good, rateLimit: false, logger: console });
    const { logger: _, ...silent } = good;
    createFetchHandler({ ...silent, rateLimit: false });
    // Only the console that was handed in is told of the start.
    expect(info).toHaveBeenCalledTimes(1);
    expect(warn).toHaveBeenCalledTimes(2);
  });
});

it('takes the module @opentelemetry/api as it is', () => {
  expect(() => createFetchHandler({ ...good, openTelemetry })).not.toThrow();
});
