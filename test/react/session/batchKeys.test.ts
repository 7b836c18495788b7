import type { IncomingMessage } from 'node:http';
import { QueryClient } from '@tanstack/react-query';
import { maxKeysPerRequest } from '@vitrine/contract';
import { embedKeyOptions } from '@vitrine/react';
import { batchKeys } from '@vitrine/react/batch';
import { createNodeHandler, type VitrineOptions } from '@vitrine/server';
import { expect, it, onTestFinished } from 'vitest';
import { serveUntilEnd } from '../../support/serveUntilEnd.ts';
import { connectionTo, startStandInPortal } from '../../support/standInPortal.ts';

/** The key requests of a page with a real backend; `sent` contains the bodies of its requests. */
const createPage = async (
  options: Partial<VitrineOptions<IncomingMessage>> = {},
  statusOfBatches?: number,
) => {
  const portal = await startStandInPortal();
  onTestFinished(() => portal.close());
  const handler = createNodeHandler({
    portal: connectionTo(portal.url),
    viewer: () => ({ userId: 'north' }),
    canView: () => true,
    logger: false,
    ...options,
  });
  onTestFinished(() => handler.close());
  const origin = await serveUntilEnd(handler);
  const sent: unknown[] = [];
  const send: typeof fetch = async (input, init) => {
    const body = JSON.parse(init?.body as string);
    sent.push(body);
    // An older backend reads only itemId.
    if (statusOfBatches !== undefined && body.itemIds)
      return Response.json({ code: 'route_not_found', status: statusOfBatches }, { status: statusOfBatches });
    return fetch(input, init);
  };
  const batching = batchKeys(send);
  const client = new QueryClient();
  onTestFinished(() => client.clear());
  const ask = (
    itemId: number,
    {
      wrap = (given) => given,
      ...more
    }: Parameters<typeof embedKeyOptions>[1] & {
      wrap?: (given: typeof fetch) => typeof fetch;
    } = {},
  ) =>
    client.fetchQuery(
      embedKeyOptions(itemId, { endpoint: `${origin}/api/embed`, fetch: wrap(batching), ...more }),
    );
  return { ask, client, sent, send };
};

const numbers = (count: number) => Array.from({ length: count }, (_, index) => 1000 + index);

it('requests all keys of one tick in a single request', async () => {
  const { ask, sent } = await createPage();
  const keys = await Promise.all(numbers(30).map((itemId) => ask(itemId)));
  expect(keys.map(({ itemId }) => itemId)).toEqual(numbers(30));
  expect(sent).toEqual([{ itemIds: numbers(30) }]);
});

it('control: sends a request per key without batching', async () => {
  const { ask, sent, send } = await createPage();
  await Promise.all(numbers(30).map((itemId) => ask(itemId, { fetch: send })));
  expect(sent).toHaveLength(30);
});

it('requests a single key as usual', async () => {
  const { ask, sent } = await createPage();
  await ask(1042);
  expect(sent).toEqual([{ itemId: 1042 }]);
});

it('waits for asynchronous headers', async () => {
  const { ask, sent } = await createPage();
  const headers = async () => ({ authorization: 'Bearer of-this-page' });
  await Promise.all([ask(1042, { headers }), ask(1043, { headers })]);
  expect(sent).toEqual([{ itemIds: [1042, 1043] }]);
});

it('separates requests with different headers', async () => {
  const { ask, sent } = await createPage();
  await Promise.all([ask(1042, { headers: { 'x-one': '1' } }), ask(1043, { headers: { 'x-one': '2' } })]);
  expect(sent).toEqual([{ itemId: 1042 }, { itemId: 1043 }]);
});

it('separates requests when the host adds headers to its own object', async () => {
  const { ask, sent } = await createPage();
  const inHeaders =
    (batching: typeof fetch): typeof fetch =>
    (input, init) =>
      batching(input, { ...init, headers: new Headers(init?.headers) });
  const [one, two] = ['1', '2'].map((value) => ({ headers: { 'x-one': value }, wrap: inHeaders }));
  await Promise.all([ask(1042, one), ask(1043, two)]);
  expect(sent).toEqual([{ itemId: 1042 }, { itemId: 1043 }]);
});

