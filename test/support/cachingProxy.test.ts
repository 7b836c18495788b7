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

describe('the caching test proxy, by RFC 9111,', () => {
  it.each([
    ['reuses a response without cache headers for a while', {}, {}, 0, 'reused'],
    ['requests it again later', {}, {}, 120_000, 'asked again'],
    ['reuses within max-age', { 'cache-control': 'max-age=5' }, {}, 4999, 'reused'],
    ['requests it again after max-age', { 'cache-control': 'max-age=5' }, {}, 5000, 'asked again'],
    ['prefers s-maxage', { 'cache-control': 'max-age=5, s-maxage=9' }, {}, 8000, 'reused'],
    ['respects Expires', { expires: new Date(1_700_000_009_000).toUTCString() }, {}, 9000, 'asked again'],
    ['stores no response with no-store', { 'cache-control': 'no-store' }, {}, 0, 'asked again'],
    ['stores no private response', { 'cache-control': 'private, max-age=9' }, {}, 0, 'asked again'],
    ['ignores cookies', {}, { cookie: 'south' }, 0, 'reused'],
    ['respects cookies that Vary names', { vary: 'Accept, Cookie' }, { cookie: 'south' }, 0, 'asked again'],
    ['reuses a response when the headers in Vary are equal', { vary: 'Cookie' }, {}, 0, 'reused'],
    ['reuses no response with Vary: *', { vary: '*' }, {}, 0, 'asked again'],
    [
      'stores no response to a request with Authorization',
      {},
      { authorization: 'Bearer a' },
      0,
      'asked again',
    ],
    [
      'stores a public response to a request with Authorization',
      { 'cache-control': 'public, max-age=9' },
      { authorization: 'Bearer a' },
      0,
      'reused',
    ],
  ] satisfies Row[])('%s', async (...[, headers, second, laterMs, expected]) => {
    expect(await ask(headers, second, laterMs)).toBe(expected);
  });
});
