import { expect, it, onTestFinished, vi } from 'vitest';
import type { ClockTask } from '../../src/react/lib/keyTime.ts';
import { clock } from '../../src/react/lib/page.ts';
import { createVirtualEnvironment } from '../support/virtualEnvironment.ts';

const second = 1_000;

const start = () => {
  const environment = createVirtualEnvironment();
  const subscribe = (task: ClockTask) => {
    const unsubscribe = clock.subscribe(task);
    onTestFinished(unsubscribe);
    return unsubscribe;
  };
  const createTask = (deadlines: readonly number[] = []) => vi.fn<ClockTask>(() => deadlines);
  return { environment, subscribe, createTask, settle: () => environment.advance(0) };
};

it('runs every task once at the end of the job, however often a check is scheduled', async () => {
  const { subscribe, createTask, settle } = start();
  const [first, second] = [createTask(), createTask()];
  subscribe(first);
  await settle();
  expect(first).toHaveBeenCalledTimes(1);
  subscribe(second);
  clock.scheduleCheck();
  clock.scheduleCheck();
  expect(second).not.toHaveBeenCalled();
  await settle();
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([2, 1]);
});

it('runs a task again when it is due, and otherwise after half a minute', async () => {
  const { environment, subscribe, createTask, settle } = start();
  const due = createTask([clock.now() + 5 * second]);
  subscribe(due);
  await settle();
  await environment.advance(4.9 * second);
  expect(due).toHaveBeenCalledTimes(1);
  await environment.advance(0.1 * second);
  expect(due).toHaveBeenCalledTimes(2);
  // The time that is due has come, and is ignored.
  await environment.advance(29 * second);
  expect(due).toHaveBeenCalledTimes(2);
  await environment.advance(second);
  expect(due).toHaveBeenCalledTimes(3);
});

it('continues for other tasks when one unsubscribes, and leaves nothing behind after the last', async () => {
  const { environment, subscribe, createTask, settle } = start();
  const [first, second] = [createTask(), createTask()];
  const leaveFirst = subscribe(first);
  const leaveSecond = subscribe(second);
  await settle();
  leaveFirst();
  environment.emit('focus');
  await environment.advance(30_000);
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 3]);
  // With a check that is still to come.
  clock.scheduleCheck();
  leaveSecond();
  await settle();
  expect([environment.timerCount, environment.listenerCount]).toEqual([0, 0]);
});

it('tells its tasks once that the viewer or the network may have come back', async () => {
  const { environment, subscribe, createTask, settle } = start();
  const task = createTask();
  subscribe(task);
  await settle();
  for (const type of ['focus', 'online', 'resume', 'visibilitychange', 'pageshow']) {
    environment.emit(type);
    await settle();
  }
  clock.scheduleCheck();
  await settle();
  expect(task.mock.calls.map(([, isWake]) => isWake)).toEqual([false, true, true, true, true, true, false]);
});

it('runs nothing for a page in the back/forward cache until it is shown again', async () => {
  const { environment, subscribe, createTask, settle } = start();
  const task = createTask();
  subscribe(task);
  await settle();
  // Once more before the page leaves, which ends the action stream.
  environment.emit('pagehide');
  await settle();
  expect(task).toHaveBeenCalledTimes(2);
  expect(clock.isPageHidden()).toBe(true);
  for (const type of ['visibilitychange', 'resume']) environment.emit(type);
  await settle();
  expect(task).toHaveBeenCalledTimes(2);
  environment.emit('pageshow');
  await settle();
  expect(task).toHaveBeenCalledTimes(3);
  expect(clock.isPageHidden()).toBe(false);
  environment.emit('visibilitychange');
  await settle();
  expect(task).toHaveBeenCalledTimes(4);
});

it('hears the events of the document, and only its own focus', () => {
  const { subscribe } = start();
  const added = vi.spyOn(globalThis, 'addEventListener');
  subscribe(() => []);
  const heard = new Map(added.mock.calls.map(([type, , isCapturing]) => [type, isCapturing]));
  expect(heard.get('focus')).toBe(false);
  heard.delete('focus');
  expect(new Set(heard.values())).toEqual(new Set([true]));
});
