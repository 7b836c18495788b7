import { createServer } from 'node:net';
import { createFetchHandler, type VitrineOptions } from '@vitrine/server';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startFaultProxy } from '../support/faultProxy.ts';
import { keyRequest, viewerByHeader } from '../support/keyRequest.ts';
import { listenOn } from '../support/listenOn.ts';
import {
  connectionTo,
  envelopeOf,
  type ReceivedCall,
  type StandInAnswer,
  type StandInPortal,
  startStandInPortal,
} from '../support/standInPortal.ts';

let portal: StandInPortal;
beforeEach(async () => {
  portal = await startStandInPortal();
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await portal.close();
});

const mount = (options: Partial<VitrineOptions<Request>> = {}) => {
  const handler = createFetchHandler({
    portal: connectionTo(portal.url),
    viewer: viewerByHeader,
    canView: () => true,
    rateLimit: false,
    upstream: { retry: false },
    logger: false,
    ...options,
  });
  onTestFinished(() => handler.close());
  const ask = async (user: string, itemId = 1042) => {
    const response = await handler(keyRequest(itemId, user));
    return { status: response.status, body: await response.json() };
  };
  return { ask, handler, circuit: () => handler.health().tenants[0]?.circuit };
};

const brokenPage: StandInAnswer = {
  status: 500,
  headers: { 'content-type': 'text/html' },
  body: '<html>Server error</html>',
};
const asked = ({ body }: ReceivedCall): { userId: string; reportId: number } => JSON.parse(body).value;
/** A portal that fails for one report and works otherwise. */
const breakReport = (itemId: number) => {
  portal.answer = (call) => (asked(call).reportId === itemId ? brokenPage : { body: envelopeOf('abc') });
};
const callsOf = (user: string) => portal.calls.filter((call) => asked(call).userId === user).length;

describe('a viewer who leaves', () => {
  it('counts neither as a success nor as a failure of the portal', async () => {
    const { handler, ask, circuit } = mount();
    const leave = async (user: string) => {
      const asking = Promise.withResolvers<void>();
      portal.answer = () => {
        asking.resolve();
        return new Promise(() => undefined);
      };
      const leaving = new AbortController();
      const answer = handler(new Request(keyRequest(1042, user), { signal: leaving.signal }));
      await asking.promise;
      leaving.abort();
      expect((await answer).status).toBe(499);
    };
    for (let n = 0; n < 5; n += 1) {
      expect(circuit()).toBe('closed');
      await leave(`leaver-${n}`);
      await leave(`other-${n}`);
      portal.answer = () => brokenPage;
      await ask(`viewer-${n}`);
    }
    expect(circuit()).toBe('open');
  });
});

