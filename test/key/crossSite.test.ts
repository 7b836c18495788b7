import { vitrine } from '@vitrine/express';
import express, { type RequestHandler } from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveUntilEnd } from '../support/serveUntilEnd.ts';
import { connectionTo, startStandInPortal } from '../support/standInPortal.ts';

/** What a page of another site obtained from a host where its visitor is signed in. */
interface CrossSiteFindings {
  readonly sent: number;
  /** Requests that the host answered as if its own page had sent them. */
  readonly served: readonly string[];
}

interface ForeignRequest {
  readonly name: string;
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The headers that browsers send for a page of another site: current browsers, a sandboxed frame, older browsers, and
 * old ones with a form.
 */
const originsOf = (host: string): Readonly<Record<string, Record<string, string>>> => ({
  'another site': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  'another site with our name in its own': {
    origin: `http://${host}.evil.example`,
    'sec-fetch-site': 'cross-site',
  },
  'another host of our site': { origin: 'https://blog.app.example', 'sec-fetch-site': 'same-site' },
  'a sandbox': { origin: 'null', 'sec-fetch-site': 'cross-site' },
  'another site, older browser': { origin: 'https://evil.example' },
  'another site with our name in its own, older browser': { origin: `http://${host}.evil.example` },
  'a sandbox, older browser': { origin: 'null' },
});

/** What forms and `fetch` can send without a preflight. */
const simpleTypes = [
  'text/plain',
  'text/plain; charset=application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
] as const;

const marked = { 'content-type': 'application/json', 'x-vitrine-request': '1' };
const keys = '/api/embed/keys';

const requestsOf = (host: string): readonly ForeignRequest[] => {
  const requests: ForeignRequest[] = [];
  for (const [from, origin] of Object.entries(originsOf(host))) {
    for (const type of simpleTypes)
      requests.push({
        name: `${type} from ${from}`,
        path: keys,
        method: 'POST',
        headers: { ...origin, 'content-type': type },
      });
    requests.push({
      name: `JSON from ${from}`,
      path: keys,
      method: 'POST',
      headers: { ...origin, ...marked },
    });
    requests.push({ name: `GET from ${from}`, path: `${keys}?itemId=1042`, method: 'GET', headers: origin });
    requests.push({
      name: `a stream from ${from}`,
      path: '/api/embed/actions',
      method: 'GET',
      headers: origin,
    });
  }
  // Old browsers send no origin with a form, and no browser sends one with an image.
  requests.push({
    name: 'a form without an origin',
    path: keys,
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
  });
  requests.push({
    name: 'a picture without an origin',
    path: `${keys}?itemId=1042`,
    method: 'GET',
    headers: {},
  });
  return requests;
};

const cookie = 'session=north';
const body = JSON.stringify({ itemId: 1042 });

/** Whether a browser would send a request with custom headers: only if the host allows it (CORS). */
const isGranted = async (url: string, { path, method, headers }: ForeignRequest): Promise<boolean> => {
  const answer = await fetch(`${url}${path}`, {
    method: 'OPTIONS',
    headers: {
      origin: headers['origin'] ?? 'null',
      'access-control-request-method': method,
      'access-control-request-headers': 'content-type,x-vitrine-request',
    },
  });
  await answer.arrayBuffer();
  const grants = (answer.headers.get('access-control-allow-headers') ?? '').toLowerCase();
  return (
    answer.ok &&
    answer.headers.get('access-control-allow-origin') === headers['origin'] &&
    answer.headers.get('access-control-allow-credentials') === 'true' &&
    grants.includes('x-vitrine-request')
  );
};

const statusOf = async (
  url: string,
  { path, method, headers }: Omit<ForeignRequest, 'name'>,
): Promise<number> => {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, cookie },
    ...(method === 'POST' && { body }),
  });
  await answer.arrayBuffer();
  return answer.status;
};

/** Sends every request that a page of another site can cause in the browser of a signed-in viewer. */
const runCrossSiteScenario = async (url: string): Promise<CrossSiteFindings> => {
  const served: string[] = [];
  let sent = 0;
  const own = { origin: url, 'sec-fetch-site': 'same-origin', ...marked };
  if ((await statusOf(url, { path: keys, method: 'POST', headers: own })) !== 200)
    throw new Error('The host serves not even its own page, so nothing can be learned from it.');
  for (const request of requestsOf(new URL(url).host)) {
    if (request.headers['x-vitrine-request'] !== undefined && !(await isGranted(url, request))) continue;
    sent += 1;
    if ((await statusOf(url, request)) === 200) served.push(request.name);
  }
  return { sent, served };
};

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
