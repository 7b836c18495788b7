import { request } from 'node:http';
import { createPortal, type PortalOptions, type PortalTenant } from '@vitrine/portal';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mintKey } from './mint.ts';

const start = async (options: PortalOptions) => {
  const portal = await createPortal(options);
  onTestFinished(() => portal.close());
  return portal;
};

/** Sends a request to the port with a custom Host header, as a browser does that resolved the name. */
const ask = (
  port: number,
  path: string,
  options: { host: string; method?: string; headers?: Record<string, string> },
): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: options.method ?? 'GET',
        headers: { ...options.headers, host: options.host },
      },
      (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      },
    );
    sent.on('error', reject);
    sent.end();
  });

/**
 * A portal with other host names than the address it listens on, as in a container or behind a proxy. Its port is found
 * through `/_control`.
 */
const named = async (options: PortalOptions) => {
  const { createServer } = await import('node:net');
  const port = await new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
  const portal = await start({ ...options, port });
  const [acme] = portal.tenants;
  if (acme === undefined) throw new Error('The default seed has two tenants.');
  return { portal, port, acme };
};

const openReport = async (port: number, acme: PortalTenant, host: string) => {
  const key = await mintKey({ tenant: { ...acme, apiBaseUrl: `http://127.0.0.1:${port}` }, itemId: 1043 });
  return ask(port, `/report/1043?ev=${encodeURIComponent(key)}`, { host });
};

describe('the host names of a portal', () => {
  it('follow --public-url and --tenant-url-template, and reports open on them', async () => {
    const { portal, port, acme } = await named({
      publicUrl: 'http://portal.test:4400',
      tenantUrlTemplate: 'http://{tenant}.portal.test:4400',
    });
    expect(portal.url).toBe('http://portal.test:4400');
    expect(acme).toMatchObject({
      tenantUrl: 'http://acme.portal.test:4400',
      baseUrl: 'http://portal.test:4400',
    });
    expect((await openReport(port, acme, 'acme.portal.test:4400')).body).toContain('Operations board');
    expect((await openReport(port, acme, 'acme.localhost')).body).toContain('Operations board');
    expect((await ask(port, '/v1/users', { host: 'acme.portal.test:4400' })).status).toBe(404);
    expect((await ask(port, '/_control/clock', { host: 'portal.test:4400' })).status).toBe(200);
    expect((await ask(port, '/_control/clock', { host: '127.0.0.1' })).status).toBe(200);
  });

  it('may belong to an HTTPS proxy, with the API on the same domain as the tenants', async () => {
    const { port, acme } = await named({
      publicUrl: 'https://api.portal.test',
      tenantUrlTemplate: 'https://{tenant}.portal.test/',
    });
    expect(acme.tenantUrl).toBe('https://acme.portal.test');
    const host = 'api.portal.test';
    const reset = (origin: string) =>
      ask(port, '/_control/reset', { host, method: 'POST', headers: { origin } });
    expect((await reset('https://api.portal.test')).status).toBe(204);
    expect((await reset('https://acme.portal.test')).status).toBe(403);
  });

  it('are the only ones that the control interface accepts', async () => {
    const { port } = await named({ publicUrl: 'http://portal.test' });
    expect((await ask(port, '/_control/clock', { host: 'rebound.example' })).status).toBe(403);
  });

  it.each([
    ['publicUrl', { publicUrl: 'portal.test' }],
    ['publicUrl', { publicUrl: 'http://portal.test/base' }],
    ['tenantUrlTemplate', { tenantUrlTemplate: 'http://portal.test/{tenant}' }],
    ['tenantUrlTemplate', { tenantUrlTemplate: 'http://portal.test' }],
    ['tenantUrlTemplate', { tenantUrlTemplate: 'ftp://{tenant}.portal.test' }],
  ])('are rejected when %s is not an origin', async (name, options) => {
    await expect(createPortal(options)).rejects.toThrow(name);
  });
});
