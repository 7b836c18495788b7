import { act, fireEvent, render, screen } from '@testing-library/react';
import { problemCodes } from '@vitrine/contract';
import { EmbeddedReport, type EmbeddedReportHandle, englishLabels } from '@vitrine/react';
import { createRef } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { createTestPage, frames, load, root, settle, state } from '../support/domReport.tsx';
import { problem } from '../support/virtualBackend.ts';

const minute = 60_000;

describe('the states of a report', () => {
  for (const [code, { kind, status }] of Object.entries(problemCodes))
    it(`shows "${englishLabels[kind].title}" when the backend answers ${code}`, async () => {
      const { backend, report } = createTestPage();
      backend.respond = () => problem(status, code);
      render(report());
      await settle();
      expect(state()).toBe('failed');
      expect(root()).toHaveAttribute('data-code', code);
      expect(screen.getByRole('alert')).toHaveTextContent(englishLabels[kind].title);
      // A second try changes nothing about a permission, a setting or a session.
      const canRetry = !['misconfigured', 'report_unavailable', 'signed_out'].includes(kind);
      expect(screen.queryAllByRole('button')).toHaveLength(canRetry ? 1 : 0);
    });

  it('retries automatically exactly the codes of an outage or a limit', async () => {
    for (const [code, { status, kind }] of Object.entries(problemCodes)) {
      const { backend, environment, report } = createTestPage();
      backend.respond = () => problem(status, code);
      const { unmount } = render(report());
      await act(() => environment.advance(minute));
      expect([code, backend.requests.length > 1]).toEqual([code, /unreachable|limited/.test(kind)]);
      unmount();
      await settle();
    }
  });

  it('waits as long as the backend asks, and shows this', async () => {
    const { backend, environment, report } = createTestPage();
    backend.respond = () => problem(429, 'rate_limited', { retryAfterMs: 90_000 });
    render(report());
    await settle();
    expect(screen.getByRole('alert')).toHaveTextContent('within 90 seconds');
    await act(() => environment.advance(89_000));
    expect(backend.requests).toHaveLength(1);
    await act(() => environment.advance(2_000));
    expect(backend.requests).toHaveLength(2);
  });

  it('is offline when the browser reports it, and returns with the network', async () => {
    const { backend, environment, report } = createTestPage();
    backend.respond = () => Promise.reject(new TypeError('Failed to fetch'));
    environment.setOnline(false);
    render(report());
    await settle();
    expect(root()).toHaveAttribute('data-code', 'offline');
    // Long enough for the backoff to grow: the last attempt was a while ago, and the next one is a while away.
    await act(() => environment.advance(28_000));
    const attempts = backend.requests.length;
    backend.respond = undefined;
    await act(async () => environment.setOnline(true));
    await settle();
    expect(backend.requests).toHaveLength(attempts + 1);
    expect(frames()).toHaveLength(1);
  });

  it('keeps the focus when the viewer dismisses the note', async () => {
    const { backend, environment, report } = createTestPage();
    render(report());
    await settle();
    await load();
    backend.respond = () => problem(503, 'portal_unavailable');
    await act(() => environment.advance(55 * minute));
    const button = screen.getByRole('button', { name: 'Dismiss' });
    button.focus();
    fireEvent.click(button);
    expect(screen.queryByRole('status')).toBeNull();
    expect(root()).toHaveFocus();
  });

  it('keeps a visible report while its key cannot be refreshed, covers it when it expires, and shows it again', async () => {
    const { backend, environment, report } = createTestPage();
    const onError = vi.fn<(error: unknown) => void>();
    render(report({ onError }));
    await settle();
    await load();
    const shown = frames()[0];
    const shownAt = new Date(Date.now()).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
    backend.respond = () => problem(503, 'portal_unavailable');
    await act(() => environment.advance(50 * minute));
    expect(state()).toBe('degraded');
    expect(shown).toBeVisible();
    const note = `This report isn’t respondingNot refreshed since ${shownAt}`;
    expect(screen.getByRole('status').textContent).toContain(note);
    expect(onError).toHaveBeenCalledTimes(1);
    await act(() => environment.advance(11 * minute));
    expect(state()).toBe('expired');
    expect(shown).not.toBeVisible();
    backend.respond = undefined;
    await act(() => environment.advance(minute / 2));
    await load();
    expect(state()).toBe('ready');
    expect(frames()[0]).not.toBe(shown);
  });

  it.each([
    [401, 'signed_out'],
    [404, 'report_unavailable'],
  ] as const)('removes a visible report at once when the backend answers %i: %s', async (status, code) => {
    const { backend, environment, page } = createTestPage();
    const handle = createRef<EmbeddedReportHandle>();
    render(page(<EmbeddedReport itemId={1042} ref={handle} />));
    await settle();
    await load();
    const shown = frames()[0];
    backend.respond = () => problem(status, code);
    await act(() => environment.advance(50 * minute));
    expect(root()).toHaveAttribute('data-code', code);
    expect(frames()).toHaveLength(0);
    expect(backend.requests).toHaveLength(2);
    // The next signed-in viewer finds nothing of what was shown before.
    backend.respond = undefined;
    await act(async () => handle.current?.retry());
    await act(() => environment.advance(1_000));
    expect(frames()).toHaveLength(1);
    expect(frames()).not.toContain(shown);
    expect(state()).toBe('loading');
  });

  it('reports a frame as slow after its timeout, and still shows it once it has loaded', async () => {
    const { environment, report } = createTestPage();
    render(report({ loadTimeoutMs: 5_000 }));
    await settle();
    await act(() => environment.advance(5_100));
    expect(root()).toHaveAttribute('data-code', 'frame_slow');
    expect(screen.getByRole('button')).toBeEnabled();
    await load();
    expect(state()).toBe('ready');
  });

  it('detects a frame that the page’s policy blocks although it fires load, and gives the host its origin', async () => {
    const { environment, report } = createTestPage();
    const onError = vi.fn<(error: unknown) => void>();
    render(report({ onError }));
    await settle();
    await load();
    const violation = { effectiveDirective: 'frame-src', blockedURI: 'https://acme.example' };
    await act(async () =>
      environment.emit('securitypolicyviolation', { ...violation, disposition: 'report' }),
    );
    expect(state()).toBe('ready');
    await act(async () =>
      environment.emit('securitypolicyviolation', { ...violation, disposition: 'enforce' }),
    );
    expect(root()).toHaveAttribute('data-code', 'frame_blocked');
    expect(screen.getByRole('alert')).toHaveTextContent('This report can’t be shown here');
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ origin: 'https://acme.example' }), {
      itemId: 1042,
    });
  });

  it('ignores the load event of a blocked frame, which Chromium fires after the violation', async () => {
    const { environment, report } = createTestPage();
    const onLoad = vi.fn<() => void>();
    render(report({ onLoad }));
    await settle();
    const violation = { effectiveDirective: 'frame-src', blockedURI: 'https://acme.example' };
    await act(async () =>
      environment.emit('securitypolicyviolation', { ...violation, disposition: 'enforce' }),
    );
    await load();
    expect(root()).toHaveAttribute('data-code', 'frame_blocked');
    expect(onLoad).not.toHaveBeenCalled();
  });

  it.each([
    ['https://acme.exam', 'ready'],
    ['https://acme.example.evil', 'ready'],
    ['https://acme.example.evil/report/1042', 'ready'],
    ['https://acme.example:8443', 'ready'],
    ['https', 'ready'],
    ['', 'ready'],
    ['https://acme.example', 'failed'],
    ['https://acme.example/report/1042?ev=key', 'failed'],
  ])('identifies its own frame in a policy violation: after "%s" it is %s', async (blockedURI, expected) => {
    const { environment, report } = createTestPage();
    render(report());
    await settle();
    await load();
    const violation = { effectiveDirective: 'frame-src', disposition: 'enforce', blockedURI };
    await act(async () => environment.emit('securitypolicyviolation', violation));
    expect(state()).toBe(expected);
    expect(screen.queryByText(/ev=/)).toBeNull();
  });

  it('uses the labels of the host, and passes the state and a retry function to its slots', async () => {
    const { backend, environment, report } = createTestPage();
    backend.respond = () => problem(401, 'signed_out');
    render(
      report({
        labels: { signed_out: { title: 'Abgemeldet', description: 'Bitte neu anmelden.' } },
        renderLoading: () => <p>Moment…</p>,
        renderError: ({ error, retry }) => (
          <button type="button" onClick={retry}>
            {error.code}
          </button>
        ),
      }),
    );
    expect(screen.getByText('Moment…')).toBeInTheDocument();
    await settle();
    backend.respond = undefined;
    await act(async () => screen.getByRole('button', { name: 'signed_out' }).click());
    await act(() => environment.advance(1_000));
    expect(frames()).toHaveLength(1);
  });
});
