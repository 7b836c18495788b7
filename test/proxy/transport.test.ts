import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { createPortalClient, type PortalClient, PortalError, Secret } from '@vitrine/portal-client';
import { Agent } from 'undici';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { retryDelay } from '../../src/portal-client/lib/call.ts';
import { connectionTo } from '../support/standInPortal.ts';
import { type Handler, type Reply, serve } from '../sync/support/serve.ts';

const apiKey = 'test-api-key-0123456789';
const user = { id: 7, email: 'north.manager@acme.example' };

const start = async (handler: Handler, options = {}) => {
  const service = await serve(handler);
  const client = createPortalClient({ baseUrl: service.baseUrl, apiKey, ...options });
  onTestFinished(() => client.close());
  return { ...service, client };
};

/** Answers with each reply in turn, then repeats the last one. */
const inTurn = (...replies: Reply[]): Handler => {
  let next = 0;
  return () => replies[Math.min(next++, replies.length - 1)];
};

const failureOf = async (work: Promise<unknown>): Promise<PortalError> => {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(PortalError);
  return thrown as PortalError;
};

beforeEach(() => {
  // Without jitter, a retry follows at once.
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  return () => random.mockRestore();
});

const newUser = { type: 'UserPass', email: 'a@acme.example', firstName: 'A', lastName: 'B' };
const writes: readonly [string, (client: PortalClient) => Promise<unknown>][] = [
  ['create', (client) => client.users.create(newUser)],
  ['update', (client) => client.users.update(7, { roles: [] })],
  ['delete', (client) => client.users.delete(7)],
];

describe('retries', () => {
  it.each([429, 500, 502, 503, 504])('repeats a GET after status %i and succeeds', async (status) => {
    const { client, requests } = await start(inTurn({ status }, { body: user }));
    expect(await client.users.get(7).withResponse()).toMatchObject({
      stats: { attempts: 2 },
      data: { id: '7' },
    });
    expect(requests).toHaveLength(2);
  });

  it.each(writes)('never repeats %s after a failure that may have changed something', async (_, write) => {
    const { client, requests } = await start(inTurn({ status: 503 }));
    expect(await failureOf(write(client))).toMatchObject({ kind: 'server', stats: { attempts: 1 } });
    expect(requests).toHaveLength(1);
    const cut = await start((_request, response) => void response.destroy());
    expect(await failureOf(write(cut.client))).toMatchObject({ kind: 'network', stats: { attempts: 1 } });
  });

  it.each(writes)('repeats %s after status 429, which says that nothing was changed', async (_, write) => {
    const { client, requests } = await start(inTurn({ status: 429 }, { body: user }));
    await write(client);
    expect(requests).toHaveLength(2);
  });

  it.each(writes)('repeats %s if no connection was made', async (_, write) => {
    const { client, close } = await start(inTurn({ body: user }));
    await close();
    expect(await failureOf(write(client))).toMatchObject({ code: 'ECONNREFUSED', stats: { attempts: 3 } });
  });

  it.each([400, 401, 403, 404, 409, 422, 501])('does not retry after status %i', async (status) => {
    const { client, requests } = await start(inTurn({ status }));
    await failureOf(client.users.get(7));
    expect(requests).toHaveLength(1);
  });

  it('does not retry a rejection by the portal itself, even with status 500', async () => {
    const body = { result: null, success: false, error: { code: 0, message: 'No.' }, __abp: true };
    const { client, requests } = await start(inTurn({ status: 500, body }));
    expect(await failureOf(client.users.get(7))).toMatchObject({ kind: 'business', status: 500 });
    expect(requests).toHaveLength(1);
  });

  it('stops after maxRetries and reports the number of attempts', async () => {
    const { client, requests } = await start(inTurn({ status: 503 }), { maxRetries: 3 });
    expect(await failureOf(client.users.get(7))).toMatchObject({ kind: 'server', stats: { attempts: 4 } });
    expect(requests).toHaveLength(4);
  });

  it('retries after a broken connection, also in the middle of the body', async () => {
    let count = 0;
    const { client } = await start((_, response) => {
      count += 1;
      if (count === 1) response.destroy();
      else if (count === 2) {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"id":');
        setImmediate(() => response.destroy());
      } else return { body: user };
      return undefined;
    });
    expect(await client.users.get(7).withResponse()).toMatchObject({ stats: { attempts: 3 } });
  });

  it.each([
    [0, undefined, 125],
    [1, undefined, 250],
    [2, undefined, 500],
    [20, undefined, 4000],
    [0, 3000, 3125],
    [5, 0, 125],
  ])('pauses after %i retries and a Retry-After of %s for up to twice %i ms', (...[retries, asked, ms]) => {
    vi.mocked(Math.random).mockReturnValue(0.5);
    expect(retryDelay(retries, asked)).toBe(ms);
  });

  it('waits for Retry-After', async () => {
    const { client } = await start(inTurn({ status: 429, headers: { 'retry-after': '1' } }, { body: user }));
    const started = performance.now();
    await client.users.get(7);
    expect(performance.now() - started).toBeGreaterThan(900);
  });

  it('fails at once when Retry-After exceeds the deadline, and passes it on', async () => {
    const { client, requests } = await start(
      inTurn({ status: 429, headers: { 'retry-after': '1000000000' } }),
    );
    const startedMs = performance.now();
    expect(await failureOf(client.users.get(7))).toMatchObject({
      kind: 'rate_limited',
      stats: { retryAfterMs: 1e12 },
    });
    expect(performance.now() - startedMs).toBeLessThan(4000);
    expect(requests).toHaveLength(1);
  });
});

