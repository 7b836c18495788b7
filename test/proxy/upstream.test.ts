import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createPortalClient, type PortalClientOptions, PortalError } from '@vitrine/portal-client';
import { Agent, EnvHttpProxyAgent } from 'undici';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startConnectProxy } from '../support/connectProxy.ts';
import { findCanary } from '../support/findCanary.ts';
import { listenOn } from '../support/listenOn.ts';
import { connectionTo, startStandInPortal } from '../support/standInPortal.ts';
import { certificateKeyPath, certificatePath, startTlsPortal, trust } from '../support/tlsPortal.ts';

const clientCertificate = {
  cert: readFileSync(certificatePath('client')),
  key: readFileSync(certificateKeyPath),
};

const proxyCertificate = { ...clientCertificate, cert: readFileSync(certificatePath('self-signed')) };

const clientOf = (apiBaseUrl: string, options: PortalClientOptions = {}) => {
  const client = createPortalClient({
    embedding: connectionTo(apiBaseUrl),
    maxRetries: 0,
    env: {},
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
};

const request = { userId: 'north.manager@acme.example', itemId: 1042, lifetimeMs: 45 * 60_000 };
const create = (apiBaseUrl: string, options?: PortalClientOptions) =>
  clientOf(apiBaseUrl, options).embeddedKeys.create(request);

const failureOf = async (promise: Promise<unknown>): Promise<PortalError> => {
  const error = await promise.then(
    () => new Error('it succeeded'),
    (rejection: unknown) => rejection,
  );
  expect(error).toBeInstanceOf(PortalError);
  // Checked on the line above.
  return error as PortalError;
};

describe('a proxy between the host and the portal', () => {
  it.each([
    ['HTTPS_PROXY', (url: string) => ({ HTTPS_PROXY: url })],
    [
      'https_proxy, which takes precedence over HTTPS_PROXY',
      (url: string) => ({ https_proxy: url, HTTPS_PROXY: 'http://127.0.0.1:9' }),
    ],
    ['HTTP_PROXY where HTTPS_PROXY is not set', (url: string) => ({ HTTP_PROXY: url })],
    ['a proxy URL without a scheme', (url: string) => ({ HTTPS_PROXY: new URL(url).host })],
    [
      'a NO_PROXY that names other hosts',
      (url: string) => ({ HTTPS_PROXY: url, NO_PROXY: 'example.com, local' }),
    ],
  ])('is used with %s, and sees neither secrets nor the key', async (_title, envOf) => {
    const portal = await startTlsPortal('portal');
    trust('authority');
    const proxy = await startConnectProxy();
    const client = clientOf(portal.url, { env: envOf(proxy.url) });
    const created = await client.embeddedKeys.create(request);
    expect(created).toMatchObject({ key: 'key-over-tls', stats: { proxy: proxy.url } });
    expect(proxy.requests).toEqual([`CONNECT ${new URL(portal.url).host}`]);
    const { apiKey, passPhrase } = connectionTo('');
    expect(findCanary(proxy.seen(), apiKey, passPhrase, 'key-over-tls')).toBeUndefined();
  });

  it.each(['localhost', '*', 'example.com,LOCALHOST', '.localhost', 'localhost:<port>'])(
    'is bypassed with NO_PROXY "%s"',
    async (none) => {
      const portal = await startTlsPortal('portal');
      trust('authority');
      const proxy = await startConnectProxy();
      const NO_PROXY = none.replace('<port>', new URL(portal.url).port);
      const env = { HTTPS_PROXY: proxy.url, NO_PROXY };
      const created = await create(portal.url, { env });
      expect(created.stats.proxy).toBeUndefined();
      expect(proxy.requests).toEqual([]);
    },
  );

  it('receives the credentials of its URL, which no message shows', async () => {
    const portal = await startTlsPortal('portal');
    trust('authority');
    const proxy = await startConnectProxy({ credentials: 'host:proxy-password-Hn4' });
    const HTTPS_PROXY = proxy.url.replace('//', '//host:proxy-password-Hn4@');
    const client = clientOf(portal.url, { env: { HTTPS_PROXY } });
    expect(await client.embeddedKeys.create(request)).toMatchObject({ key: 'key-over-tls' });
    const wrong = await failureOf(
      create(portal.url, { env: { HTTPS_PROXY: HTTPS_PROXY.replace('Hn4', 'Hn5') } }),
    );
    expect(wrong).toMatchObject({ kind: 'network', code: 'PROXY_407' });
    expect(wrong.hint).toContain(`The proxy ${proxy.url} requires a user name and password`);
    expect(JSON.stringify(wrong) + wrong.stack).not.toContain('proxy-password');
  });

  it('is named in the hint when it rejects the portal, and when it is down', async () => {
    const portal = await startTlsPortal('portal');
    trust('authority');
    const strict = await startConnectProxy({ status: 403 });
    const refused = await failureOf(create(portal.url, { env: { HTTPS_PROXY: strict.url } }));
    expect(refused).toMatchObject({ kind: 'network', code: 'PROXY_403' });
    expect(refused.hint).toContain(`${strict.url} does not connect to the host of apiBaseUrl`);
    await strict.close();
    const gone = await failureOf(create(portal.url, { env: { HTTPS_PROXY: strict.url } }));
    expect(gone).toMatchObject({ kind: 'network', code: 'ECONNREFUSED' });
    expect(gone.hint).toContain(`go through the proxy ${strict.url}`);
  });

  it('that does not answer CONNECT delays a call only up to the connect timeout, and does not delay close()', async () => {
    const portal = await startTlsPortal('portal');
    trust('authority');
    let isHung = true;
    const proxy = await startConnectProxy({ isHung: () => isHung });
    const client = clientOf(portal.url, {
      env: { HTTPS_PROXY: proxy.url },
      concurrency: 1,
    });
    const late = await failureOf(client.embeddedKeys.create(request));
    expect(late).toMatchObject({ kind: 'timeout', code: 'attempt_timeout' });
    expect(late.hint).toContain(`go through the proxy ${proxy.url}`);
    isHung = false;
    expect(await client.embeddedKeys.create(request)).toMatchObject({ key: 'key-over-tls' });
    isHung = true;
    const other = clientOf(portal.url, {
      env: { HTTPS_PROXY: proxy.url },
      timeoutMs: 50,
    });
    expect(await failureOf(other.embeddedKeys.create(request))).toMatchObject({ kind: 'timeout' });
    await other.close();
  });

  it('is named when it responds with something other than HTTP', async () => {
    const portal = await startTlsPortal('portal');
    trust('authority');
    const proxy = createServer((socket) =>
      socket.on('error', () => undefined).end('SSH-2.0-OpenSSH_9.2\r\n'),
    );
    const url = await listenOn(proxy);
    onTestFinished(() => void proxy.close());
    const { hint } = await failureOf(create(portal.url, { env: { HTTPS_PROXY: url } }));
    expect(hint).toContain(url);
  });

  it('receives no plain-text request for a local portal', async () => {
    const portal = await startStandInPortal();
    onTestFinished(() => portal.close());
    const proxy = await startConnectProxy();
    const created = await create(portal.url, { env: { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url } });
    expect(created.stats.proxy).toBeUndefined();
    expect(proxy.requests).toEqual([]);
    expect(portal.calls).toHaveLength(1);
  });

  it('must be a URL, which the error does not repeat', () => {
    const env = { HTTPS_PROXY: 'host:proxy-password-Hn4@proxy:3128:/' };
    expect(() => clientOf('https://api.portal.example', { env })).toThrow(
      /HTTPS_PROXY is not the URL of an HTTP proxy/,
    );
    expect(() => clientOf('https://api.portal.example', { env })).not.toThrow(/proxy-password/);
  });

  it('is also used for the administration API', async () => {
    const portal = await startTlsPortal('portal');
    trust('authority');
    const proxy = await startConnectProxy();
    vi.stubEnv('HTTPS_PROXY', proxy.url);
    onTestFinished(() => void vi.unstubAllEnvs());
    const client = createPortalClient({
      baseUrl: portal.url,
      apiKey: 'test-api-key-0123456789',
    });
    onTestFinished(() => client.close());
    await failureOf(client.users.get(7));
    expect(proxy.requests).toEqual([`CONNECT ${new URL(portal.url).host}`]);
    expect(portal.calls()).toBe(1);
  });
});

describe('TLS', () => {
  it.each([
    ['directly', false],
    ['through a proxy', true],
  ])('is verified %s, whatever NODE_TLS_REJECT_UNAUTHORIZED is', async (_title, isProxied) => {
    const portal = await startTlsPortal('self-signed');
    const proxy = await startConnectProxy();
    const env = isProxied ? { HTTPS_PROXY: proxy.url } : {};
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    onTestFinished(() => void vi.restoreAllMocks());
    // Control: with this variable, Node itself accepts the certificate.
    const trusting = new Agent();
    onTestFinished(() => trusting.close());
    const { statusCode, body } = await trusting.request({ origin: portal.url, path: '/', method: 'GET' });
    await body.dump();
    expect([statusCode, portal.calls()]).toEqual([200, 1]);

    const error = await failureOf(create(portal.url, { env }));
    expect(error).toMatchObject({ kind: 'network', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    const client = createPortalClient({
      baseUrl: portal.url,
      apiKey: 'test-api-key-0123456789',
      maxRetries: 0,
    });
    onTestFinished(() => client.close());
    expect(await failureOf(client.users.get(7))).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(portal.calls()).toBe(1);
    expect(proxy.requests).toHaveLength(isProxied ? 1 : 0);
  });

  it('is also verified for an https proxy', async () => {
    const portal = await startTlsPortal('portal');
    trust('authority');
    const proxy = await startConnectProxy({ tls: proxyCertificate });
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    onTestFinished(() => void vi.restoreAllMocks());
    const env = { HTTPS_PROXY: proxy.url };
    const refused = await failureOf(create(portal.url, { env }));
    expect(refused).toMatchObject({ kind: 'network', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(refused.hint).toMatch(/is not trusted.* through the proxy https:\/\/localhost/);
    expect(proxy.requests).toEqual([]);
    trust('authority', 'self-signed');
    expect(await create(portal.url, { env })).toMatchObject({ key: 'key-over-tls' });
  });

  it.each([
    ['belongs to another host', 'portal', '127.0.0.1', /belongs to another host.* through the proxy/],
    ['is not a server certificate', 'client', 'localhost', /is not trusted.* through the proxy/],
    ['is missing, because the proxy is not using TLS', undefined, 'localhost', /is not using TLS/],
  ] as const)('names the proxy when its certificate %s', async (...[, certificate, hostname, advice]) => {
    const portal = await startTlsPortal('portal');
    trust('authority', 'client');
    const tls = certificate && { ...clientCertificate, cert: readFileSync(certificatePath(certificate)) };
    const proxy = await startConnectProxy(tls && { tls });
    const HTTPS_PROXY = `https://${hostname}:${new URL(proxy.url).port}`;
    const { hint } = await failureOf(create(portal.url, { env: { HTTPS_PROXY } }));
    expect(hint).toMatch(advice);
    expect(hint).toContain(HTTPS_PROXY);
  });

  it.each([
    ['directly', false],
    ['through a proxy', true],
  ])(
    'sends the client certificate of a dispatcher to a portal that requests one, %s',
    async (_title, isProxied) => {
      const portal = await startTlsPortal('portal', undefined, 'client');
      trust('authority');
      const proxy = await startConnectProxy();
      const env = isProxied ? { HTTPS_PROXY: proxy.url } : {};
      const without = await failureOf(create(portal.url, { env }));
      expect(without.kind).toBe('network');
      expect(without.hint).toContain('client certificate');
      expect(portal.calls()).toBe(0);
      const httpsProxy = isProxied ? proxy.url : '';
      const dispatcher = new EnvHttpProxyAgent({
        connect: clientCertificate,
        requestTls: clientCertificate,
        httpProxy: '',
        httpsProxy,
      });
      onTestFinished(() => dispatcher.close());
      expect(await create(portal.url, { dispatcher })).toMatchObject({ key: 'key-over-tls' });
    },
  );
});

describe('a dispatcher from the host', () => {
  it('sends the calls, and stays open when the client is closed', async () => {
    const portal = await startTlsPortal('portal');
    trust('authority');
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.close());
    const client = createPortalClient({ embedding: connectionTo(portal.url), dispatcher });
    expect(await client.embeddedKeys.create(request)).toMatchObject({ key: 'key-over-tls' });
    await client.close();
    expect(dispatcher.closed).toBe(false);
  });

  it('must be a dispatcher', () => {
    expect(() => clientOf('https://api.portal.example', { dispatcher: {} as never })).toThrow(
      'no dispatch()',
    );
  });
});
