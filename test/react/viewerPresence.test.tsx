import { QueryClient } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import { EmbeddedReport, type EmbeddedReportHandle, embedKeyOptions, type ReportLoad } from '@vitrine/react';
import { createRef } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { createTestPage, frames, load, settle } from '../support/domReport.tsx';
import { problem } from '../support/virtualBackend.ts';

const minute = 60_000;

describe('a request says whether a viewer waits for it', () => {
  const markersOf = ({ backend }: ReturnType<typeof createTestPage>) =>
    backend.requests.map(({ headers }) => headers.get('x-vitrine-request'));

  it('`viewer` when a report is new on the page, `automatic` for its renewals', async () => {
    const page = createTestPage();
    render(page.report());
    await settle();
    await load();
    await act(() => page.environment.advance(200 * minute));
    const [first, ...others] = markersOf(page);
    expect(first).toBe('viewer');
    expect(others.length).toBeGreaterThan(2);
    expect(new Set(others)).toEqual(new Set(['automatic']));
  });

  it('`viewer` for `refresh()` and "Try again", `automatic` for a retry of the page', async () => {
    const page = createTestPage();
    const { backend, environment } = page;
    const ref = createRef<EmbeddedReportHandle>();
    render(page.page(<EmbeddedReport ref={ref} itemId={1042} />));
    await settle();
    await load();
    await act(() => environment.advance(minute));
    backend.respond = () => problem(503, 'portal_unavailable');
    void ref.current?.refresh();
    await act(() => environment.advance(2 * minute));
    const [, refreshed, ...retried] = markersOf(page);
    expect(refreshed).toBe('viewer');
    expect(new Set(retried)).toEqual(new Set(['automatic']));
    act(() => ref.current?.retry());
    await act(() => environment.advance(5_000));
    expect(markersOf(page).at(-1)).toBe('viewer');
  });

  it('`automatic` after minutes of absence: nobody has asked for anything', async () => {
    const page = createTestPage();
    render(page.report());
    await settle();
    await load();
    await act(async () => page.environment.setVisible(false));
    await act(() => page.environment.advance(10 * minute));
    await act(async () => page.environment.setVisible(true));
    await settle();
    expect(markersOf(page)).toEqual(['viewer', 'automatic']);
  });
});

it('nobody is signed in: a loader with `viewerKey: null` requests nothing', async () => {
  const { backend, provider } = createTestPage();
  const options = embedKeyOptions(1042, { ...provider, viewerKey: null });
  await expect(new QueryClient().fetchQuery(options)).rejects.toMatchObject({ code: 'signed_out' });
  expect(backend.requests).toHaveLength(0);
});

it('`onLoad` says how long the key and the frame took', async () => {
  const { environment, report } = createTestPage();
  const onLoad = vi.fn<(load: ReportLoad) => void>();
  render(report({ onLoad }));
  await settle();
  await act(() => environment.advance(700));
  await load();
  expect(onLoad.mock.calls).toEqual([[{ keyMs: 0, frameMs: 700 }]]);
});

it('a report may use the full screen, the clipboard and a portal in a local network', async () => {
  const { report } = createTestPage();
  const { rerender } = render(report());
  await settle();
  expect(frames()[0]).toHaveAttribute('allow', 'fullscreen; clipboard-write; local-network-access');
  rerender(report({ frameProps: { allow: 'fullscreen' } }));
  expect(frames()[0]).toHaveAttribute('allow', 'fullscreen');
});
