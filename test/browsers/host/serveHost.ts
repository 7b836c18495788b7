import { createServer } from 'node:http';
import type { PortalTenant } from '@vitrine/portal';
import { frameSources } from '@vitrine/server';
import express, { type RequestHandler } from 'express';
import { createActions } from '../../../examples/demo/backend/createActions.ts';
import { createHost } from '../../../examples/demo/backend/createHost.ts';
import { buildPage } from '../../support/buildPage.ts';
import { closeServer, listen } from '../../support/standInPortal.ts';
import { renderServerPage } from './renderServerPage.tsx';
import { servePortal } from './servePortal.ts';

/** A host app in front of a portal. */
export type Host = Awaited<ReturnType<typeof serveHost>>;

/** Lifetime of a key, by the clocks of portal and page. */
export const keyLifetimeMs = 600_000;

/**
 * When a key is renewed: after its due time, and early enough for a slow machine to load the next frame, but in its last
 * minute, when a report does not wait for a viewer who uses it.
 */
export const renewalDueMs = keyLifetimeMs * 0.87;

/** What a strict page allows besides the report: its own files and requests, and pictures of a third party. */
const strictPolicy = (third: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src ${third}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');

/**
 * The policy in the README; `?policy=blocked` omits the tenant, `?policy=isolated` also isolates the page, and
 * `?policy=strict&third=` allows nothing else.
 */
const setPolicy =
  (tenant: PortalTenant): RequestHandler<object, unknown, unknown, Partial<Record<string, string>>> =>
  ({ query }, response, next) => {
    const sources = query['policy'] === 'blocked' ? "'none'" : frameSources(tenant).join(' ');
    const isStrict = query['policy'] === 'strict';
    const others = isStrict ? strictPolicy(query['third'] ?? "'none'") : "default-src 'self'";
    response.set('content-security-policy', `${others}; frame-src ${sources}`);
    // The most permissive referrer policy: others receive the complete URL.
    if (isStrict) response.set('referrer-policy', 'unsafe-url');
    if (query['policy'] === 'isolated')
      response.set({
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
      });
    next();
  };

/** Builds and serves the pages of this folder, in front of the demo's backend. */
export const serveHost = async (keyLifetime = keyLifetimeMs) => {
  const [served, page] = await Promise.all([servePortal(), buildPage({ root: import.meta.dirname })]);
  const { portal } = served;
  const [tenant] = portal.tenants;
  if (tenant === undefined) throw new Error('The portal has no tenant.');
  const actions = await createActions(tenant);
  const backend = createHost(portal, { keyLifetime, actions, logger: false });

  const app = express();
  app.use('/api/embed/keys', (request, response, next) => {
    if (host.isIdle && request.get('x-vitrine-request') === 'automatic')
      response.status(401).type('application/problem+json').send('{"status":401,"code":"signed_out"}');
    else if (host.isProxyDown) response.status(502).type('html').send('<h1>Bad Gateway</h1>');
    else next();
  });
  app.use(backend.app);
  app.use(setPolicy(tenant));
  app.get('/elsewhere', (_request, response) => void response.type('html').send('<title>Elsewhere</title>'));
  app.get('/server-rendered', async (request, response) => {
    const cookie = request.get('cookie') ?? '';
    response.set('cache-control', 'no-store').type('html');
    response.send(await renderServerPage(page.html, { url: host.url, cookie }));
  });
  app.use(page.handler);
  const server = createServer(app);
  const url = (await listen(server)).replace('127.0.0.1', 'localhost');
  await portal.setActionTarget(tenant.tenancyName, `${url}/api/embed/webhook`);

  const host = {
    url,
    portal,
    /** The same portal with a proxy in front. */
    served,
    /** Whether a proxy in front of the backend answers key requests with 502. */
    isProxyDown: false,
    /** Whether the session has been idle for too long, as the guide's middleware says it to an automatic request. */
    isIdle: false,
    close: async (): Promise<void> => {
      await closeServer(server);
      await backend.close();
      await actions.close();
      await served.close();
    },
  };
  return host;
};
