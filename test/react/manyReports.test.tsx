import { act, fireEvent, render } from '@testing-library/react';
import { EmbeddedReport } from '@vitrine/react';
import { Profiler } from 'react';
import { describe, expect, it } from 'vitest';
import { createTestPage, frames, settle } from '../support/domReport.tsx';

const minute = 60_000;
const loadAll = () =>
  act(async () => {
    for (const frame of frames()) fireEvent.load(frame);
  });

describe('many reports on one page', () => {
  it('ask for one key per item, however many frames show it', async () => {
    const { backend, page } = createTestPage();
    const list = Array.from({ length: 50 }, (_, index) => index);
    render(page(list.map((index) => <EmbeddedReport key={index} itemId={1 + (index % 10)} />)));
    await settle();
    expect(backend.requests).toHaveLength(10);
    expect(frames()).toHaveLength(50);
  });

  it('ask for one key per item and cycle, and no frame navigates twice', async () => {
    const { backend, environment, page } = createTestPage();
    const list = Array.from({ length: 100 }, (_, index) => index);
    const { unmount } = render(page(list.map((index) => <EmbeddedReport key={index} itemId={7} />)));
    await settle();
    await loadAll();
    const addresses = new Map(frames().map((frame) => [frame, frame.src]));
    for (let cycle = 2; cycle <= 3; cycle += 1) {
      await act(() => environment.advance(48.2 * minute));
      expect(backend.requests).toHaveLength(cycle);
      for (const [frame, src] of addresses) if (frame.isConnected) expect(frame.src).toBe(src);
      await loadAll();
      expect(frames()).toHaveLength(100);
      expect(environment.timerCount).toBe(1);
    }
    unmount();
    await settle();
    expect([environment.timerCount, environment.listenerCount]).toEqual([0, 0]);
  });

  it('ask for nothing while they are lazy and far from the viewport', async () => {
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

  it('cost at most 3 commits to show and 2 to renew each, and give everything back after eight cycles', async () => {
    const { environment, page } = createTestPage();
    const commits = new Map<number, number>();
    const list = Array.from({ length: 100 }, (_, index) => index);
    const counted = page(
      list.map((index) => (
        <Profiler
          key={index}
          id={String(index)}
          onRender={() => commits.set(index, (commits.get(index) ?? 0) + 1)}
        >
          <EmbeddedReport itemId={1 + (index % 10)} />
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
    for (let cycle = 1; cycle <= 8; cycle += 1) {
      commits.clear();
      await act(() => environment.advance(48.2 * minute));
      await loadAll();
      expect(Math.max(...commits.values())).toBeLessThanOrEqual(2);
      expect(document.querySelectorAll('*')).toHaveLength(nodesReady);
      expect(frames()).toHaveLength(100);
    }
    unmount();
    await settle();
    expect([environment.timerCount, environment.listenerCount]).toEqual([0, 0]);
    expect(document.querySelectorAll('*').length).toBeLessThanOrEqual(nodesBefore + 1);
  });

  const comings = process.env['VITRINE_LONG'] === '1' ? 10_000 : 300;

  it(`leave nothing behind after ${comings} comings and goings in StrictMode`, async () => {
    const { backend, environment, report } = createTestPage();
    for (let index = 0; index < comings; index += 1) {
      const { unmount } = render(report());
      unmount();
    }
    await settle();
    expect([environment.timerCount, environment.listenerCount]).toEqual([0, 0]);
    expect(frames()).toHaveLength(0);
    // Each left before its request could; those that did leave are a second apart.
    expect(backend.requests.length).toBeLessThanOrEqual(2);
  });
});
