import { createFetchHandler, type VitrineOptions } from '@vitrine/server';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { keyRequest, viewerByHeader } from '../support/keyRequest.ts';
import { recordLog } from '../support/recordLog.ts';
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

const mount = (options: Partial<VitrineOptions<Request>> = {}) => {
  const logger = recordLog();
  const handler = createFetchHandler({
    portal: connectionTo(portal.url),
    viewer: viewerByHeader,
    canView: () => true,
    logger,
    ...options,
  });
  onTestFinished(() => handler.close());
  const ask = async (user = 'a@acme.example', itemId = 1042) => {
    const response = await handler(keyRequest(itemId, user));
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return { ask, handler, lines: logger.lines };
};

/** Clocks that only the test advances; timers and sockets are real. */
const fakeClocks = () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
};

describe("the portal's response", () => {
  it.each([
    [500, refusalOf(0, 'Passphrase is wrong.'), 502, 'portal_refused'],
    [200, refusalOf(0, 'Passphrase is wrong.'), 502, 'portal_refused'],
    [401, refusalOf(401, 'Unknown API key.'), 502, 'portal_refused'],
    [403, refusalOf(403, 'No permission.'), 502, 'portal_refused'],
    [404, refusalOf(404, 'No item.'), 404, 'report_unavailable'],
    [404, '<html>nginx</html>', 502, 'portal_invalid_response'],
    [200, '<html>login</html>', 502, 'portal_invalid_response'],
    [200, envelopeOf('abc","itemId":7,"key":"abc'), 502, 'portal_invalid_response'],
    [200, envelopeOf('abc\\'), 502, 'portal_invalid_response'],
    [503, '', 503, 'portal_unavailable'],
  ])('with status %i and %j is mapped to %i %s', async (...[status, body, expectedStatus, code]) => {
    portal.answer = () => ({ status, body });
    const { ask, lines } = mount({ upstream: { retry: false } });
    const answer = await ask();
    expect(answer).toMatchObject({ status: expectedStatus, body: { code, status: expectedStatus } });
    expect(JSON.stringify(answer.body)).not.toMatch(/Passphrase|Unknown API|permission|html/);
    if (code !== 'report_unavailable')
      expect(lines[0]?.fields).toMatchObject({ requestId: answer.body.requestId, portalStatus: status });
  });

  it('reaches the operator with a hint about what to do', async () => {
    fakeClocks();
    portal.answer = () => {
      vi.advanceTimersByTime(250);
      return { status: 401, body: refusalOf(401, 'Unknown API key.') };
    };
    const { ask, lines } = mount();
    vi.advanceTimersByTime(1000);
    await ask();
    expect(lines).toEqual([
      {
        level: 'error',
        message: 'No key issued.',
        fields: {
          code: 'portal_refused',
          requestId: expect.any(String),
          itemId: 1042,
          tenancyName: 'acme',
          durationMs: 250,
          problem: 'The portal refused to create a key (status 401): "Unknown API key".',
          hint: expect.any(String),
          portalStatus: 401,
          portalCode: '401',
          attempts: 1,
        },
      },
    ]);
  });

  it('omits the status of the portal from the log line if there is no response', async () => {
    await portal.close();
    const { ask, lines } = mount({ upstream: { retry: false } });
    expect(await ask()).toMatchObject({ status: 502 });
    expect(Object.keys(lines[0]?.fields ?? {})).toContain('attempts');
    expect(Object.keys(lines[0]?.fields ?? {})).not.toContain('portalStatus');
  });

  it.each([
    [429, '7', 7000],
    [429, '3600', 60_000],
    [503, '7', 7000],
    [503, '3600', 60_000],
  ])('with status %i and Retry-After %s asks the browser to wait for %i ms', async (...row) => {
    const [status, seconds, retryAfterMs] = row;
    portal.answer = () => ({ status, headers: { 'retry-after': seconds }, body: '' });
    const { ask } = mount();
    const answer = await ask();
    expect(answer).toMatchObject({ status, body: { retryAfterMs } });
    expect(answer.headers.get('retry-after')).toBe(String(retryAfterMs / 1000));
    expect(portal.calls).toHaveLength(1);
    // Nobody else is refused for it.
    portal.answer = () => ({ body: envelopeOf('abc') });
    expect(await ask('b@acme.example')).toMatchObject({ status: 200 });
  });
});

