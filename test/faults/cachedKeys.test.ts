import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createNodeHandler } from '@vitrine/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startCachingProxy } from '../support/cachingProxy.ts';
import { createRandom } from '../support/createRandom.ts';
import { listenOn } from '../support/listenOn.ts';
import { seed } from '../support/seed.ts';
import { closeServer, connectionTo, envelopeOf, startStandInPortal } from '../support/standInPortal.ts';

/** What viewers received through a cache. */
interface Findings {
  readonly given: number;
  /** Keys that were created for another viewer. */
  readonly foreign: number;
  /** Keys for viewers who are signed out or have lost access. */
  readonly withdrawn: number;
  /** Rejections of viewers with access. */
  readonly refused: number;
  /** Responses from the cache without the host. */
  readonly hits: number;
}

const people = ['north', 'south', 'east'] as const;
const items = [1042, 1043] as const;

/** How a sign-in is sent; a cache knows cookies and `Authorization`, but no custom header. */
type SignIn = 'cookie' | 'authorization' | 'x-session';

/**
 * Several viewers request the same reports through a cache, while they sign out and in and lose and regain access. Each
 * key states its viewer and its report.
 */
const askThroughCache = async (
  signIn: SignIn,
  breakHandler: (listener: RequestListener) => RequestListener = (listener) => listener,
): Promise<Findings> => {
  const random = createRandom(seed);
  const portal = await startStandInPortal();
  onTestFinished(() => portal.close());
  portal.answer = ({ body }) => {
    const { userId, reportId } = JSON.parse(body).value;
    return { body: envelopeOf(`${userId}/${reportId}`) };
  };
  const signedOut = new Set<string>();
  const closed = new Set<string>();
  const handler = createNodeHandler({
    portal: connectionTo(portal.url),
    viewer: (request: IncomingMessage) => {
      const name = String(request.headers[signIn] ?? '');
      return name !== '' && !signedOut.has(name) && { userId: name };
    },
    canView: ({ userId }, itemId) => !closed.has(`${userId}/${itemId}`),
    rateLimit: false,
    logger: false,
  });
  const server = createServer(breakHandler(handler));
  const proxy = await startCachingProxy(await listenOn(server), { now: () => 1_700_000_000_000 });
  onTestFinished(async () => {
    await closeServer(server);
    await handler.close();
  });
  let [given, foreign, withdrawn, refused] = [0, 0, 0, 0];
  for (let asked = 0; asked < 120; asked += 1) {
    const [name, itemId] = [random.pick(people), random.pick(items)];
    const change = random.pick([signedOut, closed]);
    const whom = change === closed ? `${name}/${itemId}` : name;
    if (random.below(4) === 0 && !change.delete(whom)) change.add(whom);
    const may = !signedOut.has(name) && !closed.has(`${name}/${itemId}`);
    const response = await fetch(`${proxy.url}/api/embed/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-vitrine-request': '1', [signIn]: name },
      body: JSON.stringify({ itemId }),
    });
    const { key } = (await response.json()) as { key?: string }; // of a key or of a problem document
    if (key === undefined) refused += Number(may);
    else if (key !== `${name}/${itemId}`) foreign += 1;
    else if (may) given += 1;
    else withdrawn += 1;
  }
  return { given, foreign, withdrawn, refused, hits: proxy.hits() };
};

/** Removes headers from every response, as the host's own middleware might. */
const without =
  (...names: readonly string[]) =>
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const writeHead = response.writeHead.bind(response);
    response.writeHead = (status: number) => {
      for (const name of names) response.removeHeader(name);
      return writeHead(status);
    };
    listener(request, response);
  };

describe('a caching proxy in front of the key endpoint', () => {
  it.each(['cookie', 'authorization', 'x-session'] as const)(
    'never returns the key of another viewer or of a signed-out viewer (signed in by %s)',
    async (signIn) => {
      const findings = await askThroughCache(signIn);
      expect(findings).toEqual({ given: expect.any(Number), foreign: 0, withdrawn: 0, refused: 0, hits: 0 });
      expect(findings.given).toBeGreaterThan(20);
    },
  );

  it('control: returns the key of one viewer to another without no-store and Vary', async () => {
    expect((await askThroughCache('cookie', without('cache-control', 'vary'))).foreign).toBeGreaterThan(0);
  });

  it('control: returns keys to signed-out viewers without no-store, and to all if Vary cannot name the sign-in', async () => {
    expect(await askThroughCache('cookie', without('cache-control'))).toMatchObject({
      foreign: 0,
      withdrawn: expect.toSatisfy((count: number) => count > 0),
    });
    expect((await askThroughCache('x-session', without('cache-control'))).foreign).toBeGreaterThan(0);
  });
});
