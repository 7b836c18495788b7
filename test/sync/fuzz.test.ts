import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPortalClient, isPortalError, type PortalClient } from '@vitrine/portal-client';
import { describe, expect, it } from 'vitest';
import { seed } from '../support/seed.ts';
import { sized } from '../support/size.ts';

/** A small generator of reproducible random numbers (mulberry32). */
const seeded = (seed: number) => {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = <TValue>(values: readonly TValue[]): TValue => values[Math.floor(next() * values.length)]!;
  return { next, pick, chance: (share: number) => next() < share };
};

type Random = ReturnType<typeof seeded>;

const fields = [
  'id userId itemId guid email name firstName lastName type roles organizationUnits code parentId displayName',
  'items data value results result success error message totalCount total count page __abp timestamp actionType',
  'validationErrors members details statusCode title detail __proto__ constructor toString length 0',
].flatMap((line) => line.split(' '));

const scalars: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  7,
  1.5,
  1e308,
  2 ** 53,
  '',
  ' ',
  'text',
  'a@acme.example',
  '2026-01-01T00:00:00Z',
  '09cdf20d-7062-8886-9290-a66f6b3f8817',
  'NaN',
  '\u0000\u001b[31m',
  '\ud800',
  'x'.repeat(3_000),
];

const anyValue = (random: Random, depth: number): unknown => {
  if (depth <= 0 || random.chance(0.4)) return random.pick(scalars);
  const size = Math.floor(random.next() * 5);
  if (random.chance(0.5)) return Array.from({ length: size }, () => anyValue(random, depth - 1));
  const record = Object.create(null) as Record<string, unknown>;
  for (let index = 0; index < size; index += 1) record[random.pick(fields)] = anyValue(random, depth - 1);
  return record;
};

/** A body similar to one of the service, with random parts replaced. */
const nearBody = (random: Random): unknown => {
  const row = () => ({
    id: Math.floor(random.next() * 50),
    email: 'a@acme.example',
    roles: ['Readers'],
    name: 'A',
  });
  const rows = Array.from({ length: Math.floor(random.next() * 4) }, row);
  const shapes: unknown[] = [
    row(),
    rows,
    { items: rows, totalCount: rows.length },
    { items: rows, totalCount: rows.length + 1 },
    { data: rows, total: 'many' },
    { value: rows, count: rows.length },
    { result: { items: rows, totalCount: rows.length }, success: true, error: null, __abp: true },
    {
      result: null,
      success: false,
      error: { code: 0, message: 'no', validationErrors: [{ members: [null] }] },
    },
    { error: { code: 'x', message: 'y', validationErrors: 'none' } },
  ];
  const body = random.pick(shapes);
  if (!random.chance(0.5) || typeof body !== 'object' || body === null) return body;
  return { ...body, [random.pick(fields)]: anyValue(random, 2) };
};

interface FuzzedReply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** Bytes sent before the connection breaks; all of them if undefined. */
  readonly cutAt: number | undefined;
}

const statuses = [
  200, 200, 200, 200, 201, 202, 204, 206, 299, 301, 304, 400, 401, 403, 404, 409, 418, 422, 429, 500, 503,
  599,
];

const fuzzedReply = (random: Random): FuzzedReply => {
  const text = random.chance(0.1)
    ? random.pick([
        '',
        ' ',
        'null',
        '{',
        '[1,',
        '"text"',
        '<html>',
        '\ufeff{}',
        '{"a":1}{"b":2}',
        '['.repeat(20_000),
      ])
    : JSON.stringify(random.chance(0.6) ? nearBody(random) : anyValue(random, 4));
  const headers: Record<string, string> = {
    'content-type': random.pick([
      'application/json',
      'application/problem+json',
      'text/html',
      'x',
      'application/json; charset=latin1',
    ]),
  };
  if (random.chance(0.1))
    headers['retry-after'] = random.pick([
      '0',
      '1',
      '-1',
      'soon',
      '1e9',
      'Thu, 01 Jan 1970 00:00:00 GMT',
      '0.001',
    ]);
  if (random.chance(0.1))
    headers['link'] = random.pick([
      '<',
      '<>; rel="next"',
      '</v1/users?page=2>; rel="next"',
      '<http://[>; rel=next',
      'x'.repeat(5_000),
    ]);
  if (random.chance(0.1)) headers['x-total-count'] = random.pick(['5', '-5', 'x', '99999999999999999999']);
  if (random.chance(0.1))
    headers['location'] = random.pick(['/v1/users/7', '//', 'http://[', '/v1/users/../x', '%']);
  const cutAt = random.chance(0.03) ? Math.floor(random.next() * text.length) : undefined;
  return { status: random.pick(statuses), headers, body: text, cutAt };
};

