import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLimits, type StoreChange } from '../../src/server/lib/limits/createLimits.ts';
import { describeLimit } from '../../src/server/lib/limits/describeLimit.ts';
import type { SharedLimiter } from '../../src/server/lib/limits/rateLimitOptions.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Limits with a shared limiter that gives these responses, and repeats the last one. */
const setUp = (answers: readonly (() => Promise<unknown>)[], size: object = {}) => {
  const changes: StoreChange[] = [];
  let asked = 0;
  const consume = () => {
    asked += 1;
    return answers[Math.min(asked, answers.length) - 1]?.() ?? Promise.resolve();
  };
  // A plain JavaScript host may give any object.
  const perViewer = { ...size, consume } as SharedLimiter;
  const limits = createLimits({ perViewer, perTenant: false }, (change) => void changes.push(change));
  return { changes, check: () => limits.check('acme', 'ann') };
};

const reject = (reason: unknown) => () => Promise.reject(reason);
const never = () => new Promise(() => {});

describe('a limit in process memory', () => {
  it.each(['perViewer', 'perTenant'] as const)('names %s, its size and the wait time', async (name) => {
    const limit = { points: 1, durationSeconds: 60 };
    const limits = createLimits({ perViewer: false, perTenant: false, [name]: limit }, () => {});
    expect(await limits.check('acme', 'ann')).toBeUndefined();
    const reached = await limits.check('acme', 'ann');
    expect(reached).toMatchObject({ name, size: '1 per 60 s' });
    expect(reached?.waitMs).toBeGreaterThan(1_000);
    expect(reached?.waitMs).toBeLessThanOrEqual(60_000);
  });
});

describe('a limit in a shared store', () => {
  it.each([
    [1_500, 1_500],
    [0, 1],
  ])('rounds a wait of %i ms to %i ms', async (msBeforeNext, waitMs) => {
    const { check } = setUp([reject({ msBeforeNext })]);
    expect(await check()).toEqual({ name: 'perViewer', size: 'shared', waitMs });
  });

  it('leaves no timer behind once the store has responded', async () => {
    const { check } = setUp([() => Promise.resolve()]);
    await check();
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ['null', null, 'unknown'],
    ['undefined', undefined, 'unknown'],
    ['text', 'down', 'unknown'],
    ['a wait that is not a number', { msBeforeNext: 'soon' }, 'unknown'],
    ['an error', new TypeError('redis://:password@host'), 'TypeError'],
    ['an error with a code', Object.assign(new Error('down'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  ])('counts in memory while the store rejects with %s', async (_, reason, cause) => {
    const { changes, check } = setUp([reject(reason)]);
    expect(await check()).toBeUndefined();
    expect(changes).toEqual([{ name: 'perViewer', size: '120 per 60 s', cause }]);
  });

  it('counts in memory when the store does not respond within a second', async () => {
    const { changes, check } = setUp([never]);
    const checked = check();
    await vi.advanceTimersByTimeAsync(999);
    expect(changes).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await checked).toBeUndefined();
    expect(changes).toMatchObject([{ cause: 'TIMEOUT' }]);
  });

  it('reports that the store works again when a call next waits', async () => {
    const { changes, check } = setUp([reject(new Error('down')), reject({ msBeforeNext: 500 })]);
    await check();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await check()).toMatchObject({ waitMs: 500 });
    expect(changes).toMatchObject([{ cause: 'Error' }, { cause: undefined }]);
  });

  it.each([
    [{ points: 5, duration: 30 }, '5 per 30 s'],
    [{ points: '5', duration: 30 }, '120 per 60 s'],
    [{ points: 5, duration: '30' }, '120 per 60 s'],
    [{ points: 0, duration: 30 }, '120 per 60 s'],
    [{ points: 5, duration: 0 }, '120 per 60 s'],
    [{ duration: 30 }, '120 per 60 s'],
    [{ points: 5 }, '120 per 60 s'],
  ])('of size %j counts %s in memory', async (size, counted) => {
    const { changes, check } = setUp([reject(new Error('down'))], size);
    await check();
    expect(changes).toMatchObject([{ size: counted }]);
  });
});

it('describes a limit that is off as none', () => {
  expect(describeLimit(false)).toBe('none');
});
