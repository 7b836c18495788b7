import { createServer, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createFetchHandler, createNodeHandler } from '@vitrine/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRandom, type Random } from '../support/createRandom.ts';
import { seed } from '../support/seed.ts';
import { isLong, sized } from '../support/size.ts';
import { closeServer, connectionTo, listen, startStandInPortal } from '../support/standInPortal.ts';

/** The configuration of both hosts, in front of a portal that closes with the test. */
const optionsOfHost = async () => {
  const portal = await startStandInPortal();
  onTestFinished(() => portal.close());
  return {
    portal: connectionTo(portal.url),
    viewer: () => ({ userId: 'north.manager@acme.example' }),
    canView: () => true as const,
    rateLimit: false as const,
    logger: false as const,
  };
};

/** A host on Node's own server, in front of a working portal. */
const honestHost = async (): Promise<RequestListener> => {
  const handler = createNodeHandler(await optionsOfHost());
  onTestFinished(() => handler.close());
  return handler;
};

/** The same as a web-standard handler, for requests without a network. */
const honestFetchHost = async (): Promise<(request: Request) => Promise<Response>> => {
  const handler = createFetchHandler(await optionsOfHost());
  onTestFinished(() => handler.close());
  return handler;
};

/** What malformed traffic did to a server. */
interface MalformedFindings {
  readonly answers: Readonly<Record<string, number>>;
  /** Responses with 500 and above, and those that contain a stack. */
  readonly serverErrors: number;
  readonly unhandled: number;
  readonly isPrototypeIntact: boolean;
  readonly heapGrowthMb: number;
  /** Whether the server still answers a valid request correctly. */
  readonly isAlive: boolean;
}

const deep = '['.repeat(900) + ']'.repeat(900);
const bodies = [
  '{"itemId":1042}',
  '{"itemId":1042}',
  '{"itemId":1042}',
  '{"itemId":1042}',
  '{"itemId":1042,"__proto__":{"polluted":1}}',
  '{"__proto__":{"itemId":1042,"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  deep,
  '{"itemId":'.repeat(150),
  '\u0000\u0001\u0002',
  '"',
  'null',
  '[]',
  '{"itemId":1e999}',
  '{"itemId":-0}',
  '{"itemId":"\ud800"}',
  'x'.repeat(4000),
  '',
] as const;

const types = [
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  '',
  'application/json;;;',
  '\u00e9',
] as const;
const methods = ['POST', 'POST', 'POST', 'POST', 'GET', 'PUT', 'OPTIONS', 'HEAD', 'BREW'] as const;
const paths = [
  '/api/embed/keys',
  '/api/embed/keys',
  '/api/embed/keys',
  '/api/embed/keys?x=%00',
  '//api/embed/keys',
  '/api/embed/keys/',
  '/api/embed/%6beys',
  '/api/embed/..%2fkeys',
  '/api/embed/actions',
  '*',
] as const;

const requestOf = (random: Random): Buffer => {
  if (random.below(12) === 0) {
    const junk = Buffer.alloc(1 + random.below(300));
    for (let at = 0; at < junk.length; at += 1) junk[at] = random.below(256);
    return junk;
  }
  const body = Buffer.from(random.pick(bodies));
  const odd = random.pick([
    '',
    '',
    'Origin: null\r\n',
    'Origin: http://[\r\n',
    `Origin: ${'a'.repeat(3000)}\r\n`,
    'Sec-Fetch-Site: cross-site\r\n',
    'X-Vitrine-Request: \r\n',
    'Transfer-Encoding: chunked\r\n',
    'Content-Length: 99999999999\r\n',
    'Expect: 100-continue\r\n',
    '__proto__: polluted\r\n',
    `Cookie: ${'c=1; '.repeat(500)}\r\n`,
  ]);
  const length = random.below(10) === 0 ? random.below(5000) : body.length;
  return Buffer.concat([
    Buffer.from(
      `${random.pick(methods)} ${random.pick(paths)} HTTP/1.1\r\nHost: host.example\r\nConnection: close\r\nX-Vitrine-Request: 1\r\nContent-Type: ${random.pick(types)}\r\nContent-Length: ${length}\r\n${odd}\r\n`,
      'latin1',
    ),
    body,
  ]);
};