describe('deadlines and signals', () => {
  it('sends nothing when the signal is already aborted', async () => {
    const { client, requests } = await start(inTurn({ body: user }));
    const error = await failureOf(client.users.get(7, { signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ kind: 'aborted', stats: { attempts: 0 } });
    expect(requests).toEqual([]);
  });

  const phases: Record<
    string,
    { options?: (fire: () => void) => object; handler: (fire: () => void) => Handler }
  > = {
    'it loads the API key': {
      options: (fire) => ({
        apiKey: () => {
          setImmediate(fire);
          return new Promise(() => undefined);
        },
      }),
      handler: () => () => ({ body: user }),
    },
    'it waits for the response': {
      handler: (fire) => () => {
        setImmediate(fire);
        return new Promise(() => undefined);
      },
    },
    'it reads the body': {
      handler: (fire) => (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"id":');
        setTimeout(fire, 20);
        return undefined;
      },
    },
    'it waits before a retry': {
      handler: (fire) => () => {
        setTimeout(fire, 20);
        return { status: 503, headers: { 'retry-after': '5' } };
      },
    },
  };

  it.each(Object.entries(phases))('aborts a call at once while %s', async (_, { options, handler }) => {
    const controller = new AbortController();
    const fire = () => controller.abort();
    const { client } = await start(handler(fire), options?.(fire));
    const startedMs = performance.now();
    expect(await failureOf(client.users.get(7, { signal: controller.signal }))).toMatchObject({
      kind: 'aborted',
    });
    // Before the retry that the service asks for.
    expect(performance.now() - startedMs).toBeLessThan(4000);
  });

  it('aborts a call that waits for a free slot, and gives the slot to the next call', async () => {
    const controller = new AbortController();
    let open: ((reply: Reply) => void) | undefined;
    const { client, requests } = await start(
      () =>
        new Promise<Reply>((resolve) => {
          open = resolve;
        }),
      { concurrency: 1 },
    );
    const first = client.users.get(1);
    const second = client.users.get(2, { signal: controller.signal });
    const third = client.users.get(3);
    controller.abort();
    expect(await failureOf(second)).toMatchObject({ kind: 'aborted' });
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    open?.({ body: { id: 1 } });
    expect(await first).toMatchObject({ id: '1' });
    await vi.waitFor(() => expect(requests).toHaveLength(2));
    open?.({ body: { id: 3 } });
    expect(await third).toMatchObject({ id: '3' });
  });

  it('aborts a call at once while it connects', async () => {
    const controller = new AbortController();
    const dispatcher = new Agent({ connect: () => setImmediate(() => controller.abort()) });
    const client = createPortalClient({ baseUrl: 'http://127.0.0.1:9', apiKey, dispatcher });
    const call = client.users.get(7, { signal: controller.signal });
    expect(await failureOf(call)).toMatchObject({ kind: 'aborted' });
  });

  it('leaves no listener on a signal that outlives the call', async () => {
    const controller = new AbortController();
    const { client } = await start(inTurn({ body: user }));
    for (let call = 0; call < 20; call += 1) await client.users.get(7, { signal: controller.signal });
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('applies one deadline to all requests and delays of a call', async () => {
    const limits = { timeoutMs: 1000, attemptTimeoutMs: 400, maxRetries: 9 };
    const { client, requests } = await start(() => new Promise(() => undefined), limits);
    expect(await failureOf(client.users.get(7))).toMatchObject({ kind: 'timeout', code: 'deadline' });
    expect(requests.length).toBeGreaterThan(1);
  });

  it('names the status of a response that had begun at the deadline', async () => {
    const { client } = await start(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"id":');
        return undefined;
      },
      { timeoutMs: 100 },
    );
    expect(await failureOf(client.users.get(7))).toMatchObject({ kind: 'timeout', status: 200 });
  });

  it('repeats a GET whose first request gets no response', async () => {
    let count = 0;
    const { client } = await start(
      () => ((count += 1) === 1 ? new Promise(() => undefined) : { body: user }),
      { attemptTimeoutMs: 100 },
    );
    expect(await client.users.get(7).withResponse()).toMatchObject({ stats: { attempts: 2 } });
  });
});

describe('limits', () => {
  it('keeps at most `concurrency` requests in flight', async () => {
    let now = 0;
    let most = 0;
    const { client } = await start(
      async () => {
        now += 1;
        most = Math.max(most, now);
        await new Promise((resolve) => {
          setTimeout(resolve, 5);
        });
        now -= 1;
        return { body: user };
      },
      { concurrency: 3 },
    );
    await Promise.all(Array.from({ length: 20 }, (_, index) => client.users.get(index + 1)));
    expect(most).toBe(3);
  });

  it('stops reading a response that is too long', async () => {
    const { client } = await start(inTurn({ body: { id: 1, note: 'x'.repeat(5_000) } }), {
      maxResponseBytes: 1_000,
      maxRetries: 0,
    });
    expect(await failureOf(client.users.get(7))).toMatchObject({
      kind: 'invalid_response',
      code: 'ERR_BUFFER_TOO_LARGE',
    });
  });

  it('does not follow redirects', async () => {
    const { client, requests } = await start(inTurn({ status: 302, headers: { location: '/elsewhere' } }));
    expect(await failureOf(client.users.get(7))).toMatchObject({ kind: 'invalid_response', status: 302 });
    expect(requests).toHaveLength(1);
  });

  it('reports that HTML is not a response of the portal', async () => {
    const { client } = await start(
      inTurn({ headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' }),
    );
    expect(await failureOf(client.users.get(7))).toMatchObject({
      kind: 'invalid_response',
      code: 'not_json',
    });
  });

  it('reports a refused connection with its code', async () => {
    const { client, close } = await start(inTurn({ body: user }), { maxRetries: 0 });
    await close();
    expect(await failureOf(client.users.get(7))).toMatchObject({ kind: 'network', code: 'ECONNREFUSED' });
  });
});

it('rejects calls after close() with a message that does not blame the network', async () => {
  const embedding = connectionTo('http://127.0.0.1:9');
  const { client, requests } = await start(inTurn({ body: { id: 1 } }), { embedding });
  await client.close();
  const key = { userId: 'a', itemId: 1, lifetimeMs: 60_000 };
  for (const call of [client.users.get(1), client.embeddedKeys.create(key)])
    expect(await failureOf(call)).toMatchObject({ kind: 'config', code: 'closed' });
  expect(requests).toEqual([]);
});

describe('readOnly', () => {
  it('rejects every write before it sends anything, and allows reads', async () => {
    const { client, requests } = await start(inTurn({ body: { items: [], totalCount: 0, id: 1 } }), {
      readOnly: true,
      embedding: {
        tenantUrl: 'https://acme.portal.example',
        apiBaseUrl: 'https://api.portal.example',
        tenantId: 101,
        tenancyName: 'acme',
        apiKey,
        passPhrase: 'a-passphrase-for-tests',
      },
    });
    const input = { type: 'UserPass', email: 'a@acme.example', firstName: 'A', lastName: 'B' };
    const writes = [
      () => client.users.create(input),
      () => client.users.update(1, {}),
      () => client.users.delete(1),
      () => client.roles.create({ name: 'Readers', type: 'Report' }),
      () => client.organizationUnits.create({ name: 'North', parentId: 'root' }),
      () => client.organizationUnits.sync('1'),
      () => client.items.create({ type: 'report', workspaceId: 'w', reportId: 'r', displayName: 'Sales' }),
      () => client.embeddedKeys.create({ userId: 'a', itemId: 1, lifetimeMs: 60_000 }),
    ];
    for (const write of writes) expect(await failureOf(write())).toMatchObject({ kind: 'read_only' });
    expect(requests).toEqual([]);
    await client.users.get(1);
    expect(requests).toHaveLength(1);
  });
});

describe('secrets', () => {
  it('calls the apiKey function before every request', async () => {
    let count = 0;
    const { client, requests } = await start(inTurn({ body: user }), {
      apiKey: async () => new Secret(`key-number-${(count += 1)}`),
    });
    await client.users.get(1);
    await client.users.get(2);
    expect(requests.map((request) => request.headers.authorization)).toEqual([
      'Bearer key-number-1',
      'Bearer key-number-2',
    ]);
  });

  it('does not repeat the error message of an apiKey function', async () => {
    const { client } = await start(inTurn({ body: user }), {
      apiKey: () => Promise.reject(new Error(`vault said ${apiKey}`)),
    });
    const error = await failureOf(client.users.get(1));
    expect(error).toMatchObject({ kind: 'config', code: 'api_key_function_failed' });
    expect(inspect(error, { depth: 9 })).not.toContain(apiKey);
  });

  it('shows no secret and no query, even if the service repeats them', async () => {
    const echo = `key ${apiKey} at https://api.example/v1/users?token=${apiKey}&x=1 or ${Buffer.from(apiKey).toString('base64')}`;
    const { client } = await start(
      inTurn({
        status: 400,
        body: {
          error: {
            code: apiKey,
            message: echo,
            validationErrors: [{ field: echo, message: echo }],
            requestId: echo,
          },
        },
      }),
    );
    const error = await failureOf(client.users.get(7));
    const shown = `${error.stack}${inspect(error, { depth: 9, showHidden: true })}${JSON.stringify(error)}`;
    expect(shown).not.toContain(apiKey);
    expect(shown).not.toContain(Buffer.from(apiKey).toString('base64'));
    expect(shown).not.toContain('token=');
  });

  it('shows no secret that the portal repeats', async () => {
    const forms = [apiKey, encodeURIComponent(apiKey), Buffer.from(apiKey).toString('base64')];
    const { client } = await start(
      inTurn(...forms.map((form) => ({ status: 403, body: { message: `The key ${form}…` } }))),
    );
    for (const said of ['The key ***…', 'The key ***…', '***'])
      expect((await failureOf(client.users.get(7))).message).toContain(`: "${said}".`);
  });

  it('prints a client without its key', async () => {
    const { client } = await start(inTurn({ body: user }));
    expect(inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client)).not.toContain(apiKey);
  });

  it('accepts an unusual spelling of a URL', async () => {
    const { baseUrl } = await start(inTurn({ body: user }));
    const client = createPortalClient({ baseUrl: ` ${baseUrl.replace('http', 'HTTP')}// `, apiKey });
    onTestFinished(() => client.close());
    expect(client.baseUrl).toBe(baseUrl);
    expect(await client.users.get(7)).toMatchObject({ ...user, id: '7' });
  });

  it('tells the facts of a request, without key, body or query', async () => {
    const { client } = await start(inTurn({ body: { items: [], totalCount: 0 } }));
    const reports: unknown[] = [];
    for await (const { stats } of client.users.list().pages()) reports.push(stats);
    expect(reports).toEqual([
      {
        method: 'GET',
        path: '/v1/users',
        status: 200,
        body: 'json',
        requestId: undefined,
        attempts: 1,
        durationMs: expect.any(Number),
        clockSkewMs: expect.any(Number),
        retryAfterMs: undefined,
        proxy: undefined,
        secrets: undefined,
      },
    ]);
  });
});

describe('options', () => {
  it.each([
    ['baseUrl', { baseUrl: 'http://portal.example' }],
    ['baseUrl', { baseUrl: 'https://user:pass@portal.example' }],
    ['baseUrl', { baseUrl: '' }],
    ['apiKey', { apiKey: '' }],
    ['apiKey', { apiKey: 'two words' }],
    ['apiKey', { apiKey: 'line\nbreak' }],
    ['apiKey', { apiKey: undefined }],
    ['timeoutMs', { timeoutMs: 0 }],
    ['timeoutMs', { timeoutMs: Number.NaN }],
    ['maxRetries', { maxRetries: -1 }],
    ['concurrency', { concurrency: 0 }],
    ['pageSize', { pageSize: 1.5 }],
    ['headers', { headers: { Authorization: 'x' } }],
    ['headers', { headers: { 'x-a': 'one\r\ntwo' } }],
  ])('rejects an unusable %s at construction and names it', (option, options) => {
    const create = () => createPortalClient({ baseUrl: 'https://api.example', apiKey, ...options });
    expect(create).toThrow(PortalError);
    expect(create).toThrow(option);
  });
});