describe('a single viewer with one failing report', () => {
  it('does not open the circuit for the others', async () => {
    breakReport(666);
    const { ask, circuit } = mount();
    const statuses: number[] = [];
    for (let second = 0; second < 30; second += 1) {
      await ask('broken', 666);
      await ask('broken', 666);
      statuses.push((await ask(`viewer-${second % 5}`)).status);
      vi.advanceTimersByTime(1000);
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(circuit()).toBe('closed');
  });

  it('does not open the circuit by requesting many failing reports', async () => {
    portal.answer = (call) => (asked(call).userId === 'broken' ? brokenPage : { body: envelopeOf('abc') });
    const { ask, circuit } = mount();
    for (let n = 0; n < 60; n += 1) await ask('broken', 2000 + n);
    expect(circuit()).toBe('closed');
    expect(await ask('well')).toMatchObject({ status: 200 });
  });

  it.each([
    ['do not arrive in time', { kind: 'hang' }],
    ['end with a connection reset', { kind: 'reset' }],
    ['are truncated', { kind: 'truncate', bytes: 20 }],
  ] as const)('does not open the circuit when the responses %s', async (_title, fault) => {
    const proxy = await startFaultProxy(portal.url);
    onTestFinished(() => proxy.close());
    const broken = connectionTo(proxy.url);
    const { ask, circuit } = mount({
      portal: broken,
      upstream: { retry: false, attemptTimeoutMs: 500, totalTimeoutMs: 2000 },
    });
    proxy.fault = fault;
    await Promise.all(Array.from({ length: 12 }, (_, n) => ask('broken', 2000 + n)));
    expect(circuit()).toBe('closed');
    proxy.fault = { kind: 'none' };
    expect(await ask('well')).toMatchObject({ status: 200 });
  });

  it('does not open the circuit when the HTTP client cannot handle the responses', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n'));
    });
    const url = await listenOn(server);
    onTestFinished(() => void server.close());
    const { ask, handler, circuit } = mount({ portal: connectionTo(url) });
    for (let n = 0; n < 12; n += 1) await ask('broken', 2000 + n);
    expect(handler.health().tenants[0]?.lastFailure).toContain('ERR_ASSERTION');
    expect(circuit()).toBe('closed');
  });

  it('cannot use every connection: the others keep half of them', async () => {
    const [gate, isFull] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    portal.answer = async (call) => {
      if (asked(call).userId !== 'greedy') return { body: envelopeOf('abc') };
      if (callsOf('greedy') === 2) isFull.resolve();
      await gate.promise;
      return { body: envelopeOf('abc') };
    };
    const { ask, handler } = mount({ upstream: { connections: 4 } });
    const greedy = Array.from({ length: 6 }, (_, n) => ask('greedy', 2000 + n));
    await isFull.promise;
    expect(await ask('other')).toMatchObject({ status: 200 });
    expect(callsOf('greedy')).toBe(2);
    expect(handler.health().tenants[0]).toMatchObject({ callsInFlight: 2, callsWaiting: 4 });
    gate.resolve();
    expect(new Set((await Promise.all(greedy)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('stays within half of the connections after one of its calls ends', async () => {
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
    portal.answer = async (call) => {
      await gates[asked(call).reportId]?.promise;
      return { body: envelopeOf('abc') };
    };
    const { ask, handler } = mount({ upstream: { connections: 4 } });
    const health = () => handler.health().tenants[0];
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
    };
    const first = [0, 1].map((report) => ask('greedy', 1 + report));
    await until(() => portal.calls.length === 2);
    gates[1]?.resolve();
    await first[0];
    expect(health()).toMatchObject({ callsInFlight: 1 });
    const more = [3, 3000, 3001].map((report) => ask('greedy', report));
    await until(() => health()?.callsWaiting === 2);
    expect(health()).toMatchObject({ callsInFlight: 2 });
    for (const gate of gates) gate.resolve();
    await Promise.all([...first, ...more]);
    expect(callsOf('greedy')).toBe(5);
  });

  it('does not pause the tenant with the Retry-After of the report', async () => {
    portal.answer = (call) =>
      asked(call).userId === 'broken'
        ? { status: 503, headers: { 'retry-after': '120' }, body: '' }
        : { body: envelopeOf('abc') };
    const { ask } = mount();
    for (let n = 0; n < 5; n += 1) expect(await ask('broken', 666)).toMatchObject({ status: 503 });
    expect(callsOf('broken')).toBe(1);
    expect(await ask('well')).toMatchObject({ status: 200 });
  });
});

describe('viewers with many failing reports', () => {
  const openTo = async (broken: number) => {
    const isBroken = (call: ReceivedCall) => asked(call).userId.startsWith('broken');
    portal.answer = (call) => (isBroken(call) ? brokenPage : { body: envelopeOf('abc') });
    const { ask, circuit } = mount();
    for (let n = 0; n < 60; n += 1) {
      for (let viewer = 0; viewer < broken; viewer += 1) await ask(`broken-${viewer}`, 2000 + n);
      if (circuit() === 'open') return n;
    }
    return undefined;
  };

  it('do not open the circuit for the others if they are four', async () => {
    expect(await openTo(4)).toBeUndefined();
    // Control.
    expect(await openTo(5)).toBe(0);
  });

  it.each([
    ['fail', () => Promise.resolve(brokenPage)],
    ['hang', () => new Promise<StandInAnswer>(() => undefined)],
  ])('do not keep the circuit open with probes that %s if they are four', async (_title, answer) => {
    portal.answer = () => brokenPage;
    const { ask, circuit } = mount();
    for (let n = 0; n < 5; n += 1) await ask(`viewer-${n}`);
    expect(circuit()).toBe('open');
    const isBroken = (call: ReceivedCall) => asked(call).userId.startsWith('broken');
    portal.answer = (call) => (isBroken(call) ? answer() : { body: envelopeOf('abc') });
    vi.advanceTimersByTime(1000);
    const ended: unknown[] = [];
    const asking = Array.from({ length: 40 }, (_, n) =>
      ask(`broken-${n % 4}`, 2000 + n).then((one) => ended.push(one)),
    );
    while (callsOf('broken-3') === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await ask('well')).toMatchObject({ status: 200 });
    expect(circuit()).toBe('closed');
    expect(asking).toHaveLength(40);
  });
});

describe('many viewers with one failing report', () => {
  const visit = async (ask: ReturnType<typeof mount>['ask'], hasHealthyReport: boolean) => {
    const statuses: number[] = [];
    for (let n = 0; n < 40; n += 1) {
      await ask(`unlucky-${n}`, 666);
      if (hasHealthyReport) statuses.push((await ask(`lucky-${n}`)).status);
    }
    return statuses;
  };

  it('do not open the circuit for viewers of a report that works', async () => {
    breakReport(666);
    const { ask, circuit } = mount();
    expect(new Set(await visit(ask, true))).toEqual(new Set([200]));
    expect(circuit()).toBe('closed');
  });

  it('open the circuit only for that report when no other is requested', async () => {
    breakReport(666);
    const { ask, circuit } = mount();
    await visit(ask, false);
    expect(circuit()).toBe('open');
    const calls = portal.calls.length;
    expect(await ask('unlucky-1', 666)).toMatchObject({ status: 503 });
    expect(portal.calls).toHaveLength(calls);
    expect(await ask('lucky')).toMatchObject({ status: 200 });
    expect(circuit()).toBe('closed');
  });

  it('do not hide an outage of all reports', async () => {
    const { ask, circuit } = mount();
    for (let n = 0; n < 20; n += 1) await ask(`viewer-${n}`, 2000 + (n % 2));
    portal.answer = () => brokenPage;
    for (let n = 0; n < 10; n += 1) await ask(`viewer-${n}`, 2000 + (n % 2));
    expect(circuit()).toBe('open');
  });
});

describe('the circuit', () => {
  it('opens when five viewers fail in a row, and five more failed probes double the open time', async () => {
    portal.answer = () => brokenPage;
    const { ask, circuit } = mount();
    for (let n = 0; n < 4; n += 1) await ask(`viewer-${n}`);
    expect(circuit()).toBe('closed');
    await ask('viewer-4');
    expect(circuit()).toBe('open');
    expect((await ask('viewer-5')).body.retryAfterMs).toBe(1000);
    vi.advanceTimersByTime(1000);
    for (let n = 0; n < 5; n += 1) await ask(`viewer-${n}`);
    expect(portal.calls).toHaveLength(10);
    expect((await ask('viewer-6')).body.retryAfterMs).toBe(2000);
    expect(portal.calls).toHaveLength(10);
    // Again five viewers, and not one more in addition to those of the last break.
    vi.advanceTimersByTime(2000);
    for (let n = 0; n < 4; n += 1) await ask(`viewer-${n}`);
    portal.answer = () => ({ body: envelopeOf('abc') });
    expect(await ask('viewer-4')).toMatchObject({ status: 200 });
    expect(circuit()).toBe('closed');
    // The next outage starts with a short break.
    portal.answer = () => brokenPage;
    for (let n = 0; n < 5; n += 1) await ask(`viewer-${n}`);
    expect((await ask('viewer-5')).body.retryAfterMs).toBe(1000);
  });

  it('restarts its count after each successful call', async () => {
    const { ask, circuit } = mount();
    for (let n = 0; n < 20; n += 1) {
      portal.answer = () => brokenPage;
      for (let viewer = 0; viewer < 4; viewer += 1) await ask(`viewer-${n * 4 + viewer}`);
      portal.answer = () => ({ body: envelopeOf('abc') });
      await ask('well');
    }
    expect(circuit()).toBe('closed');
  });

  it('does not stay open longer because of requests for other reports during the break', async () => {
    portal.answer = () => brokenPage;
    const { ask } = mount();
    for (let n = 0; n < 5; n += 1) await ask(`viewer-${n}`);
    for (let n = 0; n < 20; n += 1) {
      const calls = portal.calls.length;
      await ask(`viewer-${n}`, 2000 + n);
      expect(portal.calls).toHaveLength(calls + 1);
      expect((await ask(`viewer-${n}`, 2000 + n)).body.retryAfterMs).toBe(1000);
    }
  });

  it('opens when five viewers get unreadable responses', async () => {
    portal.answer = () => ({ body: '<html>Sign in</html>' });
    const { ask, circuit } = mount();
    for (let n = 0; n < 5; n += 1) await ask(`viewer-${n}`);
    expect(circuit()).toBe('open');
  });

  it('opens when five viewers get no response in time', async () => {
    portal.answer = () => new Promise(() => undefined);
    const { ask, circuit } = mount({ upstream: { retry: false, attemptTimeoutMs: 100 } });
    await Promise.all(Array.from({ length: 5 }, (_, n) => ask(`viewer-${n}`)));
    expect(circuit()).toBe('open');
  });

  it('does not stay open longer because of calls that started before it opened', async () => {
    const [gate, areAllThere] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    portal.answer = async (call) => {
      if (portal.calls.length === 20) areAllThere.resolve();
      if (asked(call).userId.startsWith('slow')) await gate.promise;
      else await areAllThere.promise;
      return { status: 503, body: '' };
    };
    const { ask, circuit } = mount();
    const slow = Array.from({ length: 10 }, (_, n) => ask(`slow-${n}`));
    await Promise.all(Array.from({ length: 10 }, (_, n) => ask(`quick-${n}`)));
    expect(circuit()).toBe('open');
    vi.advanceTimersByTime(900);
    gate.resolve();
    await Promise.all(slow);
    portal.answer = () => ({ body: envelopeOf('abc') });
    vi.advanceTimersByTime(100);
    expect(await ask('next')).toMatchObject({ status: 200 });
  });

  it('is probed by five viewers at a time, with one call each', async () => {
    portal.answer = () => ({ status: 503, body: '' });
    const { ask } = mount();
    for (let n = 0; n < 5; n += 1) await ask(`viewer-${n}`);
    const [gate, haveArrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    portal.answer = async () => {
      if (portal.calls.length === 10) haveArrived.resolve();
      await gate.promise;
      return { body: envelopeOf('abc') };
    };
    vi.advanceTimersByTime(1000);
    const probes = Array.from({ length: 4 }, (_, n) => ask(`viewer-${n}`));
    expect(await ask('viewer-0', 2000)).toMatchObject({ status: 503, body: { retryAfterMs: 1000 } });
    probes.push(ask('viewer-4'));
    await haveArrived.promise;
    expect(await ask('viewer-5')).toMatchObject({ status: 503, body: { retryAfterMs: 1000 } });
    expect(portal.calls).toHaveLength(10);
    gate.resolve();
    expect((await Promise.all(probes)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await ask('viewer-5')).toMatchObject({ status: 200 });
  });

  it('opens when connections fail, regardless of the viewer', async () => {
    const gone = await startStandInPortal();
    await gone.close();
    const { ask, circuit } = mount({ portal: connectionTo(gone.url) });
    for (let n = 0; n < 5; n += 1) {
      expect(circuit()).toBe('closed');
      expect(await ask('one')).toMatchObject({ status: 502 });
    }
    expect(circuit()).toBe('open');
    vi.advanceTimersByTime(1000);
    expect(circuit()).toBe('probing');
    expect(await ask('one')).toMatchObject({ status: 502 });
    expect((await ask('one')).body.retryAfterMs).toBe(2000);
    for (const breakMs of [4000, 8000, 15_000, 15_000]) {
      vi.advanceTimersByTime(15_000);
      await ask('one');
      expect((await ask('one')).body.retryAfterMs).toBe(breakMs);
    }
  });

  it('is no longer reported as open after the break, even without requests', async () => {
    portal.answer = () => brokenPage;
    const { ask, circuit } = mount();
    for (let n = 0; n < 5; n += 1) await ask(`viewer-${n}`);
    expect(circuit()).toBe('open');
    vi.advanceTimersByTime(999);
    expect(circuit()).toBe('open');
    vi.advanceTimersByTime(1);
    expect(circuit()).toBe('probing');
  });

  it('does not abort the probe when its viewer leaves', async () => {
    portal.answer = () => ({ status: 503, body: '' });
    const { ask, handler, circuit } = mount();
    for (let n = 0; n < 5; n += 1) await ask(`viewer-${n}`);
    const [probing, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isAborted = false;
    portal.answer = async (call) => {
      call.onClose(() => {
        isAborted = true;
      });
      probing.resolve();
      await gate.promise;
      isAborted ||= false;
      return { body: envelopeOf('abc') };
    };
    vi.advanceTimersByTime(1000);
    const leaving = new AbortController();
    const left = handler(new Request(keyRequest(1042, 'leaving'), leaving));
    await probing.promise;
    expect(circuit()).toBe('probing');
    leaving.abort();
    const waiting = ask('waiting');
    // Long enough for an abort to reach the portal.
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(isAborted).toBe(false);
    gate.resolve();
    expect(await waiting).toMatchObject({ status: 200 });
    expect((await left).status).toBe(499);
    expect(circuit()).toBe('closed');
  });

  it('closes when the portal rejects the probe, which shows that it works', async () => {
    portal.answer = () => ({ status: 503, body: '' });
    const { ask, circuit } = mount();
    for (let n = 0; n < 5; n += 1) await ask(`viewer-${n}`);
    portal.answer = () => ({
      status: 404,
      body: { success: false, error: { code: 404, message: 'No item.' } },
    });
    vi.advanceTimersByTime(1000);
    expect(await ask('viewer-1')).toMatchObject({ status: 404 });
    expect(circuit()).toBe('closed');
  });
});

describe('Retry-After', () => {
  it.each([
    [429, 600, 60_000, 429],
    [503, 600, 15_000, 503],
    [429, 7, 7000, 429],
    [503, 2, 2000, 503],
  ])(
    'of status %i and %i s pauses the tenant for %i ms after three viewers of two reports received it',
    async (...[status, seconds, pauseMs, expected]) => {
      portal.answer = () => ({ status, headers: { 'retry-after': String(seconds) }, body: '' });
      const { ask } = mount();
      const paused = { status: expected, body: { retryAfterMs: pauseMs } };
      expect(await ask('one')).toMatchObject(paused);
      await ask('two');
      expect(await ask('three', 2000)).toMatchObject(paused);
      const calls = portal.calls.length;
      for (const itemId of [1042, 2000, 2001]) expect(await ask('four', itemId)).toMatchObject(paused);
      expect(portal.calls).toHaveLength(calls);
      portal.answer = () => ({ body: envelopeOf('abc') });
      vi.advanceTimersByTime(pauseMs - 1);
      expect((await ask('four')).status).toBe(expected);
      vi.advanceTimersByTime(1);
      expect((await ask('four')).status).toBe(200);
    },
  );

  const wait = (seconds: number): StandInAnswer => ({
    status: 429,
    headers: { 'retry-after': String(seconds) },
    body: '',
  });
  const works: StandInAnswer = { body: envelopeOf('abc') };

  it('received by two viewers for many reports pauses nobody else', async () => {
    portal.answer = (call) => (asked(call).userId.startsWith('busy') ? wait(3600) : works);
    const { ask } = mount();
    for (let n = 0; n < 60; n += 1) {
      for (const user of ['busy-1', 'busy-2']) expect((await ask(user, 2000 + n)).status).toBe(429);
      if (n % 10 === 9) expect((await ask(`well-${n}`, 2000 + n)).status).toBe(200);
    }
    // Control: a third viewer is enough if no call succeeds in between.
    for (const n of [1, 2, 3]) await ask(`busy-${n}`, 3000 + n);
    expect((await ask('well')).status).toBe(429);
  });

  it('received for one report pauses only that report, once three viewers received it', async () => {
    portal.answer = (call) => (asked(call).reportId === 666 ? wait(30) : works);
    const { ask } = mount();
    for (let n = 0; n < 12; n += 1) await ask(`viewer-${n}`, 666);
    for (let n = 0; n < 12; n += 1) {
      expect((await ask(`viewer-${n}`, 666)).status).toBe(429);
      expect((await ask(`viewer-${n}`)).status).toBe(200);
    }
    expect(portal.calls.filter((call) => asked(call).reportId === 666)).toHaveLength(3);
  });

  it('does not pause a report that works for others', async () => {
    portal.answer = (call) => (asked(call).userId.startsWith('busy') ? wait(30) : works);
    const { ask } = mount();
    for (let n = 0; n < 6; n += 1) {
      expect((await ask(`busy-${n}`)).status).toBe(429);
      expect((await ask(`well-${n}`)).status).toBe(200);
    }
  });

  it('received for two reports pauses only them while a third works', async () => {
    portal.answer = (call) => (asked(call).reportId > 1 ? wait(30) : works);
    const { ask } = mount();
    for (let n = 0; n < 6; n += 1) {
      await ask(`viewer-${n}`, 2000 + (n % 2));
      expect((await ask(`viewer-${n}`, 1)).status).toBe(200);
    }
  });

  it('received by one viewer for several reports pauses nobody else', async () => {
    portal.answer = () => ({ status: 429, headers: { 'retry-after': '30' }, body: '' });
    const { ask } = mount();
    for (const itemId of [1, 2, 3]) await ask('one', itemId);
    portal.answer = () => ({ body: envelopeOf('abc') });
    expect((await ask('two')).status).toBe(200);
  });

  it('of the tenant ends when a call in flight succeeds', async () => {
    const [gate, hasArrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    portal.answer = async (call) => {
      if (asked(call).userId.startsWith('busy')) return wait(30);
      hasArrived.resolve();
      await gate.promise;
      return works;
    };
    const { ask } = mount();
    const slow = ask('well');
    await hasArrived.promise;
    for (const n of [1, 2, 3]) await ask(`busy-${n}`, 3000 + n);
    expect((await ask('other')).status).toBe(429);
    gate.resolve();
    expect((await slow).status).toBe(200);
    expect((await ask('other')).status).toBe(200);
  });

  it('that has passed does not count as that of another viewer', async () => {
    portal.answer = () => wait(2);
    const { ask } = mount();
    await ask('one', 1);
    vi.advanceTimersByTime(3000);
    await ask('two', 2);
    await ask('three', 3);
    portal.answer = () => works;
    expect((await ask('four')).status).toBe(200);
  });

  it('of 0 s pauses nobody', async () => {
    portal.answer = () => ({ status: 503, headers: { 'retry-after': '0' }, body: '' });
    const { ask } = mount();
    for (const [n, user] of ['one', 'two', 'three'].entries()) await ask(user, 1 + n);
    portal.answer = () => works;
    vi.advanceTimersByTime(1);
    expect((await ask('one', 1)).status).toBe(200);
  });
});
