import { describe, expect, it } from 'vitest';
import { startCachingProxy } from './cachingProxy.ts';
import { serveUntilEnd } from './serveUntilEnd.ts';

const ask = async (headers: Record<string, string>, second: Record<string, string> = {}, laterMs = 0) => {
  let [count, nowMs] = [0, 1_700_000_000_000];
  const target = await serveUntilEnd((_request, response) => {
    response.writeHead(200, headers).end(String((count += 1)));
  });
  const proxy = await startCachingProxy(target, { now: () => nowMs });
  const read = async (init: Record<string, string>) =>
    (
      await fetch(`${proxy.url}/`, { method: 'POST', body: '{}', headers: { cookie: 'north', ...init } })
    ).text();
  await read(second['authorization'] === undefined ? {} : second);
  nowMs += laterMs;
  return (await read(second)) === '1' ? 'reused' : 'asked again';
};

type Headers = Record<string, string>;
type Row = [title: string, answer: Headers, second: Headers, laterMs: number, expected: string];

describe('the caching proxy of the tests keeps to RFC 9111', () => {
  it.each([
    ['reuses what says nothing, for a while', {}, {}, 0, 'reused'],
    ['and not for ever', {}, {}, 120_000, 'asked again'],
    ['reuses within max-age', { 'cache-control': 'max-age=5' }, {}, 4999, 'reused'],
    ['and not beyond', { 'cache-control': 'max-age=5' }, {}, 5000, 'asked again'],
    ['goes by s-maxage first', { 'cache-control': 'max-age=5, s-maxage=9' }, {}, 8000, 'reused'],
    ['knows Expires', { expires: new Date(1_700_000_009_000).toUTCString() }, {}, 9000, 'asked again'],
    ['stores nothing that says no-store', { 'cache-control': 'no-store' }, {}, 0, 'asked again'],
    ['stores nothing private', { 'cache-control': 'private, max-age=9' }, {}, 0, 'asked again'],
    ['does not mind cookies', {}, { cookie: 'south' }, 0, 'reused'],
    ['unless Vary names them', { vary: 'Accept, Cookie' }, { cookie: 'south' }, 0, 'asked again'],
    ['reuses where what Vary names is the same', { vary: 'Cookie' }, {}, 0, 'reused'],
    ['reuses nothing that varies by *', { vary: '*' }, {}, 0, 'asked again'],
    ['stores nothing that came with Authorization', {}, { authorization: 'Bearer a' }, 0, 'asked again'],
    [
      'unless it is public',
      { 'cache-control': 'public, max-age=9' },
      { authorization: 'Bearer a' },
      0,
      'reused',
    ],
  ] satisfies Row[])('%s', async (...[, headers, second, laterMs, expected]) => {
    expect(await ask(headers, second, laterMs)).toBe(expected);
  });
});
