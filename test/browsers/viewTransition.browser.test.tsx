import { EmbeddedReport } from '@vitrine/react';
import { startTransition, useState, ViewTransition } from 'react';
import { expect, it, vi } from 'vitest';
import { createBrowserPage } from '../support/browserPage.tsx';

/** Counts the transitions that the browser has started. */
const countTransitions = () => vi.spyOn(document, 'startViewTransition');

const untilIdle = async (transitions: ReturnType<typeof countTransitions>) => {
  await vi.waitFor(() => expect(transitions).toHaveBeenCalled(), { timeout: 10_000 });
  for (const { value } of transitions.mock.results)
    await (value as { readonly finished: Promise<void> }).finished;
};

it('keeps its frame and its key when a view transition moves it', async () => {
  const transitions = countTransitions();
  const { container, frames, render, requests, untilState } = createBrowserPage();
  const Host = () => {
    const [isWide, setWide] = useState(false);
    return (
      <>
        <button type="button" onClick={() => startTransition(() => setWide(true))}>
          Widen
        </button>
        <ViewTransition>
          <div style={{ width: isWide ? 600 : 300 }}>
            <EmbeddedReport itemId={1042} height={200} />
          </div>
        </ViewTransition>
      </>
    );
  };
  render(<Host />);
  await untilState('ready');
  const [frame] = frames();
  const onLoad = vi.fn<() => void>();
  frame?.addEventListener('load', onLoad);
  container.querySelector('button')?.click();
  await untilIdle(transitions);
  expect(frame?.getBoundingClientRect().width).toBeGreaterThan(500);
  expect(frames()).toEqual([frame]);
  expect(onLoad).not.toHaveBeenCalled();
  expect(requests).toEqual([1042]);
  await untilState('ready');
}, 60_000);

it('is replaced by another report in a view transition, and is renewed during one', async () => {
  const transitions = countTransitions();
  const { advance, container, frames, render, requests, untilState } = createBrowserPage();
  const Host = () => {
    const [itemId, setItemId] = useState(1);
    return (
      <>
        <button type="button" onClick={() => startTransition(() => setItemId(2))}>
          Next
        </button>
        <ViewTransition key={itemId}>
          <div>
            <EmbeddedReport itemId={itemId} height={200} />
          </div>
        </ViewTransition>
      </>
    );
  };
  render(<Host />);
  await untilState('ready');
  container.querySelector('button')?.click();
  await untilIdle(transitions);
  await untilState('ready');
  expect(requests).toEqual([1, 2]);
  const [frame] = frames();
  expect(frame?.src).toContain('/report/2?');

  const transition = document.startViewTransition(() => advance(50 * 60_000));
  await vi.waitFor(() => expect(requests).toEqual([1, 2, 2]), { timeout: 10_000 });
  await transition.finished;
  await vi.waitFor(
    () => {
      expect(frames()).toHaveLength(1);
      expect(frames()[0]).not.toBe(frame);
    },
    { timeout: 10_000 },
  );
  await untilState('ready');
}, 60_000);
