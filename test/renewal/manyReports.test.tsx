import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { act, cleanup, fireEvent, render } from '@testing-library/react';
import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { Profiler, StrictMode } from 'react';
import { describe, expect, it } from 'vitest';
import { createTestPage, frames, settle } from '../support/domReport.tsx';
import { sized } from '../support/size.ts';

const minute = 60_000;
const reportCount = sized(30, 100);
const cycleCount = sized(3, 8);
const loadAll = () =>
  act(async () => {
    for (const frame of frames()) fireEvent.load(frame);
  });

describe('many reports on one page', () => {
  it('request one key per item, however many frames show it', async () => {
    const { backend, page } = createTestPage();
    const list = Array.from({ length: 50 }, (_, index) => index);
    render(page(list.map((index) => <EmbeddedReport key={index} itemId={1 + (index % 10)} />)));
    await settle();
    expect(backend.requests).toHaveLength(10);
    expect(frames()).toHaveLength(50);
  });

  it('request one key per item and cycle, and no frame navigates twice', async () => {
    const { backend, environment, page } = createTestPage();
    const list = Array.from({ length: reportCount }, (_, index) => index);
    const { unmount } = render(page(list.map((index) => <EmbeddedReport key={index} itemId={7} />)));
    await settle();
    await loadAll();
    const addresses = new Map(frames().map((frame) => [frame, frame.src]));
    for (let cycle = 2; cycle <= 3; cycle += 1) {
      await act(() => environment.advance(48.2 * minute));
      expect(backend.requests).toHaveLength(cycle);
      for (const [frame, src] of addresses) if (frame.isConnected) expect(frame.src).toBe(src);
      await loadAll();
      expect(frames()).toHaveLength(reportCount);
      expect(environment.timerCount).toBe(1);
    }
    unmount();
    await settle();
    expect([environment.timerCount, environment.listenerCount]).toEqual([0, 0]);
  });

  it('request nothing while they are lazy and far from the viewport', async () => {
    const { backend, environment, report } = createTestPage();
    const { container } = render(report({ lazy: true }));
    await settle();
    const root = container.querySelector('[data-state="idle"]');
    expect(backend.requests).toHaveLength(0);
    if (root) await act(async () => environment.approach(root));
    await settle();
    expect(backend.requests).toHaveLength(1);
    expect(frames()).toHaveLength(1);
  });

  it('cost at most 3 commits to show and 2 to renew each, and release everything after the last', async () => {
    const { environment, page } = createTestPage();
    const commits = new Map<number, number>();
    const list = Array.from({ length: reportCount }, (_, index) => index);
    const counted = page(
      list.map((index) => (
        <Profiler
          key={index}
          id={String(index)}
          onRender={() => commits.set(index, (commits.get(index) ?? 0) + 1)}
        >
          <EmbeddedReport itemId={1 + (index % 10)} loadTimeoutMs={60 * minute} />
        </Profiler>
      )),
    );
    const nodesBefore = document.querySelectorAll('*').length;
    const { unmount } = render(counted);
    await settle();
    await loadAll();
    // StrictMode renders twice, and commits once.
    expect(Math.max(...commits.values())).toBeLessThanOrEqual(3);
    const nodesReady = document.querySelectorAll('*').length;
    for (let cycle = 1; cycle <= cycleCount; cycle += 1) {
      commits.clear();
      await act(() => environment.advance(48.2 * minute));
      await loadAll();
      expect(Math.max(...commits.values())).toBeLessThanOrEqual(2);
      expect(document.querySelectorAll('*')).toHaveLength(nodesReady);
      expect(frames()).toHaveLength(reportCount);
    }
    unmount();
    await settle();
    expect([environment.timerCount, environment.listenerCount]).toEqual([0, 0]);
    expect(document.querySelectorAll('*').length).toBeLessThanOrEqual(nodesBefore + 1);
  });
});

const times = sized(100, 10_000);

/** The fault of a control. */
interface Fault {
  /** The function of the page that does nothing. */
  readonly broken?: 'clearTimeout' | 'removeEventListener';
  readonly fetchKey?: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;
}

const noFaultyFetch = (fetch: typeof globalThis.fetch) => fetch;

/** Mounts and unmounts reports, some at once, some during their request, and returns what remains. */
const mountAndUnmount = async (count: number, fault: Fault = {}) => {
  const { environment, provider } = createTestPage();
  if (fault.broken) Reflect.set(globalThis, fault.broken, () => {});
  const signals: (AbortSignal | null | undefined)[] = [];
  const neverAnswers: typeof fetch = (_url, init) => {
    const signal = init?.signal;
    signals.push(signal);
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  };
  const report = (
    <StrictMode>
      <EmbedProvider {...provider} fetch={(fault.fetchKey ?? noFaultyFetch)(neverAnswers)}>
        <EmbeddedReport itemId={1042} />
      </EmbedProvider>
    </StrictMode>
  );
  for (let index = 0; index < count; index += 1) {
    const { unmount } = render(report);
    const isAsking = index % 10 === 0;
    // Requests are a second apart.
    if (isAsking) await act(() => environment.advance(1_000));
    unmount();
    cleanup();
    if (isAsking) await settle();
  }
  await settle();
  return {
    requests: signals.length,
    left: {
      timers: environment.timerCount,
      listeners: environment.listenerCount,
      requests: signals.filter((signal) => !signal?.aborted).length,
      frames: frames().length,
    },
  };
};

const nothing = { timers: 0, listeners: 0, requests: 0, frames: 0 };

/** Used bytes after a full collection. */
const heapInUse = async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // What the first collection finalizes, the second one frees.
  for (let turn = 0; turn < 3; turn += 1) {
    collect();
    await settle();
  }
  return process.memoryUsage().heapUsed;
};

describe(`${times} reports that mount and unmount in StrictMode`, () => {
  it('leave no timer, listener, request or frame behind, and use less than 5 MB', async () => {
    await mountAndUnmount(100);
    const before = await heapInUse();
    const { requests, left } = await mountAndUnmount(times);
    expect(left).toEqual(nothing);
    expect(requests).toBe(Math.ceil(times / 10));
    expect((await heapInUse()) - before).toBeLessThan(5 * 1024 * 1024);
  });

  it.each<[keyof typeof nothing, Fault]>([
    ['timers', { broken: 'clearTimeout' }],
    ['listeners', { broken: 'removeEventListener' }],
    ['requests', { fetchKey: (fetch) => (url) => fetch(url) }],
  ])('control: would leave %s behind without cleanup', async (kind, fault) => {
    const { left } = await mountAndUnmount(20, fault);
    expect(left[kind]).toBeGreaterThan(0);
  });
});
