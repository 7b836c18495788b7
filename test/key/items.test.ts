import { createFetchHandler, type VitrineOptions } from '@vitrine/server';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { viewerByHeader } from '../support/keyRequest.ts';
import { recordLog } from '../support/recordLog.ts';
import {
  connectionTo,
  type StandInAnswer,
  type StandInPortal,
  startStandInPortal,
} from '../support/standInPortal.ts';

let portal: StandInPortal;
beforeEach(async () => {
  portal = await startStandInPortal();
});
afterEach(() => portal.close());

const itemsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: 1 + n, type: 'report', displayName: `Report ${1 + n}` }));

/** A host with the option `items`, in front of a tenant with these items. */
const mount = (items: readonly object[], options: Partial<VitrineOptions<Request>> = {}) => {
  const answer: StandInAnswer = { body: { items, totalCount: items.length } };
  portal.answer = () => answer;
  const logger = recordLog();
  const handler = createFetchHandler({
    portal: connectionTo(portal.url),
    viewer: viewerByHeader,
    canView: (_viewer, itemId) => itemId % 2 === 0,
    items: true,
    logger,
    ...options,
  });
  onTestFinished(() => handler.close());
  const ask = async (headers: Record<string, string> = {}, method = 'GET') => {
    const request = new Request('http://host.example/api/embed/items', {
      method,
      headers: { 'x-vitrine-request': '1', 'x-user': 'north', ...headers },
    });
    const response = await handler(request);
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return { ask, handler, lines: logger.lines };
};

describe('GET {endpoint}/items', () => {
  it('lists the reports, dashboards and apps that canView allows, and is not stored', async () => {
    const { ask } = mount([
      { id: 1, type: 'Report', displayName: 'Not for this viewer' },
      { id: 2, type: 'Report', displayName: 'Sales by region' },
      { id: 4, type: 'dashboard', displayName: 'Overview' },
      { id: 6, type: 'App' },
      { id: 8, type: 'Dataset', displayName: 'Rows' },
      { id: 10, displayName: 'No type' },
      { guid: '0d6cfb6a-1111-4222-8333-444455556666', type: 'Report', displayName: 'No number' },
    ]);
    const { status, headers, body } = await ask();
    expect(status).toBe(200);
    expect(body).toEqual([
      { itemId: 2, name: 'Sales by region', type: 'Report' },
      { itemId: 4, name: 'Overview', type: 'dashboard' },
      { itemId: 6, name: '', type: 'App' },
    ]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(portal.calls.map(({ url }) => url)).toEqual(['/v1/items']);
  });

  it('does not exist unless the host turns it on', async () => {
    for (const items of [undefined, false]) {
      const { ask } = mount(itemsOf(2), { items } as object);
      expect(await ask()).toMatchObject({ status: 404, body: { code: 'route_not_found' } });
    }
    expect(portal.calls).toEqual([]);
  });

  it('answers only the same site, with the marker, with GET, and a viewer who is signed in', async () => {
    const { ask } = mount(itemsOf(2));
    expect(await ask({ 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 403 });
    expect(await ask({}, 'POST')).toMatchObject({ status: 405 });
    const { handler } = mount(itemsOf(2), { viewer: () => null });
    const get = (headers: Record<string, string>) =>
      handler(new Request('http://host.example/api/embed/items', { headers }));
    expect((await get({})).status).toBe(403);
    expect((await get({ 'x-vitrine-request': '1' })).status).toBe(401);
    expect(portal.calls).toEqual([]);
  });

  it('counts in the rate limit', async () => {
    const { ask } = mount(itemsOf(2), { rateLimit: { points: 1, durationSeconds: 60 } });
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 429]);
  });

  it('asks for the list once a minute, and canView each time', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const canView = vi.fn(() => true);
    const { ask } = mount(itemsOf(2), { canView });
    for (const user of ['north', 'south']) await ask({ 'x-user': user });
    vi.advanceTimersByTime(59_000);
    await ask();
    expect([portal.calls.length, canView.mock.calls.length]).toEqual([1, 6]);
    vi.advanceTimersByTime(1000);
    await ask();
    expect(portal.calls).toHaveLength(2);
  });

  it('asks again after the list could not be read', async () => {
    const { ask } = mount(itemsOf(2));
    const { answer } = portal;
    portal.answer = () => ({ status: 501, body: '' });
    expect((await ask()).status).toBe(503);
    portal.answer = answer;
    expect((await ask()).body).toHaveLength(1);
  });

  it('names the permission that the API key lacks', async () => {
    const { ask, lines } = mount([]);
    portal.answer = () => ({ status: 403, body: { error: { message: 'No.' } } });
    expect(await ask()).toMatchObject({ status: 502, body: { code: 'portal_refused' } });
    expect(lines[0]?.fields['hint']).toContain('Administration.Items');
  });

  it.each([
    ['an HTML page', { status: 404, body: '<p>Not found</p>' }],
    ['another service', { status: 404, body: { error: { code: 'route_not_found', message: 'No.' } } }],
    ['fewer rows than its total', { status: 200, body: { items: itemsOf(2), totalCount: 7 } }],
  ])('takes %s for a wrong address, and not for an absent report', async (_what, answer) => {
    const { ask, lines } = mount([]);
    portal.answer = () => answer;
    expect(await ask()).toMatchObject({ status: 502, body: { code: 'portal_invalid_response' } });
    expect(lines[0]?.fields['hint']).toContain('at apiBaseUrl');
    expect(JSON.stringify(lines)).not.toMatch(/undefined|\badapt\b/);
  });

  it('waits for the portal as long as for a key', async () => {
    const { ask, lines } = mount([], { upstream: { totalTimeoutMs: 300 } });
    portal.answer = () => new Promise<never>(() => {});
    const sinceMs = performance.now();
    expect(await ask()).toMatchObject({ status: 504, body: { code: 'portal_timeout' } });
    expect(performance.now() - sinceMs).toBeLessThan(5000);
    expect(lines[0]?.fields['problem']).toMatch(/^The portal did not list its items within/);
  });

  it('asks at most 16 times at once, and at most about 500 items', async () => {
    let [running, most] = [0, 0];
    const canView = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return true;
    };
    const within = mount(itemsOf(500), { canView });
    expect((await within.ask()).body).toHaveLength(500);
    expect(most).toBe(16);
    const beyond = mount(itemsOf(501), { canView });
    const { status, body } = await beyond.ask();
    expect([status, body.detail]).toEqual([500, expect.stringContaining('items: (viewer) => itemIds')]);
  });

  it('gives up after two seconds, and asks no further', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const asked = Promise.withResolvers<void>();
    const canView = vi.fn(() => {
      asked.resolve();
      return new Promise<boolean>(() => undefined);
    });
    const { ask } = mount(itemsOf(100), { canView });
    const answer = ask();
    await asked.promise;
    await vi.advanceTimersByTimeAsync(2000);
    expect((await answer).body.detail).toContain('within 2000 ms');
    expect(canView).toHaveBeenCalledTimes(16);
  });

  it('refuses IDs that are text, which no item would match', async () => {
    const { ask, lines } = mount(itemsOf(4), { items: () => ['2'] as never });
    expect(await ask()).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    expect(lines[0]?.fields['problem']).toContain('positive whole numbers');
  });

  it('asks only about the items that a function returns, and never about one that the tenant lacks', async () => {
    const canView = vi.fn((_viewer: unknown, itemId: number) => itemId !== 4);
    const { ask } = mount(itemsOf(600), {
      canView,
      items: ({ userId }) => (userId === 'north' ? [2, 4, 999] : []),
    });
    expect((await ask()).body).toEqual([{ itemId: 2, name: 'Report 2', type: 'report' }]);
    expect(canView.mock.calls.map(([, itemId]) => itemId)).toEqual([2, 4]);
    expect((await ask({ 'x-user': 'south' })).body).toEqual([]);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('database')), 'items() threw Error: database'],
    [
      'returns no list',
      () => '2' as never,
      'items() threw TypeError: It did not return a list of item IDs, which are positive whole numbers.',
    ],
  ])('fails when the function %s', async (_title, items, problem) => {
    const { ask, lines } = mount(itemsOf(2), { items });
    expect(await ask()).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    expect(lines[0]?.fields['problem']).toBe(problem);
  });
});
