import { createServer, type IncomingMessage, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { listenOn } from './listenOn.ts';
import { closeServer } from './standInPortal.ts';

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
export interface CachingProxyOptions {
  readonly now: () => number;
  /** How long a response without cache headers is fresh (RFC 9111 4.2.2). Default: two minutes, as in Varnish. */
  readonly heuristicMs?: number;
}

/** A shared cache in front of a host. */
export interface CachingProxy {
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
export const startCachingProxy = async (
  target: string,
  options: CachingProxyOptions,
): Promise<CachingProxy> => {
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
