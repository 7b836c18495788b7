import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import { createNodeHandler } from '@vitrine/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRandom } from '../support/createRandom.ts';
import { listenOn } from '../support/listenOn.ts';
import { seed } from '../support/seed.ts';
import { closeServer, connectionTo, envelopeOf, startStandInPortal } from '../support/standInPortal.ts';

interface Stored {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly storedAtMs: number;
  readonly freshMs: number;
  /** The request headers in `Vary`, with their values. */
  readonly selected: readonly (readonly [name: string, value: string | undefined])[];
}

/** Options of {@link startCachingProxy}. */
interface CachingProxyOptions {
  readonly now: () => number;
  /** How long a response without cache headers is fresh (RFC 9111 4.2.2). Default: two minutes, as in Varnish. */
  readonly heuristicMs?: number;
}

/** A shared cache in front of a host. */
interface CachingProxy {
  readonly url: string;
  /** Requests answered without the host. */
  readonly hits: () => number;
}

// RFC 9110 15.1.
const heuristicallyCacheable = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501];

const directivesOf = (header: string | undefined): ReadonlyMap<string, string> =>
  new Map(
    (header ?? '').split(',').map((part) => {
      const [name = '', value = ''] = part.trim().split('=');
      return [name.toLowerCase(), value.replaceAll('"', '')];
    }),
  );

/** How long a shared cache may reuse a response; undefined if it must not store it (RFC 9111 3 and 4.2.1). */
const freshnessOf = (
  incoming: IncomingMessage,
  { status, headers }: Pick<Stored, 'status' | 'headers'>,
  { now, heuristicMs = 120_000 }: CachingProxyOptions,
): number | undefined => {
  const said = directivesOf(headers['cache-control']);
  if (said.has('no-store') || said.has('private') || said.has('no-cache')) return undefined;
  if (directivesOf(incoming.headers['cache-control']).has('no-store')) return undefined;
  const isShareable = said.has('public') || said.has('s-maxage') || said.has('must-revalidate');
  if (incoming.headers.authorization !== undefined && !isShareable) return undefined;
  const seconds = said.get('s-maxage') ?? said.get('max-age');
  if (seconds !== undefined) return Number(seconds) * 1000;
  if (headers['expires'] !== undefined) return Date.parse(headers['expires']) - now();
  return said.has('public') || heuristicallyCacheable.includes(status) ? heuristicMs : undefined;
};

const readAll = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const oneOf = (value: string | string[] | undefined): string | undefined =>
  [value].flat().join(', ') || undefined;

/**
 * Starts a shared cache by RFC 9111 (`Cache-Control`, `Expires`, `Vary`, `Authorization`) that caches as much as this
 * allows: it ignores cookies, and it stores responses to POST by their body, which some content networks can be
 * configured to do.
 */
const startCachingProxy = async (target: string, options: CachingProxyOptions): Promise<CachingProxy> => {
  const store = new Map<string, Stored[]>();
  let hits = 0;

  const forward = (
    incoming: IncomingMessage,
    body: Buffer,
  ): Promise<Pick<Stored, 'status' | 'headers' | 'body'>> =>
    new Promise((resolve, reject) => {
      const sent = request(
        `${target}${incoming.url ?? '/'}`,
        { method: incoming.method, headers: incoming.headers, agent: false },
        (answer) => {
          const headers = Object.fromEntries(
            Object.entries(answer.headers).map(([name, value]) => [name, oneOf(value) ?? '']),
          );
          const { connection: _, 'transfer-encoding': __, ...kept } = headers;
          readAll(answer).then(
            (read) => resolve({ status: answer.statusCode ?? 502, headers: kept, body: read }),
            reject,
          );
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });

  const server = createServer((incoming, response) => {
    const answer = async (): Promise<void> => {
      const body = await readAll(incoming);
      const key = `${incoming.method} ${incoming.url} ${body.toString('base64')}`;
      const known = store.get(key) ?? [];
      const fits = ({ selected, storedAtMs, freshMs }: Stored): boolean =>
        options.now() - storedAtMs < freshMs &&
        selected.every(([name, value]) => name !== '*' && oneOf(incoming.headers[name]) === value);
      const stored = known.find(fits);
      if (stored !== undefined) {
        hits += 1;
        const age = String(Math.floor((options.now() - stored.storedAtMs) / 1000));
        response.writeHead(stored.status, { ...stored.headers, age }).end(stored.body);
        return;
      }
      const fresh = await forward(incoming, body);
      const freshMs = freshnessOf(incoming, fresh, options);
      const names = (fresh.headers['vary'] ?? '').split(',').map((name) => name.trim().toLowerCase());
      const selected = names.filter(Boolean).map((name) => [name, oneOf(incoming.headers[name])] as const);
      if (freshMs !== undefined)
        store.set(key, [{ ...fresh, storedAtMs: options.now(), freshMs, selected }, ...known]);
      response.writeHead(fresh.status, fresh.headers).end(fresh.body);
    };
    answer().catch(() => response.destroy());
  });
  onTestFinished(() => closeServer(server));
  return { url: await listenOn(server), hits: () => hits };
};

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