describe('a viewer whose reports hang', () => {
  const userOf = (body: string): string => JSON.parse(body).value.userId;

  it('takes at most half of the connections, also after one of the calls has ended', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    portal.answer = async ({ body }) => {
      if (userOf(body) === 'greedy') await gates[JSON.parse(body).value.reportId === 1 ? 0 : 1]?.promise;
      return { body: envelopeOf('abc') };
    };
    const { ask, handler } = mount({ upstream: { connections: 4 } });
    const calls = () => portal.calls.filter(({ body }) => userOf(body) === 'greedy').length;
    const greedy = Array.from({ length: 6 }, (_, n) => ask('greedy', 1 + n));
    await vi.waitUntil(() => calls() === 2, { timeout: 20_000 });
    expect(handler.health().tenants[0]).toMatchObject({ callsInFlight: 2, callsWaiting: 4 });
    expect(await ask('other')).toMatchObject({ status: 200 });
    gates[0]?.resolve();
    await greedy[0];
    await vi.waitUntil(() => calls() === 3, { timeout: 20_000 });
    expect(await ask('other')).toMatchObject({ status: 200 });
    expect(handler.health().tenants[0]).toMatchObject({ callsInFlight: 2, callsWaiting: 3 });
    gates[1]?.resolve();
    expect(new Set((await Promise.all(greedy)).map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('a report that hangs', () => {
  it('takes at most three quarters of the connections, whoever opens it', async () => {
    const gate = Promise.withResolvers<void>();
    const itemOf = (body: string): number => JSON.parse(body).value.reportId;
    portal.answer = async ({ body }) => {
      if (itemOf(body) === 1) await gate.promise;
      return { body: envelopeOf('abc') };
    };
    const { ask, handler } = mount({ upstream: { connections: 4, maxQueue: 4 } });
    const hanging = Array.from({ length: 7 }, (_, n) => ask(`${n}@acme.example`, 1));
    expect(await Promise.race(hanging)).toMatchObject({ status: 503, body: { code: 'overloaded' } });
    expect(handler.health().tenants[0]).toMatchObject({ callsInFlight: 3, callsWaiting: 3 });
    expect(await ask('0@acme.example', 2)).toMatchObject({ status: 200 });
    expect(await ask('other@acme.example', 2)).toMatchObject({ status: 200 });
    gate.resolve();
    const statuses = (await Promise.all(hanging)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(6);
  });
});

describe('many concurrent viewers', () => {
  const holdAnswers = () => {
    const gate = Promise.withResolvers<void>();
    portal.answer = async () => {
      await gate.promise;
      return { body: envelopeOf('abc') };
    };
    return gate;
  };

  it('wait for a free connection, and are asked to return when the queue is full', async () => {
    const gate = holdAnswers();
    const { ask, handler, lines } = mount({ upstream: { connections: 2, maxQueue: 3 } });
    const asked = Array.from({ length: 7 }, (_, n) => ask(`${n}@acme.example`, 1042 + n));
    const rejected = await Promise.race(asked);
    expect(rejected).toMatchObject({ status: 503, body: { code: 'overloaded', retryAfterMs: 1000 } });
    expect(handler.health().tenants[0]).toMatchObject({ callsInFlight: 2, callsWaiting: 3 });
    expect(lines[0]?.fields['problem']).toBe('Too many calls are waiting for a connection to the portal.');
    gate.resolve();
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(portal.calls).toHaveLength(5);
  });

  it('get a connection while another viewer fills the queue', async () => {
    const gate = holdAnswers();
    const { ask, handler } = mount({ upstream: { connections: 4, maxQueue: 4 } });
    const greedy = Array.from({ length: 12 }, (_, n) => ask('greedy@acme.example', 1042 + n));
    expect(await Promise.race(greedy)).toMatchObject({ status: 503, body: { code: 'overloaded' } });
    const other = ask('other@acme.example');
    while (handler.health().tenants[0]?.callsInFlight !== 3)
      await new Promise((resolve) => setImmediate(resolve));
    gate.resolve();
    expect((await other).status).toBe(200);
    const statuses = (await Promise.all(greedy)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(4);
  });

  it('get a response in time even if no connection becomes free, and the operator is told what to change', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const gate = holdAnswers();
    onTestFinished(() => gate.resolve());
    const { ask, handler, lines } = mount({
      upstream: { connections: 1, totalTimeoutMs: 5000, retry: false },
    });
    const asked = [ask('first@acme.example'), ask('second@acme.example')];
    while (handler.health().tenants[0]?.callsWaiting !== 1)
      await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(5000);
    for (const answer of await Promise.all(asked))
      expect(answer).toMatchObject({ status: 504, body: { code: 'portal_timeout' } });
    expect(lines.map(({ fields }) => [fields['problem'], fields['hint']])).toContainEqual([
      'The viewer waited too long for a free connection to the portal.',
      expect.stringContaining('upstream.connections'),
    ]);
  });

  it('free their place in the queue when they leave', async () => {
    const gate = holdAnswers();
    const { ask, handler } = mount({ upstream: { connections: 1, maxQueue: 1 } });
    const waiting = () => handler.health().tenants[0]?.callsWaiting;
    const untilOneWaits = async () => {
      while (waiting() !== 1) await new Promise((resolve) => setImmediate(resolve));
    };
    const leaving = new AbortController();
    const first = ask('first@acme.example');
    const leavingRequest = keyRequest(1042, 'second@acme.example');
    leavingRequest.headers.set('x-request-id', 'second');
    const second = handler(new Request(leavingRequest, leaving));
    await untilOneWaits();
    leaving.abort();
    expect((await second).status).toBe(499);
    expect(waiting()).toBe(0);
    const third = ask('third@acme.example');
    await untilOneWaits();
    gate.resolve();
    expect((await Promise.all([first, third])).map(({ status }) => status)).toEqual([200, 200]);
    expect(portal.calls).toHaveLength(2);
  });

  it('get a response in time even if the portal does not respond', async () => {
    const gate = Promise.withResolvers<void>();
    onTestFinished(() => gate.resolve());
    portal.answer = async () => {
      await gate.promise;
      return { body: '' };
    };
    const { ask } = mount({ upstream: { connections: 1, totalTimeoutMs: 200 } });
    const answers = await Promise.all([ask('a@acme.example'), ask('b@acme.example')]);
    expect(answers.map(({ body }) => body.code)).toEqual(['portal_timeout', 'portal_timeout']);
  });

  it('share one call for the same key, and its failure is not cached', async () => {
    portal.answer = () => ({ status: 500, body: refusalOf(0, 'No.') });
    const { ask } = mount();
    const failed = await Promise.all([ask(), ask(), ask()]);
    expect(failed.map(({ status }) => status)).toEqual([502, 502, 502]);
    expect(portal.calls).toHaveLength(1);
    portal.answer = () => ({ body: envelopeOf('abc') });
    expect(await ask()).toMatchObject({ status: 200 });
  });

  it('are recorded as having left when they leave a shared call', async () => {
    const gate = holdAnswers();
    const outcomes: string[] = [];
    const { ask, handler } = mount({ audit: ({ outcome }) => void outcomes.push(outcome) });
    const leaving = new AbortController();
    const first = handler(new Request(keyRequest(1042, 'a@acme.example'), leaving));
    const second = ask();
    await vi.waitUntil(() => portal.calls.length > 0, { timeout: 20_000 });
    leaving.abort();
    gate.resolve();
    expect(await second).toMatchObject({ status: 200 });
    expect((await first).status).toBe(499);
    await vi.waitUntil(() => outcomes.length === 2, { timeout: 20_000 });
    expect([portal.calls.length, ...outcomes.sort()]).toEqual([1, 'aborted', 'issued']);
  });

  it('get a new call if they arrive just as the last one leaves', async () => {
    const asked = Promise.withResolvers<void>();
    portal.answer = async () => {
      asked.resolve();
      await new Promise(() => undefined);
      return { body: '' };
    };
    const [isWaiting, isAllowed] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()];
    const isThird = Promise.withResolvers<void>();
    let questions = 0;
    const { ask, handler } = mount({
      canView: () => {
        questions += 1;
        if (questions === 1) return true;
        (questions === 2 ? isWaiting : isThird).resolve();
        return isAllowed.promise;
      },
    });
    const leaving = new AbortController();
    const first = handler(new Request(keyRequest(1042, 'a@acme.example'), leaving));
    await asked.promise;
    const second = ask();
    await isWaiting.promise;
    const [isAskedAgain, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    portal.answer = async () => {
      isAskedAgain.resolve();
      await gate.promise;
      return { body: envelopeOf('own') };
    };
    // The first call was aborted and has not ended when the second viewer's call starts.
    isAllowed.resolve(true);
    leaving.abort();
    expect((await first).status).toBe(499);
    await isAskedAgain.promise;
    // By now it has ended, and a third viewer shares the call of the second one.
    const third = ask();
    await isThird.promise;
    gate.resolve();
    for (const answer of [second, third])
      expect(await answer).toMatchObject({ status: 200, body: { key: 'own' } });
    expect(portal.calls).toHaveLength(2);
  });

  it('with another user, role or report never share a call', async () => {
    const { handler } = mount({
      viewer: (request) => JSON.parse(request.headers.get('x-user') ?? ''),
    });
    const people = [
      { userId: 'a', roleNames: ['b', 'c'] },
      { userId: 'a', roleNames: ['bc'] },
      { userId: 'a', roleNames: ['b'] },
      { userId: 'a' },
      { userId: 'a', roleNames: [] },
      { userId: 'a|1:b' },
      { userId: 'ab', roleNames: ['c'] },
    ];
    const same = [{ userId: 'a', roleNames: ['c', 'b', 'c'] }];
    const keys = await Promise.all(
      [...people, ...same].flatMap((person) =>
        [1042, 1043].map(async (itemId) => {
          const response = await handler(keyRequest(itemId, JSON.stringify(person)));
          return (await response.json()).key;
        }),
      ),
    );
    expect(new Set(keys).size).toBe(people.length * 2);
    expect(portal.calls).toHaveLength(people.length * 2);
  });
});

describe('health()', () => {
  it('is unknown before the first call, and ok after a key', async () => {
    const { ask, handler } = mount();
    expect(handler.health()).toMatchObject({ isLive: true, isReady: true, status: 'unknown' });
    await ask();
    expect(handler.health()).toMatchObject({
      isReady: true,
      status: 'ok',
      tenants: [{ tenancyName: 'acme', lastSuccessMs: expect.closeTo(Date.now(), -5) }],
    });
  });

  it('reports a rejection by the portal without counting it as a failure', async () => {
    const { ask, handler } = mount();
    portal.answer = () => ({ status: 500, body: refusalOf(0, 'Passphrase is wrong.') });
    await ask();
    expect(handler.health()).toMatchObject({
      isReady: true,
      status: 'ok',
      tenants: [{ status: 'ok', lastRefusal: expect.stringContaining('Passphrase is wrong') }],
    });
    expect(handler.health().tenants[0]).not.toHaveProperty('lastFailure');
  });

  it('is failing after a failure, and unknown a minute later without another call', async () => {
    fakeClocks();
    const { ask, handler } = mount({ upstream: { retry: false } });
    portal.answer = () => ({ status: 502, body: '' });
    await ask();
    expect(handler.health()).toMatchObject({ isReady: true, status: 'failing' });
    vi.advanceTimersByTime(59_000);
    expect(handler.health().status).toBe('failing');
    vi.advanceTimersByTime(1000);
    expect(handler.health().status).toBe('unknown');
  });

  it('is ok again with the first key after a failure', async () => {
    fakeClocks();
    const { ask, handler } = mount({ upstream: { retry: false } });
    portal.answer = () => ({ status: 502, body: '' });
    await ask();
    expect(handler.health().status).toBe('failing');
    vi.advanceTimersByTime(1000);
    portal.answer = () => ({ body: envelopeOf('abc') });
    await ask();
    expect(handler.health().status).toBe('ok');
  });

  it('separates the tenants of a process: one failing tenant does not affect the others', async () => {
    const other = await startStandInPortal();
    onTestFinished(() => other.close());
    other.answer = () => ({ status: 502, body: '' });
    const broken = { ...connectionTo(other.url), tenancyName: 'globex' };
    const works = connectionTo(portal.url);
    const { ask, handler } = mount({
      portal: (request) => (request.headers.get('x-user') === 'globex' ? broken : works),
      upstream: { retry: false },
    });
    await ask('globex');
    await ask('acme');
    const { status, isReady, tenants } = handler.health();
    expect([status, isReady]).toEqual(['ok', true]);
    expect(Object.fromEntries(tenants.map((tenant) => [tenant.tenancyName, tenant.status]))).toEqual({
      acme: 'ok',
      globex: 'failing',
    });
  });

  it('is not ready after close(), permanently', async () => {
    const viewer = vi.fn(() => ({ userId: 'a@acme.example' }));
    const errors: unknown[] = [];
    const { ask, handler, lines } = mount({ viewer, onError: (error) => void errors.push(error) });
    await ask();
    await handler.close();
    expect(handler.health()).toMatchObject({ isLive: true, isReady: false, tenants: [] });
    expect(await ask()).toMatchObject({ status: 503, body: { code: 'overloaded', retryAfterMs: 1000 } });
    expect(portal.calls).toHaveLength(1);
    expect(viewer).toHaveBeenCalledTimes(1);
    expect(errors).toMatchObject([{ name: 'KeyRequestError', message: 'close() was called.' }]);
    expect(lines).toMatchObject([
      {
        level: 'info',
        fields: { problem: 'close() was called.', hint: expect.stringContaining('shutting down') },
      },
    ]);
    await handler.close();
  });

  it('makes no call for a request that is in a callback during close()', async () => {
    const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()];
    const canView = () => {
      asked.resolve();
      return gate.promise;
    };
    const { ask, handler } = mount({ canView });
    const answer = ask();
    await asked.promise;
    await handler.close();
    gate.resolve(true);
    expect(await answer).toMatchObject({ status: 503, body: { code: 'overloaded' } });
    expect(portal.calls).toHaveLength(0);
  });

  it('completes calls that wait for a connection when it is closed', async () => {
    const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    portal.answer = async () => {
      asked.resolve();
      await gate.promise;
      return { body: envelopeOf('abc') };
    };
    const { handler } = mount({ upstream: { connections: 1 } });
    const answers = ['a', 'b', 'c'].map((user) => handler(keyRequest(1042, user)));
    await asked.promise;
    const closed = handler.close();
    gate.resolve();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200]);
    await closed;
  });

  it('completes calls in flight when it is closed', async () => {
    const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    portal.answer = async () => {
      asked.resolve();
      await gate.promise;
      return { body: envelopeOf('abc') };
    };
    const { ask, handler } = mount();
    const answer = ask();
    await asked.promise;
    const closed = handler.close();
    gate.resolve();
    expect(await answer).toMatchObject({ status: 200 });
    await closed;
  });
});
