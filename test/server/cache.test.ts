import { createFetchHandler, type VitrineOptions } from '@vitrine/server';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { keyRequest, viewerByHeader } from '../support/keyRequest.ts';
import {
  connectionTo,
  envelopeOf,
  refusalOf,
  type StandInPortal,
  startStandInPortal,
} from '../support/standInPortal.ts';

let portal: StandInPortal;
beforeEach(async () => {
  portal = await startStandInPortal();
});
afterEach(() => portal.close());

const startMs = Date.UTC(2026, 0, 1);
const minute = 60_000;
/** The remaining lifetime of a key, except for the milliseconds of the test itself. */
const about = (ms: number): unknown => expect.closeTo(ms, -3);

const mount = (options: Partial<VitrineOptions<Request>> = {}) => {
  const clock = { nowMs: startMs };
  const handler = createFetchHandler({
    portal: connectionTo(portal.url),
    viewer: viewerByHeader,
    canView: () => true,
    logger: false,
    keyLifetime: '60m',
    now: () => clock.nowMs,
    ...options,
  });
  onTestFinished(() => handler.close());
  const ask = async (itemId = 1042, user = 'a') => (await handler(keyRequest(itemId, user))).json();
  return { ask, clock };
};

describe('the key cache', () => {
  it('is off by default', async () => {
    const { ask } = mount();
    expect([(await ask()).key, (await ask()).key]).toEqual(['key-1', 'key-2']);
  });

  it('returns a key again with its remaining lifetime, until half of it has passed', async () => {
    const { ask, clock } = mount({ cache: true });
    expect(await ask()).toMatchObject({ key: 'key-1', lifetimeMs: about(60 * minute - 30_000) });
    clock.nowMs += 29 * minute;
    expect(await ask()).toMatchObject({ key: 'key-1', lifetimeMs: about(31 * minute - 30_000) });
    clock.nowMs += minute;
    expect(await ask()).toMatchObject({ key: 'key-2', lifetimeMs: about(60 * minute - 30_000) });
  });

  it('returns no key that expires within the margin, whatever maxAgeShare is', async () => {
    const { ask, clock } = mount({ cache: { maxAgeShare: 0.99 }, keyLifetime: '1m' });
    await ask();
    clock.nowMs += 47_000;
    expect(await ask()).toMatchObject({ key: 'key-1', lifetimeMs: about(7000) });
    // The margin is six seconds, subtracted twice: once from what the viewer receives, once so that some lifetime
    // remains.
    clock.nowMs += 2000;
    expect(await ask()).toMatchObject({ key: 'key-2', lifetimeMs: about(54_000) });
  });

  it('measures the age of a key although the clock was set back', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { ask, clock } = mount({ cache: true });
    await ask();
    clock.nowMs -= 60 * minute;
    vi.advanceTimersByTime(29 * minute);
    expect(await ask()).toMatchObject({ key: 'key-1', lifetimeMs: about(31 * minute - 30_000) });
    vi.advanceTimersByTime(minute);
    expect(await ask()).toMatchObject({ key: 'key-2' });
  });

  it('counts the time that the machine was suspended, when only the wall clock advances', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { ask, clock } = mount({ cache: true });
    await ask();
    clock.nowMs += 30 * minute;
    expect(await ask()).toMatchObject({ key: 'key-2' });
  });

  it('keeps roles apart that look the same when joined', async () => {
    const roles: Record<string, readonly string[]> = {
      one: ['a|b'],
      two: ['a', 'b'],
      three: ['a', '1:b'],
      four: ['a|1:b'],
      five: ['1:a', 'b'],
      six: ['b', 'a', '1:b'],
      seven: ['a,b'],
    };
    const { ask } = mount({
      cache: true,
      strictRls: false,
      viewer: (request) => ({ userId: 'u', roleNames: roles[request.headers.get('x-user') ?? ''] ?? [] }),
    });
    const keys: string[] = [];
    for (const name of Object.keys(roles)) keys.push((await ask(1042, name)).key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('returns no more than the full lifetime when the clock is set back while the key is created', async () => {
    const { ask, clock } = mount();
    portal.answer = () => {
      clock.nowMs -= 60 * minute;
      return { body: envelopeOf('key-1') };
    };
    expect(await ask()).toMatchObject({ key: 'key-1', lifetimeMs: about(60 * minute - 30_000) });
  });

  it('counts the age of a key from its request, however long the portal takes', async () => {
    const { ask, clock } = mount({ cache: true });
    portal.answer = () => {
      clock.nowMs += 4000;
      return { body: envelopeOf('key-1') };
    };
    const left = { key: 'key-1', lifetimeMs: about(60 * minute - 34_000) };
    expect([await ask(), await ask()]).toMatchObject([left, left]);
  });

  it('separates viewers and reports', async () => {
    const { ask } = mount({ cache: true });
    const keys = [await ask(1042, 'a'), await ask(1043, 'a'), await ask(1042, 'b')].map(({ key }) => key);
    expect(new Set(keys).size).toBe(3);
  });

  it('calls canView every time, because access may have changed', async () => {
    let isOpen = true;
    const { ask } = mount({ cache: true, canView: () => isOpen });
    expect(await ask()).toMatchObject({ key: 'key-1' });
    isOpen = false;
    expect(await ask()).toMatchObject({ code: 'report_unavailable' });
  });

  it('caches no failure', async () => {
    const { ask } = mount({ cache: true });
    const answer = portal.answer;
    portal.answer = () => ({ status: 500, body: refusalOf(0, 'No.') });
    expect(await ask()).toMatchObject({ code: 'portal_refused' });
    portal.answer = answer;
    expect(await ask()).toMatchObject({ key: 'key-2' });
  });

  it('evicts the least recently used key when it is full', async () => {
    const { ask } = mount({ cache: { maxEntries: 2 } });
    await ask(1);
    await ask(2);
    await ask(1);
    await ask(3);
    expect(await ask(1)).toMatchObject({ key: 'key-1' });
    expect(await ask(2)).toMatchObject({ key: 'key-4' });
  });

  it.each([
    ['the API key', { apiKey: 'another-api-key-0001' }],
    ['the passphrase', { passPhrase: 'another pass phrase 01' }],
    ['the tenant header', { tenantIdHeader: 'X-Tenant' }],
  ])('drops all keys when %s changes, and uses the new one', async (_title, change) => {
    let connection = connectionTo(portal.url);
    const { ask } = mount({ cache: true, portal: () => connection });
    expect(await ask()).toMatchObject({ key: 'key-1' });
    connection = { ...connection, ...change };
    expect(await ask()).toMatchObject({ key: 'key-2' });
    const { headers, body } = portal.calls.at(-1) ?? {};
    const sent = [headers?.authorization, Object.keys(headers ?? {}), body].join().toLowerCase();
    expect(sent).toContain(Object.values(change)[0]?.toLowerCase());
  });
});
