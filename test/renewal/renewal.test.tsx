import { act, render, screen } from '@testing-library/react';
import { EmbeddedReport, type EmbeddedReportHandle, EmbedProvider, type RefreshDue } from '@vitrine/react';
import { createRef } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { createTestPage, frames, load, root, settle, state } from '../support/domReport.tsx';
import { problem } from '../support/virtualBackend.ts';

const minute = 60_000;

describe('the renewal of a report', () => {
  it('waits while the viewer works in the report, until shortly before the key expires', async () => {
    const { environment, report } = createTestPage();
    render(report());
    await settle();
    await load();
    const [shown] = frames();
    shown?.focus();
    expect(document.activeElement).toBe(shown);
    await act(() => environment.advance(50.1 * minute));
    await load();
    expect(frames()).toHaveLength(2);
    expect(shown).toBeVisible();
    expect(frames()[1]).not.toBeVisible();
    await act(() => environment.advance(8.88 * minute));
    expect(frames()[0]).toBe(shown);
    await act(() => environment.advance(0.04 * minute));
    expect(frames()).toHaveLength(1);
    expect(frames()[0]).not.toBe(shown);
    await settle();
    // The focus of the report moves to its successor; the page never loses it.
    expect(document.activeElement).toBe(frames()[0]);
  });

  it('waits as well after the viewer has left the report or the tab, and is ready meanwhile', async () => {
    const { environment, report } = createTestPage();
    render(report());
    await settle();
    await load();
    frames()[0]?.focus();
    await act(() => environment.advance(minute));
    frames()[0]?.blur();
    await act(() => environment.advance(47.1 * minute));
    expect(state()).toBe('refreshing');
    await load();
    await act(async () => environment.setVisible(false));
    expect([frames().length, state()]).toEqual([2, 'ready']);
    await act(() => environment.advance(11.5 * minute));
    expect(frames()).toHaveLength(1);
  });

  it('happens at once for a report that the viewer has not used', async () => {
    const { environment, report } = createTestPage();
    render(report());
    await settle();
    await load();
    const [shown] = frames();
    await act(() => environment.advance(50 * minute));
    await load();
    expect(frames()).toHaveLength(1);
    expect(frames()[0]).not.toBe(shown);
  });

  it('keeps the old frame until its successor loads', async () => {
    const { environment, report } = createTestPage();
    render(report());
    await settle();
    await load();
    const [shown] = frames();
    await act(() => environment.advance(59 * minute));
    expect(frames()[0]).toBe(shown);
    expect(shown).toBeVisible();
    expect(root()).toHaveAttribute('data-state', 'degraded');
    expect(root()).toHaveAttribute('data-code', 'frame_slow');
  });

  it('opens a fresh frame when the old key expires and its successor has not loaded, as after a failed connection', async () => {
    const { environment, report } = createTestPage();
    render(report());
    await settle();
    await load();
    await act(() => environment.advance(50 * minute));
    const [, successor] = frames();
    expect(successor).toBeDefined();
    await act(() => environment.advance(5 * minute));
    expect([frames()[1] === successor, state()]).toEqual([true, 'degraded']);
    await act(() => environment.advance(5.1 * minute));
    expect([frames().length, frames().includes(successor!), state()]).toEqual([1, false, 'loading']);
    await load();
    expect(state()).toBe('ready');
  });

  it('fails when its frame is slow, and notifies the host of a new frame only after it has loaded', async () => {
    const { environment, page } = createTestPage();
    const handle = createRef<EmbeddedReportHandle>();
    const told: string[] = [];
    render(
      page(
        <EmbeddedReport
          itemId={1042}
          ref={handle}
          loadTimeoutMs={5_000}
          onLoad={() => told.push('load')}
          onStateChange={({ status, error }) => told.push(error?.code ?? status)}
        />,
      ),
    );
    await settle();
    await load();
    await act(() => environment.advance(minute));
    act(() => handle.current?.refresh());
    await act(() => environment.advance(1_000));
    await act(() => environment.advance(4_100));
    expect(told).toEqual(['load', 'ready', 'refreshing', 'frame_slow']);
    // Until the old key expires and beyond, only the frame with the new key exists.
    await act(() => environment.advance(60 * minute));
    expect(told.filter((one) => one === 'load')).toHaveLength(1);
    await load();
    expect(told.slice(-2)).toEqual(['load', 'ready']);
  });

  it('is requested by the host with refreshPolicy "manual": onRefreshDue runs once per key, with the remaining time', async () => {
    const { backend, environment, report } = createTestPage();
    const onRefreshDue = vi.fn<(due: RefreshDue) => void>();
    render(report({ refreshPolicy: 'manual', onRefreshDue }));
    await settle();
    await load();
    await act(() => environment.advance(50 * minute));
    expect(onRefreshDue).toHaveBeenCalledTimes(1);
    const [due] = onRefreshDue.mock.calls[0]!;
    expect(due.expiresInMs).toBeCloseTo(12 * minute, -4);
    expect(backend.requests).toHaveLength(1);
    act(() => due.refresh());
    await settle();
    await load();
    expect(state()).toBe('ready');
    expect(backend.requests).toHaveLength(2);
  });

  it('does not happen with refreshPolicy "off": the report is covered when its key expires, with the button "Try again"', async () => {
    const { backend, environment, report } = createTestPage();
    render(report({ refreshPolicy: 'off' }));
    await settle();
    await load();
    await act(() => environment.advance(61 * minute));
    expect(state()).toBe('expired');
    expect(screen.getByRole('button')).toHaveTextContent('Try again');
    expect(backend.requests).toHaveLength(1);
  });

  it('pauses on a hidden page after one lifetime, and resumes when the page is visible', async () => {
    const { backend, environment, report } = createTestPage();
    render(report());
    await settle();
    await load();
    await act(async () => environment.setVisible(false));
    for (let hour = 0; hour < 12; hour += 1) {
      await act(() => environment.advance(60 * minute));
      await load();
    }
    expect(backend.requests.length).toBeLessThanOrEqual(3);
    const before = backend.requests.length;
    await act(async () => environment.setVisible(true));
    await settle();
    await load();
    expect(backend.requests).toHaveLength(before + 1);
    expect(state()).toBe('ready');
  });

  it('happens when the viewer returns after more than five minutes, because access may have changed', async () => {
    const { backend, environment, report } = createTestPage();
    render(report());
    await settle();
    await load();
    const leaveFor = async (minutes: number) => {
      await act(async () => environment.setVisible(false));
      await act(() => environment.advance(minutes * minute));
      await act(async () => environment.setVisible(true));
      await settle();
    };
    await leaveFor(4);
    expect(backend.requests).toHaveLength(1);
    await leaveFor(6);
    expect(backend.requests).toHaveLength(2);
    await load();
    expect(state()).toBe('ready');
    backend.respond = () => problem(401, 'signed_out');
    await leaveFor(6);
    expect(state()).toBe('failed');
    expect(frames()).toHaveLength(0);
  });

  it.each(['manual', 'off'] as const)(
    'is left to the host with refreshPolicy "%s", even after a long absence',
    async (refreshPolicy) => {
      const { backend, environment, report } = createTestPage();
      render(report({ refreshPolicy }));
      await settle();
      await load();
      await act(async () => environment.setVisible(false));
      await act(() => environment.advance(20 * minute));
      await act(async () => environment.setVisible(true));
      await settle();
      expect(backend.requests).toHaveLength(1);
    },
  );

  it('uses the callbacks of the mounted provider, not of an unmounted one', async () => {
    const { backend, environment, provider } = createTestPage();
    const show = (token: string) =>
      render(
        <EmbedProvider {...provider} headers={() => ({ authorization: token })}>
          <EmbeddedReport itemId={1042} />
        </EmbedProvider>,
      );
    const { unmount } = show('first');
    await settle();
    unmount();
    await act(() => environment.advance(minute));
    show('second');
    await settle();
    expect(backend.requests.map(({ headers }) => headers.get('authorization'))).toEqual(['first', 'second']);
  });

  it('can be requested with the handle: with a new key, or with the current key', async () => {
    const { backend, environment, page } = createTestPage();
    const handle = createRef<EmbeddedReportHandle>();
    render(page(<EmbeddedReport itemId={1042} ref={handle} />));
    await settle();
    await load();
    expect(handle.current?.element).toHaveAttribute('data-state', 'ready');
    await act(async () => handle.current?.reload());
    expect(frames()).toHaveLength(2);
    expect(backend.requests).toHaveLength(1);
    await load();
    await act(() => environment.advance(minute));
    act(() => handle.current?.refresh());
    await settle();
    expect(backend.requests).toHaveLength(2);
    expect(frames()).toHaveLength(2);
  });

  it('keeps a concealed key out of the document', async () => {
    const { report } = createTestPage();
    const replace = vi.fn<(address: string) => void>();
    const contentWindow = { location: { replace } };
    Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', {
      configurable: true,
      get: () => contentWindow,
    });
    Object.defineProperty(HTMLIFrameElement.prototype, 'contentDocument', {
      configurable: true,
      get: () => ({ URL: 'about:blank' }),
    });
    render(report({ concealKey: true }));
    await settle();
    expect(replace.mock.calls).toEqual([['about:blank#'], ['https://acme.example/report/1042?ev=key%2B1']]);
    expect(document.documentElement.outerHTML).not.toContain('key');
    // The first, empty document also fires load, which says nothing about the report.
    await load();
    expect(state()).toBe('loading');
    for (const name of ['contentWindow', 'contentDocument'])
      Reflect.deleteProperty(HTMLIFrameElement.prototype, name);
  });
});