/** A busy machine answers a valid request within it. */
const giveUpMs = sized(250, 60);

const exchange = (port: number, bytes: Buffer): Promise<string> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    // A response that is incomplete by then stays incomplete: the client disconnects during its request.
    const giveUp = setTimeout(() => socket.end(), giveUpMs);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => resolve('reset'));
    socket.on('close', () => {
      clearTimeout(giveUp);
      resolve(Buffer.concat(chunks).toString('latin1'));
    });
  });

/** Sends malformed and hostile HTTP over raw sockets and checks the server afterward. */
const runMalformedScenario = async (
  listener: RequestListener,
  { requests, seed }: { requests: number; seed: number },
): Promise<MalformedFindings> => {
  const server = createServer(listener);
  const url = await listen(server);
  const port = Number(new URL(url).port);
  const random = createRandom(seed);
  const answers: Record<string, number> = {};
  let [serverErrors, unhandled] = [0, 0];
  const onUnhandled = () => {
    unhandled += 1;
  };
  process.on('unhandledRejection', onUnhandled);
  const prototype = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));
  globalThis.gc?.();
  const heapBefore = process.memoryUsage().heapUsed;
  const width = 32;
  for (let sent = 0; sent < requests; sent += width) {
    const batch = await Promise.all(Array.from({ length: width }, () => exchange(port, requestOf(random))));
    for (const answer of batch) {
      const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? (answer === 'reset' ? 'reset' : 'closed');
      answers[status] = (answers[status] ?? 0) + 1;
      if (status.startsWith('5') || /\bat .*\.(ts|js):\d+/.test(answer)) serverErrors += 1;
    }
  }
  globalThis.gc?.();
  const heapGrowthMb = (process.memoryUsage().heapUsed - heapBefore) / 2 ** 20;
  const good = await fetch(`${url}/api/embed/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-vitrine-request': '1' },
    body: '{"itemId":1042}',
  });
  process.off('unhandledRejection', onUnhandled);
  await closeServer(server);
  return {
    answers,
    serverErrors,
    unhandled,
    isPrototypeIntact: prototype === JSON.stringify(Object.getOwnPropertyNames(Object.prototype)),
    heapGrowthMb,
    isAlive: good.status === 200,
  };
};

/** What hostile requests did to a handler in this process. */
interface HostileFindings {
  readonly answers: Readonly<Record<string, number>>;
  /** Responses with 500 and above, and requests that made the handler throw. */
  readonly serverErrors: number;
  readonly isPrototypeIntact: boolean;
  /** Heap growth after a full collection. */
  readonly heapGrowthMb: number;
}

type Handler = (request: Request) => Promise<Response>;

const headerSets = [
  {},
  {},
  { origin: 'null' },
  { origin: 'http://[' },
  { origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-origin' },
  { 'x-vitrine-request': '' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json;;;' },
  { 'content-length': '99999999999' },
  { 'content-length': 'NaN' },
  { cookie: 'c=1; '.repeat(200) },
  { 'transfer-encoding': 'chunked' },
] as const satisfies readonly Readonly<Record<string, string>>[];

const hostilePaths = [
  'keys',
  'keys',
  'keys',
  'keys?x=%00',
  'keys/',
  '%6beys',
  'actions',
  '..%2fkeys',
  '',
] as const;

const hostileRequestOf = (random: Random): Request => {
  const method = random.pick(['POST', 'POST', 'POST', 'POST', 'GET', 'PUT', 'DELETE', 'OPTIONS'] as const);
  return new Request(`http://host.example/api/embed/${random.pick(hostilePaths)}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-vitrine-request': '1', ...random.pick(headerSets) },
    ...(method === 'GET' ? {} : { body: random.pick(bodies) }),
  });
};

