import { get } from 'node:http';
import { networkInterfaces } from 'node:os';
import { createPortal, type Portal } from '@vitrine/portal';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mintKey } from './mint.ts';
import { askTenant } from './onTenant.ts';

const startOn = async (host: string): Promise<Portal> => {
  const portal = await createPortal({ host });
  onTestFinished(() => portal.close());
  return portal;
};
const post = async (url: string, path: string, headers: Record<string, string>): Promise<number> =>
  (await fetch(`${url}${path}`, { method: 'POST', headers })).status;

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((one) => one?.address === '::1');

/** macOS has one IPv4 loopback address, other systems have sixteen million. */
const hasManyLoopbacks = process.platform !== 'darwin';

describe('the URL of a portal', () => {
  const hosts: readonly (readonly [host: string, url: RegExp])[] = [
    ['127.0.0.1', /^http:\/\/127\.0\.0\.1:\d+$/],
    ['0.0.0.0', /^http:\/\/127\.0\.0\.1:\d+$/],
  ];
  const loopbacks: typeof hosts = [['127.0.0.2', /^http:\/\/127\.0\.0\.2:\d+$/]];
  const ipv6Hosts: typeof hosts = [
    ['::1', /^http:\/\/\[::1\]:\d+$/],
    ['::', /^http:\/\/\[::1\]:\d+$/],
  ];
  it.each([...hosts, ...(hasManyLoopbacks ? loopbacks : []), ...(hasIpv6 ? ipv6Hosts : [])])(
    'responds when it is bound to %s',
    async (host, url) => {
      const portal = await startOn(host);
      expect(portal.url).toMatch(url);
      expect(portal.tenants.map(({ apiBaseUrl }) => apiBaseUrl)).toEqual([portal.url, portal.url]);
      expect((await fetch(`${portal.url}/_control/clock`)).status).toBe(200);
    },
  );

  it.skipIf(!hasIpv6)('is the only origin that the control interface accepts', async () => {
    for (const host of ['127.0.0.1', '::1', '0.0.0.0']) {
      const { url } = await startOn(host);
      expect(await post(url, '/_control/reset', { origin: url })).toBe(204);
      for (const origin of ['null', 'http://127.0.0.9', `${url}0`, url.replace('http', 'https')])
        expect(await post(url, '/_control/reset', { origin })).toBe(403);
    }
  });

  it.skipIf(!hasManyLoopbacks)(
    "may be the machine's address on its network when the portal binds to every address",
    async () => {
      const portal = await startOn('0.0.0.0');
      const elsewhere = portal.url.replace('127.0.0.1', '127.0.0.3');
      expect(await post(elsewhere, '/_control/reset', { origin: elsewhere })).toBe(204);
      expect(await post(elsewhere, '/_control/reset', { origin: portal.url })).toBe(403);
    },
  );
});

/** Sends a request without default headers. */
const encodingOf = (url: string, acceptEncoding: string | undefined): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    get(
      url,
      { headers: acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding } },
      (response) => {
        response.resume();
        resolve(response.headers['content-encoding']);
      },
    ).on('error', reject);
  });

describe('static files and report pages of a portal', () => {
  const cases: readonly (readonly [
    acceptEncoding: string | undefined,
    contentEncoding: string | undefined,
  ])[] = [
    [undefined, undefined],
    ['', undefined],
    ['gzip, deflate, br, zstd', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['*', 'gzip'],
    ['gzip;q=0', undefined],
    ['gzip ; Q=0.000', undefined],
    ['br, *;q=0', undefined],
    ['gzip;q=0, *', undefined],
    ['br', undefined],
    ['not-gzip, gzip-not', undefined],
    ['identity;q=0, gzip;q=0.1', 'gzip'],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip', 'gzip'],
    [',,gzip;q=1.000,', 'gzip'],
  ];

  it.each(cases)('use the requested encoding: %j', async (acceptEncoding, contentEncoding) => {
    const portal = await startOn('127.0.0.1');
    const [, asset = ''] =
      /href="(\/_assets\/[^"]+\.css)"/.exec(await (await fetch(portal.url)).text()) ?? [];
    expect(await encodingOf(`${portal.url}${asset}`, acceptEncoding)).toBe(contentEncoding);
    const [tenant] = portal.tenants;
    if (tenant === undefined) throw new Error('The default seed has two tenants.');
    const key = await mintKey({ tenant, itemId: 1043 });
    const page = await askTenant(tenant.tenantUrl, `/report/1043?ev=${encodeURIComponent(key)}`, {
      headers: acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding },
    });
    expect(page.headers['content-encoding']).toBe(contentEncoding);
  });
});
