import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createRandom, type Random } from '../../support/createRandom.ts';
import { createProgress } from '../../support/progress.ts';

/** What hostile requests did to a handler in this process. */
export interface HostileFindings {
  readonly answers: Readonly<Record<string, number>>;
  /** Responses with 500 and above, and requests that made the handler throw. */
  readonly serverErrors: number;
  readonly isPrototypeIntact: boolean;
  /** Heap growth after a full collection. */
  readonly heapGrowthMb: number;
}

type Handler = (request: Request) => Promise<Response>;

const bodies = [
  '{"itemId":1042}',
  '{"itemId":1042,"__proto__":{"polluted":1}}',
  '{"__proto__":{"itemId":1042,"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"itemId":1042,"userId":"someone.else@acme.example"}',
  `${'['.repeat(900)}${']'.repeat(900)}`,
  '{"itemId":'.repeat(150),
  '{"itemId":1e999}',
  '{"itemId":-0}',
  '{"itemId":"\ud800"}',
  '\u0000\u0001\u0002',
  '"',
  'null',
  '[]',
  '',
  'x'.repeat(4000),
] as const;

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

const paths = ['keys', 'keys', 'keys', 'keys?x=%00', 'keys/', '%6beys', 'actions', '..%2fkeys', ''] as const;

const requestOf = (random: Random): Request => {
  const method = random.pick(['POST', 'POST', 'POST', 'POST', 'GET', 'PUT', 'DELETE', 'OPTIONS'] as const);
  return new Request(`http://host.example/api/embed/${random.pick(paths)}`, {
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
export const runHostileScenario = async (
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
  const say = createProgress(requests);
  let done = 0;
  const send = async (count: number) => {
    for (let sent = 0; sent < count; sent += width) {
      const statuses = await Promise.all(
        Array.from({ length: width }, async () => {
          const response = await handler(requestOf(random)).catch(() => undefined);
          await response?.text();
          return response?.status ?? 'thrown';
        }),
      );
      for (const status of statuses) {
        answers[status] = (answers[status] ?? 0) + 1;
        if (status === 'thrown' || status >= 500) serverErrors += 1;
      }
      say((done += width));
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
