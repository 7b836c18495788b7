import { QueryClient } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import {
  EmbeddedReport,
  type EmbeddedReportHandle,
  type EmbeddedReportProps,
  type EmbedError,
  EmbedProvider,
  embedKeyOptions,
  type ReportState,
} from '@vitrine/react';
import { createRef } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { createTestPage, frames, load, root, settle, state } from '../support/domReport.tsx';
import { problem } from '../support/virtualBackend.ts';

const minute = 60_000;

describe('enabled', () => {
  it('requests nothing and shows no frame while it is false', async () => {
    const { backend, environment, report } = createTestPage();
    // If it were loaded by now, it would open a stream at once.
    await import('../../src/react/lib/actionStream.ts');
    const { rerender } = render(report({ enabled: false, onAction: () => {} }));
    await settle();
    expect([state(), frames().length, backend.requests.length]).toEqual(['idle', 0, 0]);
    expect([environment.timerCount, environment.listenerCount]).toEqual([0, 0]);
    rerender(report({ enabled: true }));
    await settle();
    await load();
    expect([state(), frames().length, backend.requests.length]).toEqual(['ready', 1, 1]);
    rerender(report({ enabled: false }));
    await settle();
    expect([state(), frames().length, backend.requests.length]).toEqual(['idle', 0, 1]);
    expect([environment.timerCount, environment.listenerCount]).toEqual([0, 0]);
  });
});

describe('onStateChange', () => {
  it('receives the states of the report through changes of `enabled` and of the item', async () => {
    const { report } = createTestPage();
    const told: string[] = [];
    const show = (props: Partial<EmbeddedReportProps>) =>
      report({ ...props, onStateChange: ({ status }, { itemId }) => told.push(`${itemId} ${status}`) });
    const { rerender } = render(show({ enabled: false }));
    rerender(show({}));
    await settle();
    await load();
    rerender(show({ enabled: false }));
    await settle();
    rerender(show({ itemId: 1043 }));
    await settle();
    await load();
    rerender(show({ itemId: 1042 }));
    await settle();
    expect(told).toEqual([
      '1042 loading',
      '1042 ready',
      '1042 idle',
      '1043 loading',
      '1043 ready',
      '1042 loading',
    ]);
  });
});

describe('refresh() of the handle', () => {
  const show = async (props: Partial<EmbeddedReportProps> = {}) => {
    const page = createTestPage();
    const handle = createRef<EmbeddedReportHandle>();
    const view = render(page.page(<EmbeddedReport itemId={1042} {...props} ref={handle} />));
    await settle();
    await load();
    await act(() => page.environment.advance(minute));
    const refresh = () => act(async () => handle.current?.refresh());
    return { ...page, ...view, handle, refresh };
  };

  it('shows the new frame when it has loaded, and says so', async () => {
    const onStateChange = vi.fn<(state: ReportState) => void>();
    const { refresh } = await show({ onStateChange });
    const [before] = frames();
    onStateChange.mockClear();
    await refresh();
    await settle();
    expect(frames()).toHaveLength(2);
    await load();
    expect(onStateChange.mock.calls.map(([{ status }]) => status)).toEqual(['refreshing', 'ready']);
    expect(frames()[0]).not.toBe(before);
    expect(frames()[0]).toBeVisible();
  });

  it('waits for the new frame to load, even if an expired key leaves nothing to show', async () => {
    const { environment, refresh } = await show({ refreshPolicy: 'off' });
    await act(() => environment.advance(60 * minute));
    expect(state()).toBe('expired');
    await refresh();
    await settle();
    expect([state(), frames().length]).toEqual(['loading', 1]);
    await load();
    expect(state()).toBe('ready');
  });

  it('retries after a failure although the current key is valid, and ends `degraded`', async () => {
    const { backend, environment, refresh } = await show();
    backend.respond = () => new Response('', { status: 502 });
    await refresh();
    await settle();
    expect(root()).toHaveAttribute('data-code', 'http_502');
    backend.respond = undefined;
    await act(() => environment.advance(5_000));
    await load();
    expect([state(), backend.requests.length]).toEqual(['ready', 3]);
  });

  it('requests a key at most every ten seconds', async () => {
    const { backend, environment, refresh } = await show();
    for (let call = 0; call < 2; call += 1) {
      await refresh();
      await settle();
      await load();
    }
    expect(backend.requests).toHaveLength(2);
    await act(() => environment.advance(9_000));
    expect(backend.requests).toHaveLength(2);
    await act(() => environment.advance(1_000));
    await load();
    await settle();
    expect(backend.requests).toHaveLength(3);
  });

  it('does nothing after the report has left the page', async () => {
    const { backend, environment, handle, unmount, refresh } = await show();
    const { current } = handle;
    await refresh();
    unmount();
    await settle();
    const { length } = backend.requests;
    act(() => current?.refresh());
    await act(() => environment.advance(minute));
    expect(backend.requests).toHaveLength(length);
  });
});

describe('a prefetched key', () => {
  it('starts its frame at once with loadTimeoutMs', async () => {
    const { environment, provider } = createTestPage();
    const queryClient = new QueryClient();
    await queryClient.prefetchQuery(embedKeyOptions(1042, provider));
    render(
      <EmbedProvider {...provider} queryClient={queryClient}>
        <EmbeddedReport itemId={1042} loadTimeoutMs={5_000} />
      </EmbedProvider>,
    );
    expect(frames()).toHaveLength(1);
    await act(() => environment.advance(4_900));
    expect(state()).toBe('loading');
    await act(() => environment.advance(200));
    expect(root()).toHaveAttribute('data-code', 'frame_slow');
  });
});

describe('a host that cancels its queries', () => {
  it('shows no error and requests the key again', async () => {
    const { backend, environment, provider } = createTestPage();
    const queryClient = new QueryClient();
    const onError = vi.fn<(error: EmbedError) => void>();
    let answer = () => {};
    backend.respond = () =>
      new Promise((resolve) => {
        answer = () => resolve(problem(500, 'internal_error'));
      });
    render(
      <EmbedProvider {...provider} queryClient={queryClient} onError={onError}>
        <EmbeddedReport itemId={1042} />
      </EmbedProvider>,
    );
    await settle();
    await act(() => queryClient.cancelQueries());
    await settle();
    backend.respond = undefined;
    answer();
    await settle();
    expect(onError).not.toHaveBeenCalled();
    expect(state()).toBe('loading');
    await act(() => environment.advance(1_100));
    await load();
    expect([state(), backend.requests.length]).toEqual(['ready', 2]);
  });
});
