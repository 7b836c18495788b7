import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { createSemaphore } from '../../src/server/lib/upstream/createSemaphore.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const { signal } = new AbortController();
const wait = () => ({ signal, endMs: performance.now() + 1000 });

it('rejects a caller that waited too long, and gives the slot to the next one', async () => {
  const semaphore = createSemaphore({ maxConcurrent: 1, maxQueue: 10 });
  const gate = Promise.withResolvers<string>();
  const first = semaphore.run(() => gate.promise, wait());
  const late = semaphore.run(() => Promise.resolve('late'), wait());
  vi.advanceTimersByTime(999);
  const next = semaphore.run(() => Promise.resolve('next'), wait());
  expect(semaphore).toMatchObject({ inFlight: 1, waiting: 2 });
  vi.advanceTimersByTime(1);
  await expect(late).rejects.toMatchObject({ reason: 'waited_too_long' });
  expect(semaphore.waiting).toBe(1);
  gate.resolve('first');
  expect(await Promise.all([first, next])).toEqual(['first', 'next']);
  // The slot is free shortly after the task has ended.
  await new Promise((resolve) => setImmediate(resolve));
  expect([semaphore.inFlight, semaphore.waiting, vi.getTimerCount()]).toEqual([0, 0, 0]);
});

it('rejects a caller whose deadline had already passed, without a Node warning', async () => {
  vi.useRealTimers();
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => void warnings.push(warning);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  const semaphore = createSemaphore({ maxConcurrent: 1, maxQueue: 1 });
  void semaphore.run(() => new Promise(() => undefined), wait());
  const late = semaphore.run(() => Promise.resolve(), { signal, endMs: performance.now() - 10 });
  await expect(late).rejects.toMatchObject({ reason: 'waited_too_long' });
  expect(warnings).toEqual([]);
});

it('stops counting a caller as waiting when it leaves after its slot was granted', async () => {
  const semaphore = createSemaphore({ maxConcurrent: 1, maxQueue: 1 });
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const began = Promise.withResolvers<void>();
  const leaving = new AbortController();
  void semaphore.run(() => first.promise, wait());
  const task = () => {
    began.resolve();
    return second.promise;
  };
  const served = semaphore.run(task, { ...wait(), signal: leaving.signal });
  first.resolve();
  await began.promise;
  leaving.abort();
  expect(semaphore).toMatchObject({ inFlight: 1, waiting: 0 });
  second.resolve();
  await served;
});

it('releases the slot of a task that fails', async () => {
  const semaphore = createSemaphore({ maxConcurrent: 1, maxQueue: 1 });
  const failing = semaphore.run(() => Promise.reject(new Error('no')), wait());
  const next = semaphore.run(() => Promise.resolve('next'), wait());
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('next');
});
