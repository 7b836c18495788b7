import { type EmbedKeysAnswer, keysPath, maxKeysPerRequest } from '@vitrine/contract';

/** A key that was asked for in this tick. */
interface Waiting {
  readonly itemId: number;
  readonly init: RequestInit;
  readonly resolve: (response: Response | Promise<Response>) => void;
  readonly reject: (reason: unknown) => void;
}

/** Our own requests say `{"itemId":1042}`; any other body is none of ours. */
const readItemId = (body: unknown): number | undefined => {
  const [, itemId] = /^\{"itemId":(\d+)\}$/.exec(String(body)) ?? [];
  return itemId === undefined ? undefined : Number(itemId);
};

const createResponse = (body: object, status: number): Response =>
  new Response(JSON.stringify(body), { status });

const readResults = async (
  response: Response,
  count: number,
): Promise<EmbedKeysAnswer['results'] | undefined> => {
  const { results } = Object(await response.json().catch(() => undefined)) as Partial<EmbedKeysAnswer>;
  return Array.isArray(results) && results.length === count ? results : undefined;
};

/**
 * Creates a `fetch` that requests all keys of one tick in one request, for pages with many different reports:
 * `<EmbedProvider fetch={batchKeys()}>`. Create it once, outside of components. The backend checks, counts and answers each
 * report by itself; a key arrives when the slowest one of its request does. Other requests, and those to a backend that
 * does not know batches, are sent one by one. `send` makes the requests; the page's `fetch` by default.
 */
export const batchKeys = (send: typeof fetch = (input, init) => fetch(input, init)): typeof fetch => {
  const groups = new Map<string, Waiting[]>();
  const withoutBatches = new Set<string>();

  const sendAll = async (url: string, waiting: readonly Waiting[]): Promise<void> => {
    const sendAlone = () => {
      for (const { init, resolve } of waiting) resolve(send(url, init));
    };
    const [first] = waiting;
    if (first === undefined) return;
    if (waiting.length === 1) return sendAlone();
    const everybodyLeft = new AbortController();
    const left = new Set<Waiting>();
    for (const one of waiting) {
      const { signal } = one.init;
      signal?.addEventListener(
        'abort',
        () => {
          one.reject(signal.reason);
          if (left.add(one).size === waiting.length) everybodyLeft.abort();
        },
        { once: true },
      );
    }
    const body = JSON.stringify({ itemIds: waiting.map(({ itemId }) => itemId) });
    const response = await send(url, { ...first.init, body, signal: everybodyLeft.signal });
    // What concerns all of them: nobody is signed in, say.
    if (!response.ok && response.status !== 400) {
      for (const { resolve } of waiting) resolve(response.clone());
      return;
    }
    const results = response.ok ? await readResults(response, waiting.length) : undefined;
    if (results === undefined) {
      withoutBatches.add(url);
      return sendAlone();
    }
    results.forEach(({ key, problem }, index) =>
      waiting[index]?.resolve(key ? createResponse(key, 200) : createResponse(problem, problem.status)),
    );
  };

  const flush = (url: string, group: string): void => {
    const waiting = (groups.get(group) ?? []).filter(({ init: { signal }, reject }) => {
      if (signal?.aborted) reject(signal.reason);
      return !signal?.aborted;
    });
    groups.delete(group);
    for (let start = 0; start < waiting.length; start += maxKeysPerRequest) {
      const part = waiting.slice(start, start + maxKeysPerRequest);
      sendAll(url, part).catch((cause: unknown) => {
        for (const { reject } of part) reject(cause);
      });
    }
  };

  return (input, init = {}) => {
    const itemId = readItemId(init.body);
    if (
      typeof input !== 'string' ||
      !input.endsWith(keysPath) ||
      itemId === undefined ||
      withoutBatches.has(input)
    )
      return send(input, init);
    // Only requests that differ in nothing but the report are one.
    const group = JSON.stringify([input, init.credentials, [...new Headers(init.headers)]]);
    return new Promise((resolve, reject) => {
      const waiting = groups.get(group) ?? [];
      // A timer, because a host may have to be asked for headers first, which takes a few jobs.
      if (waiting.length === 0) setTimeout(() => flush(input, group));
      groups.set(group, waiting);
      waiting.push({ itemId, init, resolve, reject });
    });
  };
};
