import { type EmbedKeysResponse, keysPath, maxKeysPerRequest, problemMediaType } from '@vitrine/contract';

/** A key that was requested in this tick. */
interface Waiting {
  readonly itemId: number;
  readonly init: RequestInit;
  readonly resolve: (response: Response | Promise<Response>) => void;
  readonly reject: (reason: unknown) => void;
}

/** The body of our own requests is `{"itemId":1042}`; others are not ours. */
const readItemId = (body: unknown): number | undefined => {
  const [, itemId] = /^\{"itemId":(\d+)\}$/.exec(String(body)) ?? [];
  return itemId === undefined ? undefined : Number(itemId);
};

const createResponse = (body: object, status: number, type: string): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': type } });

/** Responses of a backend without batches: to the body, or to an unknown route. */
const unknownStatuses = [400, 404, 405, 415, 422, 501];

const toResponse = (result: unknown): Response | undefined => {
  const { key, problem } = Object(result) as Partial<Record<'key' | 'problem', unknown>>;
  if (key instanceof Object) return createResponse(key, 200, 'application/json');
  const { status } = Object(problem) as { status?: unknown };
  return problem instanceof Object && typeof status === 'number' && status >= 400 && status <= 599
    ? createResponse(problem, status, problemMediaType)
    : undefined;
};

const readResults = async (response: Response, count: number): Promise<readonly unknown[] | undefined> => {
  const { results } = Object(await response.json().catch(() => undefined)) as Partial<EmbedKeysResponse>;
  return Array.isArray(results) && results.length === count ? results : undefined;
};

/**
 * Creates a `fetch` that requests all keys of one tick in one request, for pages with many different reports. Create it
 * once, outside of components. The backend checks, counts and handles each report separately; all keys of a request
 * arrive with the slowest one. Other requests, and those to a backend without batches, are sent one by one. `send`
 * makes the requests; default: the page's `fetch`.
 *
 * @example
 * ```tsx
 * import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
 * import { batchKeys } from '@vitrine/react/batch';
 *
 * const fetchKeys = batchKeys();
 *
 * export const Dashboard = () => (
 *   <EmbedProvider fetch={fetchKeys}>
 *     <EmbeddedReport itemId={1042} title="Sales" />
 *     <EmbeddedReport itemId={1043} title="Stock" />
 *   </EmbedProvider>
 * );
 * ```
 */
export const batchKeys = (send: typeof fetch = (input, init) => fetch(input, init)): typeof fetch => {
  const groups = new Map<string, Waiting[]>();
  const withoutBatches = new Set<string>();

  const sendAll = async (url: string, waiting: readonly Waiting[]): Promise<void> => {
    const sendAlone = (some = waiting) => {
      for (const { init, resolve } of some) resolve(send(url, init));
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
    // A problem of all keys: for example, nobody is signed in.
    if (!response.ok && !unknownStatuses.includes(response.status)) {
      for (const { resolve } of waiting) resolve(response.clone());
      return;
    }
    const results = response.ok ? await readResults(response, waiting.length) : undefined;
    if (results === undefined) {
      withoutBatches.add(url);
      return sendAlone();
    }
    waiting.forEach((one, index) => {
      const keyResponse = toResponse(results[index]);
      if (keyResponse === undefined) sendAlone([one]);
      else one.resolve(keyResponse);
    });
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
    // Combine only requests that differ only in the report.
    const group = JSON.stringify([input, init.credentials, [...new Headers(init.headers)]]);
    return new Promise((resolve, reject) => {
      const waiting = groups.get(group) ?? [];
      // A timer, because the host's `headers` function may take a few microtasks.
      if (waiting.length === 0) setTimeout(() => flush(input, group));
      groups.set(group, waiting);
      waiting.push({ itemId, init, resolve, reject });
    });
  };
};