const collector = (): (() => void) => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('This Node has no gc().');
  return () => void collect();
};

/**
 * Sends hostile requests directly to a handler, without a network: fast enough for millions. The heap is measured after
 * the first tenth, when caches and compiled code exist, and at the end.
 */
const runHostileScenario = async (
  handler: Handler,
  { requests, seed }: { requests: number; seed: number },
): Promise<HostileFindings> => {
  const collect = collector();
  const random = createRandom(seed);
  const answers: Record<string, number> = {};
  const prototype = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));
  let serverErrors = 0;
  const weigh = async (): Promise<number> => {
    // A finished request releases its remaining memory in the following turns.
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      collect();
    }
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  const width = 50;
  const send = async (count: number) => {
    for (let sent = 0; sent < count; sent += width) {
      const statuses = await Promise.all(
        Array.from({ length: width }, async () => {
          const response = await handler(hostileRequestOf(random)).catch(() => undefined);
          await response?.text();
          return response?.status ?? 'thrown';
        }),
      );
      for (const status of statuses) {
        answers[status] = (answers[status] ?? 0) + 1;
        if (status === 'thrown' || status >= 500) serverErrors += 1;
      }
    }
  };
  await send(requests / 10);
  const before = await weigh();
  await send(requests - requests / 10);
  const heapGrowthMb = (await weigh()) - before;
  return {
    answers,
    serverErrors,
    isPrototypeIntact: prototype === JSON.stringify(Object.getOwnPropertyNames(Object.prototype)),
    heapGrowthMb,
  };
};

const malformed = sized(1_000, 100_000);
const hostile = sized(5_000, 5_000_000);
/** Caches and compiled code grow by less. The control keeps three times as much. */
const retainedMb = isLong ? 20 : 5;
const ofControl = 1000 * retainedMb;

/** A handler that trusts its input: it parses before it checks. */
const credulousHost: RequestListener = (request, response) => {
  let text = '';
  request.on('data', (chunk) => {
    text += chunk;
  });
  request.on('end', () => {
    try {
      response.end(String(JSON.parse(text).itemId.toFixed()));
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.stack : '');
    }
  });
};

describe('malformed traffic', () => {
  it(`does not change the endpoint after ${malformed} malformed or hostile requests`, async () => {
    const findings = await runMalformedScenario(await honestHost(), { requests: malformed, seed });
    expect(findings, `seed ${seed}`).toMatchObject({
      serverErrors: 0,
      unhandled: 0,
      isPrototypeIntact: true,
      isAlive: true,
    });
    expect(Object.keys(findings.answers)).toEqual(
      expect.arrayContaining(['200', '400', '403', '405', '413', '415']),
    );
  });

  it('control: the same check detects a handler that parses first', async () => {
    const { serverErrors } = await runMalformedScenario(credulousHost, { requests: 320, seed });
    expect(serverErrors).toBeGreaterThan(0);
  });
});

describe('hostile requests without a network', () => {
  it(`never fail the handler, and ${hostile} of them retain no memory`, async () => {
    const findings = await runHostileScenario(await honestFetchHost(), { requests: hostile, seed });
    expect(findings, `seed ${seed}`).toMatchObject({ serverErrors: 0, isPrototypeIntact: true });
    expect(findings.heapGrowthMb).toBeLessThan(retainedMb);
    expect(Object.keys(findings.answers)).toEqual(
      expect.arrayContaining(['200', '400', '403', '404', '405', '413', '415']),
    );
  });

  it('control: the same check detects a handler that retains its input', async () => {
    const kept: number[][] = [];
    const findings = await runHostileScenario(
      async () => {
        kept.push(Array.from({ length: 400 }, (_, n) => n));
        return new Response();
      },
      { requests: ofControl, seed },
    );
    expect(kept).toHaveLength(ofControl);
    expect(findings.heapGrowthMb).toBeGreaterThan(retainedMb);
  });
});
