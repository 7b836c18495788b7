import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createActions, sqliteInbox } from '@vitrine/express';
import express, { type RequestHandler } from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRandom, type Random } from '../support/createRandom.ts';
import { seed } from '../support/seed.ts';
import { sized } from '../support/size.ts';
import { mountActions } from './support/mountActions.ts';
import { clickBody, secret } from './support/samples.ts';

const capBytes = 20_000;

/** Bodies that may break a parser, a logger or an object merge. */
const nasty: readonly [string | Buffer, ...(string | Buffer)[]] = [
  '',
  ' ',
  'null',
  '[]',
  '"',
  '{"metadata":',
  '{"__proto__":{"polluted":1},"metadata":{"reportId":"a"},"visualData":[]}',
  '{"metadata":{"reportId":"a","__proto__":{"polluted":1}},"visualData":[{"visual":"v","data":[]}]}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  `${'['.repeat(90)}${']'.repeat(90)}`,
  '{"metadata":{"reportId":1e999},"visualData":[{"data":[{"identity":[{}]}]}]}',
  '\u0000\u0001\ufeff{"a":1}',
  Buffer.from([0xff, 0xfe, 0xed, 0xa0, 0x80]),
  'a=b&a=c&__proto__=d',
  '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--x--',
];
const types = [
  'application/json',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  ';;;',
] as const;
const encodings = [undefined, undefined, 'gzip', 'identity', 'nonsense'] as const;

const bodyOf = (random: Random, number: number): Buffer => {
  // Every fourth body is invalid JSON, whatever the random values are.
  if (number % 4 === 0) return Buffer.from(`{"broken ${number}":`);
  if (random.below(3) === 0) return Buffer.from(random.pick(nasty));
  const bytes = Buffer.from(JSON.stringify(clickBody({ reportName: `Sales ${number}` })));
  if (random.below(2) === 0)
    for (let flips = random.below(6); flips > 0; flips -= 1)
      bytes[random.below(bytes.length)] = random.below(256);
  if (random.below(20) === 0)
    return Buffer.concat([bytes, Buffer.alloc(capBytes - bytes.length, random.below(256))]);
  return bytes;
};

const run = async (count: number, before: readonly RequestHandler[]) => {
  const random = createRandom(seed);
  const inbox = sqliteInbox(':memory:');
  const actions = createActions({
    secrets: secret,
    inbox,
    maxBodyBytes: capBytes,
    logger: false,
    audience: 'nobody',
    on: () => undefined,
  });
  const app = express();
  for (const handler of before) app.use(handler);
  app.use(mountActions(actions));
  const server = app.listen(0, '127.0.0.1');
  // On a slow machine an idle connection could be closed just as its sender reuses it.
  server.keepAliveTimeout = 0;
  await once(server, 'listening');
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  onTestFinished(async () => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
    await actions.close(0);
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const answers: Record<string, number> = {};
  const sent: string[] = [];
  const post = (number: number): Promise<void> => {
    const isAuthentic = number % 5 !== 1;
    const isOverCap = number % 11 === 3;
    const body = isOverCap ? Buffer.alloc(capBytes + 1, 'x') : bodyOf(random, number);
    const encoding = random.pick(encodings);
    const isExpected = isAuthentic && !isOverCap;
    if (isExpected) sent.push(body.toString('base64'));
    return new Promise((resolve) => {
      const finish = (answer: string): void => {
        const key = `${isAuthentic ? (isOverCap ? 'over the cap' : 'authentic') : 'not authentic'}: ${answer}`;
        answers[key] = (answers[key] ?? 0) + 1;
        resolve();
      };
      const outgoing = request(
        {
          agent,
          port,
          host: '127.0.0.1',
          path: '/webhook',
          method: 'POST',
          headers: {
            authorization: isAuthentic ? `Bearer ${secret}` : `Bearer ${secret.slice(1)}`,
            'content-type': random.pick(types),
            ...(encoding !== undefined && { 'content-encoding': encoding }),
            // Some declare their length, some are chunked.
            ...(random.below(2) === 0
              ? { 'content-length': String(body.length) }
              : { 'transfer-encoding': 'chunked' }),
          },
        },
        (response) => {
          response.resume();
          response.on('end', () => finish(String(response.statusCode)));
        },
      );
      // A rejected body is not read, so its sender may see a closed connection.
      outgoing.on('error', () => finish('closed'));
      outgoing.end(body);
    });
  };
  for (let at = 0; at < count; at += 16)
    await Promise.all(Array.from({ length: Math.min(16, count - at) }, (_, n) => post(at + n)));
  await expect.poll(async () => (await inbox.counts())?.pending, { timeout: 50_000 }).toBe(0);
  const stored = (await inbox.list({ limit: count, from: '0' })).map(({ raw }) =>
    Buffer.from(raw).toString('base64'),
  );
  return { answers, sent: sent.sort(), stored: stored.sort() };
};

describe('malformed and hostile bodies', () => {
  it('are stored byte for byte if they carry the token and fit, and are rejected otherwise', async () => {
    const prototype = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));
    const { answers, sent, stored } = await run(sized(250, 50_000), []);
    expect(answers['authentic: 202']).toBe(sent.length);
    expect(stored).toEqual(sent);
    const kinds = Object.keys(answers).sort();
    const allowed = /^(?:authentic: 202|not authentic: (?:401|closed)|over the cap: (?:413|closed))$/;
    expect(kinds.filter((kind) => !allowed.test(kind))).toEqual([]);
    expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype))).toBe(prototype);
  });

  it('control: would be lost by a host that parses before it stores', async () => {
    const { answers, sent, stored } = await run(100, [express.json({ type: () => true })]);
    expect(answers['authentic: 400']).toBeGreaterThan(0);
    expect(stored.length).toBeLessThan(sent.length);
  });
});
