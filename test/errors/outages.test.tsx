import { act, fireEvent, render, screen } from '@testing-library/react';
import { EmbedError, type EmbedErrorCode, type ErrorLabel } from '@vitrine/react';
import { describe, expect, it, vi } from 'vitest';
import { createTestPage, frames, load, root, settle, state } from '../support/domReport.tsx';
import { problem } from '../support/virtualBackend.ts';

const minute = 60_000;

describe('a response that is not from the backend', () => {
  it.each([
    ['404 of a router', () => new Response('<h1>Not found</h1>', { status: 404 })],
    ['403 of a firewall', () => new Response('Forbidden', { status: 403 })],
    ['408 of a proxy', () => new Response(null, { status: 408 })],
    ['425 of a proxy', () => new Response(null, { status: 425 })],
    ['401 of another framework', () => Response.json({ message: 'Unauthorized' }, { status: 401 })],
    ['problem document of another backend', () => problem(404, 'NOT_FOUND')],
    [
      'JSON of a gateway with one of our codes',
      () => Response.json({ code: 'report_unavailable' }, { status: 404 }),
    ],
    ['numeric code', () => Response.json({ code: 40_301, message: 'no' }, { status: 403 })],
  ])('is treated as an outage and retried: %s', async (_, answer) => {
    const { backend, environment, report } = createTestPage();
    render(report());
    await settle();
    await load();
    const [shown] = frames();
    backend.respond = answer;
    await act(() => environment.advance(50 * minute));
    expect(state()).toBe('degraded');
    expect(frames()[0]).toBe(shown);
    expect(shown).toBeVisible();
    const attempts = backend.requests.length;
    await act(() => environment.advance(6 * minute));
    expect(backend.requests.length).toBeGreaterThan(attempts);
    backend.respond = undefined;
    await act(() => environment.advance(6 * minute));
    await load();
    expect(state()).toBe('ready');
  });

  it.each(['application/json', 'application/problem+json'])(
    'gets an error code with its status, also when it is %s with a numeric code',
    async (type) => {
      const { backend, report } = createTestPage();
      backend.respond = () =>
        Response.json({ code: 40_301 }, { status: 403, headers: { 'content-type': type } });
      render(report());
      await settle();
      expect(root()).toHaveAttribute('data-code', 'http_403');
    },
  );
});

it('keeps the note about an outage hidden once it is dismissed, while further requests fail', async () => {
  const { backend, environment, report } = createTestPage();
  render(report());
  await settle();
  await load();
  let count = 0;
  backend.respond = () => problem(503, 'portal_unavailable', { retryAfterMs: 60_000 + ++count });
  await act(() => environment.advance(48 * minute));
  expect(screen.getByRole('status')).toHaveTextContent('Not refreshed since');
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  const before = count;
  await act(() => environment.advance(5 * minute));
  expect(count).toBeGreaterThan(before);
  expect(state()).toBe('degraded');
  expect(screen.queryByRole('status')).toBeNull();
  backend.respond = () => problem(429, 'rate_limited');
  await act(() => environment.advance(5 * minute));
  expect(screen.getByRole('status')).toHaveTextContent('Too many requests');
});

it('retries a response with Retry-After after the delay', async () => {
  const { backend, environment, report } = createTestPage();
  backend.respond = () => new Response(null, { status: 503, headers: { 'retry-after': '90' } });
  render(report());
  await settle();
  expect(screen.getByRole('alert')).toHaveTextContent('within 90 seconds');
  await act(() => environment.advance(89_000));
  expect(backend.requests).toHaveLength(1);
  await act(() => environment.advance(2_000));
  expect(backend.requests).toHaveLength(2);
});

describe('errors passed to the host', () => {
  it('are EmbedErrors, even if its headers function rejects', async () => {
    const { provider, page } = createTestPage();
    const onError = vi.fn<(error: EmbedError) => void>();
    const headers = () => Promise.reject(new Error('no token'));
    const { EmbeddedReport, EmbedProvider } = await import('@vitrine/react');
    render(
      page(
        <EmbedProvider {...provider} headers={headers}>
          <EmbeddedReport itemId={1042} onError={onError} />
        </EmbedProvider>,
      ),
    );
    await settle();
    const [error] = onError.mock.calls[0] ?? [];
    expect(error).toBeInstanceOf(EmbedError);
    expect(error).toMatchObject({
      code: 'backend_unreachable',
      retry: 'automatic',
      cause: new Error('no token'),
    });
  });

  it('are passed again when a degraded report expires, like every change of state', async () => {
    const { backend, environment, report } = createTestPage();
    const codes: EmbedErrorCode[] = [];
    const states: string[] = [];
    render(
      report({
        onError: ({ code }) => codes.push(code),
        onStateChange: ({ status }, { itemId }) => states.push(`${itemId} ${status}`),
      }),
    );
    await settle();
    await load();
    backend.respond = () => problem(503, 'portal_unavailable');
    await act(() => environment.advance(58 * minute));
    await act(() => environment.advance(3 * minute));
    expect(codes).toEqual(['portal_unavailable', 'portal_unavailable']);
    expect(states).toEqual(['1042 ready', '1042 degraded', '1042 expired']);
  });

  it('keep the focus in the report when their button "Try again" disappears', async () => {
    const { backend, report } = createTestPage();
    backend.respond = () => problem(503, 'portal_unavailable');
    render(report());
    await settle();
    const button = screen.getByRole('button', { name: 'Try again' });
    button.focus();
    fireEvent.click(button);
    await settle();
    expect(screen.queryByRole('button')).toBeNull();
    expect(document.activeElement).toBe(root());
  });

  it('use default labels for undefined or incomplete ones', async () => {
    const { backend, report } = createTestPage();
    backend.respond = () => problem(401, 'signed_out');
    // TypeScript requires both parts.
    const signedOut = { title: 'Abgemeldet' } as ErrorLabel;
    const { rerender } = render(report({ labels: { signed_out: signedOut } }));
    await settle();
    expect(screen.getByRole('alert')).toHaveTextContent('AbgemeldetSign in again to see this report.');
    rerender(report({ labels: { signed_out: undefined, signIn: undefined }, onSignIn: vi.fn<() => void>() }));
    expect(screen.getByRole('alert')).toHaveTextContent('You’re signed out');
    expect(screen.getByRole('button')).toHaveTextContent('Sign in');
  });
});

describe('focus events', () => {
  it('of elements repeat no request: only the return to the window does', async () => {
    const { backend, environment, report } = createTestPage();
    backend.respond = () => problem(401, 'signed_out');
    const added = vi.spyOn(globalThis, 'addEventListener');
    render(report());
    await settle();
    const types = added.mock.calls.map(
      ([type, , isCapturing]) => `${type} ${isCapturing ? 'captured' : 'own'}`,
    );
    // A capturing focus listener on the window also receives the events of elements.
    expect(types).toContain('focus own');
    expect(types).not.toContain('focus captured');
    await act(() => environment.advance(15_000));
    for (let times = 0; times < 20; times += 1) await act(async () => environment.wake());
    await settle();
    expect(backend.requests).toHaveLength(2);
  });
});