it('gives each report its own result', async () => {
  const { ask } = await createPage({ canView: (_, itemId) => itemId !== 7 });
  const [granted, refused] = await Promise.allSettled([ask(1042), ask(7)]);
  expect(granted).toMatchObject({ value: { itemId: 1042 } });
  expect(refused).toMatchObject({ reason: { code: 'report_unavailable', status: 404 } });
});

it('passes a result for the whole request to every report', async () => {
  const { ask, sent } = await createPage({ viewer: () => undefined });
  const answers = await Promise.allSettled([ask(1042), ask(1043)]);
  for (const answer of answers) expect(answer).toMatchObject({ reason: { code: 'signed_out', status: 401 } });
  expect(sent).toHaveLength(1);
});

it(`requests at most ${maxKeysPerRequest} keys at once`, async () => {
  const { ask, sent } = await createPage();
  await Promise.all(numbers(maxKeysPerRequest + 2).map((itemId) => ask(itemId)));
  expect(sent).toEqual([
    { itemIds: numbers(maxKeysPerRequest) },
    { itemIds: [1000 + maxKeysPerRequest, 1001 + maxKeysPerRequest] },
  ]);
});

it.each([400, 404, 405, 422])(
  'falls back to single requests when a backend answers a batch with %i, and remembers that',
  async (status) => {
    const { ask, sent } = await createPage({}, status);
    await Promise.all([ask(1042), ask(1043)]);
    expect(sent).toEqual([{ itemIds: [1042, 1043] }, { itemId: 1042 }, { itemId: 1043 }]);
    await Promise.all([ask(1044), ask(1045)]);
    expect(sent.slice(3)).toEqual([{ itemId: 1044 }, { itemId: 1045 }]);
  },
);

it.each([null, 'key', { key: 'text' }, { problem: { status: 'x' } }, {}])(
  'repeats the request of a report when its batch entry is %j',
  async (entry) => {
    const key = { itemId: 1042, key: 'k', tenantUrl: 'https://acme.portal.example', expiresAt: 'x' };
    const sent: unknown[] = [];
    const fetchKeys = batchKeys(async (_, init) => {
      const body = JSON.parse(init?.body as string);
      sent.push(body);
      return Response.json(body.itemIds ? { results: [{ key }, entry] } : { alone: true });
    });
    const ask = (itemId: number) =>
      fetchKeys('/api/embed/keys', { body: JSON.stringify({ itemId }) }).then((response) => response.json());
    expect(await Promise.all([ask(1042), ask(1043)])).toEqual([key, { alone: true }]);
    expect(sent).toEqual([{ itemIds: [1042, 1043] }, { itemId: 1043 }]);
  },
);

it('omits a report that unmounted in the same tick', async () => {
  const { ask, client, sent } = await createPage();
  const [gone, second, third] = [ask(1042), ask(1043), ask(1044)].map((key) => key.catch(() => 'canceled'));
  await client.cancelQueries({ predicate: ({ queryKey }) => queryKey.at(-1) === 1042 });
  expect(await gone).toBe('canceled');
  expect(await Promise.all([second, third])).toMatchObject([{ itemId: 1043 }, { itemId: 1044 }]);
  expect(sent).toEqual([{ itemIds: [1043, 1044] }]);
});

it('passes a network failure to every report', async () => {
  const fails = batchKeys(async () => {
    throw new TypeError('no network');
  });
  const client = new QueryClient();
  const ask = (itemId: number) =>
    client.fetchQuery(embedKeyOptions(itemId, { endpoint: '/api/embed', fetch: fails }));
  for (const answer of await Promise.allSettled([ask(1042), ask(1043)]))
    expect(answer).toMatchObject({ reason: { code: 'backend_unreachable' } });
});
