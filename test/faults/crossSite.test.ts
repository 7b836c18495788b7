import { vitrine } from '@vitrine/express';
import express, { type RequestHandler } from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveUntilEnd } from '../support/serveUntilEnd.ts';
import { connectionTo, startStandInPortal } from '../support/standInPortal.ts';
import { runCrossSiteScenario } from './scenarios/crossSite.ts';

const isSignedIn = (cookie: string | undefined) => cookie === 'session=north';

/** Our endpoint, behind other middleware of a host. */
const ours = async (...before: readonly RequestHandler[]) => {
  const portal = await startStandInPortal();
  onTestFinished(() => portal.close());
  const mount = vitrine({
    portal: connectionTo(portal.url),
    viewer: (request) => isSignedIn(request.headers.cookie) && { userId: 'north.manager@acme.example' },
    canView: () => true,
    rateLimit: false,
    logger: false,
    actions: {
      open: async () => ({ status: 200, headers: {}, body: null }),
    },
  });
  onTestFinished(() => mount.close());
  const app = express();
  for (const handler of before) app.use(handler);
  const url = await serveUntilEnd(app.use('/api/embed', mount));
  return { url, calls: () => portal.calls.length };
};

/** A hand-written endpoint, which issues a key to any signed-in viewer who passes its check. */
const byHand = (check: RequestHandler, ...before: readonly RequestHandler[]) => {
  const app = express();
  for (const handler of before) app.use(handler);
  return serveUntilEnd(
    app.all('/api/embed/keys', check, (request, response) => {
      response.status(isSignedIn(request.headers.cookie) ? 200 : 401).json({ key: 'a key' });
    }),
  );
};

/** A host that allows every preflight, like `cors({ origin: true, credentials: true })` on all routes. */
const grantEverything: RequestHandler = (request, response, next) => {
  response.set({
    'access-control-allow-origin': request.headers.origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-headers': 'content-type, x-vitrine-request',
  });
  if (request.method === 'OPTIONS') response.status(204).end();
  else next();
};

const refuseUnless =
  (isFine: (headers: Readonly<Record<string, unknown>>) => boolean): RequestHandler =>
  (request, response, next) => {
    if (isFine(request.headers)) next();
    else response.status(403).end();
  };

const isMarked = (headers: Readonly<Record<string, unknown>>) => headers['x-vitrine-request'] === '1';

describe('a page of another site', () => {
  it('gets no key and no stream with any request from the browser of a signed-in viewer', async () => {
    const host = await ours();
    const { sent, served } = await runCrossSiteScenario(host.url);
    expect(served).toEqual([]);
    expect(sent).toBeGreaterThan(40);
    // The one call is from the host's own page.
    expect(host.calls()).toBe(1);
  });

  it('gets no key even if the host allows every preflight', async () => {
    const host = await ours(grantEverything);
    expect((await runCrossSiteScenario(host.url)).served).toEqual([]);
    expect(host.calls()).toBe(1);
  });

  it('control: gets keys of an endpoint that checks only the cookie', async () => {
    const { served } = await runCrossSiteScenario(await byHand((_request, _response, next) => next()));
    expect(served).toContain('text/plain from another site');
    expect(served).toContain('a form without an origin');
    expect(served).toContain('GET from a sandbox');
  });

  it('control: gets keys of an endpoint that trusts the marker header if the host allows every preflight', async () => {
    const url = await byHand(refuseUnless(isMarked), grantEverything);
    const { served } = await runCrossSiteScenario(url);
    expect(served).toContain('JSON from another site');
    expect(served).not.toContain('text/plain from another site');
  });

  it('control: gets keys of an endpoint that compares only the beginning of the origin', async () => {
    const begins = refuseUnless(
      (headers) =>
        isMarked(headers) && String(headers['origin']).startsWith(`http://${String(headers['host'])}`),
    );
    const { served } = await runCrossSiteScenario(await byHand(begins, grantEverything));
    expect(served).toEqual([
      'JSON from another site with our name in its own',
      'JSON from another site with our name in its own, older browser',
    ]);
  });
});