/** The calls of a client; each is one case. */
const calls: readonly ((client: PortalClient) => Promise<unknown>)[] = [
  (client) => client.users.get(7),
  (client) => Array.fromAsync(client.users.list()),
  (client) =>
    client.users.create({ type: 'UserPass', email: 'a@acme.example', firstName: 'A', lastName: 'B' }),
  (client) => client.users.update(7, { roles: [] }),
  (client) => client.users.delete(7),
  (client) => Array.fromAsync(client.roles.list()),
  (client) => client.roles.create({ name: 'Readers', type: 'Report' }),
  (client) => Array.fromAsync(client.organizationUnits.list()),
  (client) => client.organizationUnits.create({ name: 'North', parentId: 'root' }),
  (client) => client.organizationUnits.sync('1'),
  (client) => Array.fromAsync(client.items.list()),
  (client) => client.items.find(7),
  (client) => client.items.create({ type: 'report', workspaceId: 'w', reportId: 'r', displayName: 'Sales' }),
  (client) => Array.fromAsync(client.tasks.list()),
  (client) => Array.fromAsync(client.links.list()),
  (client) => Array.fromAsync(client.audit.list({ from: '2026-01-01' })),
  (client) => client.planSync({ users: [{ email: 'a@acme.example', roles: [] }] }, { missing: 'delete' }),
];

/** The results of a run with fuzzed responses. */
interface FuzzResult {
  readonly seed: number;
  readonly cases: number;
  readonly succeeded: number;
  readonly kinds: Record<string, number>;
  /** Thrown values that are not a PortalError, up to a few. */
  readonly untyped: string[];
  readonly hung: number;
}

type Call = (client: PortalClient) => Promise<unknown>;

/** Sends `cases` calls to a server with random responses, and groups the results. */
const runFuzz = async (options: {
  cases: number;
  seed: number;
  replace?: (call: Call, baseUrl: string) => Call;
}): Promise<FuzzResult> => {
  const random = seeded(options.seed);
  const server = createServer((request, response) => {
    request.resume();
    const { status, headers, body, cutAt } = fuzzedReply(random);
    response.writeHead(status, headers);
    if (cutAt === undefined) response.end(status === 204 || status === 304 ? undefined : body);
    else {
      response.write(body.slice(0, cutAt));
      setImmediate(() => response.destroy());
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createPortalClient({
    baseUrl,
    apiKey: 'test-api-key-0123456789',
    timeoutMs: 20_000,
    concurrency: 64,
  });
  const result = {
    seed: options.seed,
    cases: 0,
    succeeded: 0,
    kinds: {} as Record<string, number>,
    untyped: [] as string[],
    hung: 0,
  };
  const one = async () => {
    const call = random.pick(calls);
    const work = options.replace?.(call, baseUrl) ?? call;
    try {
      await work(client);
      result.succeeded += 1;
    } catch (error) {
      if (isPortalError(error)) {
        result.kinds[error.kind] = (result.kinds[error.kind] ?? 0) + 1;
        if (error.kind === 'timeout') result.hung += 1;
      } else if (result.untyped.length < 5) result.untyped.push(String(error));
    }
  };
  const worker = async () => {
    while (result.cases < options.cases) {
      result.cases += 1;
      await one();
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  await client.close();
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return result;
};

const cases = sized(300, 50_000);

describe('any response of the service', () => {
  it('ends in a result or a PortalError', async () => {
    const result = await runFuzz({ cases, seed });
    expect(result).toMatchObject({ seed, cases, untyped: [], hung: 0 });
    // The run is meaningful only if responses of every kind occurred.
    expect(result.succeeded).toBeGreaterThan(cases / 30);
    for (const kind of ['invalid', 'not_found', 'invalid_response', 'business', 'server', 'network'])
      expect(result.kinds).toHaveProperty(kind);
    expect(Object.prototype).not.toHaveProperty('id');
  });

  it('control: ends otherwise for a client that trusts its input', async () => {
    const result = await runFuzz({
      cases: 200,
      seed,
      replace: (_, baseUrl) => async () => {
        const response = await fetch(`${baseUrl}/v1/users`);
        const body = await response.json();
        return body.items.map((user: { email: string }) => user.email.toLowerCase());
      },
    });
    expect(result.untyped.length).toBeGreaterThan(0);
  });
});
