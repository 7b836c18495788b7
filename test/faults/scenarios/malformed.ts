import { createServer, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { createRandom, type Random } from '../../support/createRandom.ts';
import { closeServer, listen } from '../../support/standInPortal.ts';

/** What malformed traffic did to a server. */
export interface MalformedFindings {
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

const giveUpMs = 60;

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
export const runMalformedScenario = async (
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
