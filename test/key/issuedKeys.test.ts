import { createFetchHandler, type VitrineOptions } from '@vitrine/server';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { keyRequest, viewerByHeader } from '../support/keyRequest.ts';
import {
  connectionTo,
  envelopeOf,
  type StandInPortal,
  startStandInPortal,
} from '../support/standInPortal.ts';

let portal: StandInPortal;
beforeEach(async () => {
  portal = await startStandInPortal();
});
afterEach(() => portal.close());

const minute = 60_000;

const mount = (options: Partial<VitrineOptions<Request>> = {}) => {
  const handler = createFetchHandler({
    portal: connectionTo(portal.url),
    viewer: viewerByHeader,
    canView: () => true,
    logger: false,
    keyLifetime: '60m',
    ...options,
  });
  onTestFinished(() => handler.close());
  const ask = async (itemId = 1042, user = 'a') => (await handler(keyRequest(itemId, user))).json();
  return { ask };
};

describe('the lifetime of a key', () => {
  it.each([
    ['the wall clock advances', 4000, 0, 4000],
    ['the wall clock is set back', -60 * minute, 0, 0],
    ['the wall clock is set back while time passes', -60 * minute, 4000, 4000],
    ['the machine is suspended', 4000, 1000, 4000],
  ])('counts from the request to the portal when %s meanwhile', async (...row) => {
    const [, wallMs, monotonicMs, ageMs] = row;
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.UTC(2026, 0, 1) });
    onTestFinished(() => void vi.useRealTimers());
    const { ask } = mount();
    portal.answer = () => {
      const startMs = Date.now();
      vi.advanceTimersByTime(monotonicMs);
      vi.setSystemTime(startMs + wallMs);
      return { body: envelopeOf('key-1') };
    };
    expect(await ask()).toMatchObject({ key: 'key-1', lifetimeMs: 60 * minute - 30_000 - ageMs });
  });
});

it('separates concurrent requests whose roles look the same when joined', async () => {
  const roles: Record<string, readonly string[]> = {
    one: ['a|b'],
    two: ['a', 'b'],
    three: ['a', '1:b'],
    four: ['a|1:b'],
    five: ['1:a', 'b'],
    six: ['b', 'a', '1:b'],
    seven: ['a,b'],
    // Control: the same roles share a call.
    'two again': ['b', 'a', 'b'],
  };
  const users = Object.keys(roles);
  const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let count = 0;
  portal.answer = async ({ body }) => {
    await gate.promise;
    return { body: envelopeOf(JSON.parse(body).value.roleNames.join('+')) };
  };
  const { ask } = mount({
    strictRls: false,
    viewer: (request) => ({ userId: 'u', roleNames: roles[request.headers.get('x-user') ?? ''] ?? [] }),
    canView: () => {
      count += 1;
      if (count === users.length) asked.resolve();
      return true;
    },
  });
  const keys = Promise.all(users.map(async (user) => (await ask(1042, user)).key));
  await asked.promise;
  // All have joined a call once the pending callbacks have run.
  await new Promise((resolve) => setImmediate(resolve));
  gate.resolve();
  expect((await keys).slice(0, -1)).toEqual(users.slice(0, -1).map((user) => roles[user]?.join('+')));
  expect(portal.calls).toHaveLength(users.length - 1);
});

it.each([
  ['the API key', { apiKey: 'another-api-key-0001' }],
  ['the passphrase', { passPhrase: 'another pass phrase 01' }],
  ['the tenant header', { tenantIdHeader: 'X-Tenant' }],
])('uses %s of a new connection to the same tenant', async (_title, change) => {
  let connection = connectionTo(portal.url);
  const { ask } = mount({ portal: () => connection });
  await ask();
  connection = { ...connection, ...change };
  await ask();
  const sent = portal.calls.map(({ headers, body }) =>
    [headers.authorization, Object.keys(headers), body].join().toLowerCase(),
  );
  const changed = Object.values(change)[0]?.toLowerCase();
  expect(sent[0]).not.toContain(changed);
  expect(sent[1]).toContain(changed);
});

describe('a body without a key request', () => {
  const only =
    'The body must contain only "itemId". The server decides who the viewer is and which roles apply.';
  const ask = async (body: string) => {
    const handler = createFetchHandler({
      portal: connectionTo(portal.url),
      viewer: viewerByHeader,
      canView: () => true,
      logger: false,
    });
    onTestFinished(() => handler.close());
    const { headers, method, url } = keyRequest(1042);
    return (await handler(new Request(url, { method, headers, body }))).json();
  };

  it.each([
    ['{', 'The body must be a JSON object such as {"itemId":1042}.'],
    ['{"itemId":\uFEFF1042}', 'The body must be a JSON object such as {"itemId":1042}.'],
    ['[1042]', 'The body must be a JSON object such as {"itemId":1042}.'],
    ['{"userId":"north"}', 'The body lacks "itemId", the ID of the report.'],
    ['{"itemId":1042,"userId":"north"}', only],
    ['{"itemId":0}', '"itemId" must be a positive whole number, such as 1042.'],
    [
      JSON.stringify({ itemId: 1, more: 'x'.repeat(2048) }),
      'The body of a key request must not exceed 2,048 bytes.',
    ],
  ])('is answered with an explanation: %j', async (body, detail) => {
    expect((await ask(body)).detail).toBe(detail);
    expect(portal.calls).toHaveLength(0);
  });
});
