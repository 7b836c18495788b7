import { act, render } from '@testing-library/react';
import { EmbeddedReport } from '@vitrine/react';
import { Activity } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { createTestPage, frames, load, settle, state } from '../support/domReport.tsx';
import { problem } from '../support/virtualBackend.ts';

const minute = 60_000;

const show = async () => {
  const { backend, environment, page } = createTestPage();
  const onLoad = vi.fn<() => void>();
  const view = (mode: 'hidden' | 'visible') =>
    page(
      <Activity mode={mode}>
        <EmbeddedReport itemId={1042} onLoad={onLoad} />
      </Activity>,
    );
  const { rerender } = render(view('visible'));
  await settle();
  await load();
  const toggle = (mode: 'hidden' | 'visible') => act(async () => rerender(view(mode)));
  return { backend, environment, onLoad, toggle, view, rerender };
};

/** The states that the document has while the report is shown again. */
const statesOnShow = async (toggle: Awaited<ReturnType<typeof show>>['toggle']): Promise<unknown[]> => {
  const seen: unknown[] = [];
  const observer = new MutationObserver(() => seen.push(state()));
  observer.observe(document.body, { subtree: true, attributes: true });
  await toggle('visible');
  await settle();
  observer.disconnect();
  return seen;
};

describe('a report that <Activity> hides', () => {
  it('is shown again with the same frame and key', async () => {
    const { backend, environment, onLoad, toggle } = await show();
    const [before] = frames();
    await toggle('hidden');
    await act(() => environment.advance(10 * minute));
    // The control of those below.
    expect(await statesOnShow(toggle)).toContain('ready');
    expect([state(), backend.requests.length, onLoad.mock.calls.length]).toEqual(['ready', 1, 1]);
    expect(frames()).toEqual([before]);
  });

  it('is dropped when the browser keeps the page for a return, and requested anew when it is shown', async () => {
    const { backend, environment, toggle } = await show();
    const [before] = frames();
    await act(() => environment.advance(minute));
    await toggle('hidden');
    await act(async () => environment.emit('pagehide', { persisted: true }));
    await act(async () => environment.emit('pageshow', { persisted: true }));
    const { promise, resolve } = Promise.withResolvers<Response>();
    backend.respond = () => promise;
    expect(await statesOnShow(toggle)).not.toContain('ready');
    expect([state(), before?.isConnected, backend.requests.length]).toEqual(['loading', false, 2]);
    resolve(problem(401, 'signed_out'));
    await settle();
    expect([frames().length, state()]).toEqual([0, 'failed']);
  });

  it('is covered before it is visible when its key expired meanwhile, and requests another', async () => {
    const { backend, environment, toggle } = await show();
    await toggle('hidden');
    await act(() => environment.advance(61 * minute));
    expect(await statesOnShow(toggle)).not.toContain('ready');
    expect(frames()[0]).not.toBeVisible();
    expect(backend.requests).toHaveLength(2);
    await load();
    expect(state()).toBe('ready');
  });
});
