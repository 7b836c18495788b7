import { act, fireEvent, render, screen } from '@testing-library/react';
import { EmbeddedReport, type EmbeddedReportProps, EmbedProvider } from '@vitrine/react';
import { type ReactNode, StrictMode, useLayoutEffect } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { createVirtualBackend, problem } from '../support/virtualBackend.ts';
import { createVirtualEnvironment } from '../support/virtualEnvironment.ts';

const minute = 60_000;

let count = 0;

const setUp = (props: Partial<EmbeddedReportProps> = {}) => {
  const backend = createVirtualBackend();
  const environment = createVirtualEnvironment();
  const page = (more: Partial<EmbeddedReportProps> = {}) => (
    <StrictMode>
      <EmbedProvider fetch={(...call) => backend.fetch(...call)} endpoint={endpoint}>
        <EmbeddedReport itemId={1042} title="Sales" {...props} {...more} />
      </EmbedProvider>
    </StrictMode>
  );
  const endpoint = `/api/embed-one-${++count}`;
  return { backend, environment, page };
};

/** Runs a callback after the page was committed and before it is painted. */
const AtLayout = ({ run, children }: { readonly run: () => void; readonly children: ReactNode }) => {
  useLayoutEffect(run, [run]);
  return children;
};

const settle = () => act(async () => {});
const frames = () => [...document.querySelectorAll('iframe')];
const root = () => document.querySelector('[data-state]');
const state = () => root()?.getAttribute('data-state');
const load = (frame = frames().at(-1)) => act(async () => void (frame && fireEvent.load(frame)));

describe('an embedded report', () => {
  it('requests a key from the backend with only the item ID, and shows that it is loading', async () => {
    const { backend, page } = setUp();
    render(page());
    expect(state()).toBe('loading');
    expect(screen.getByRole('status')).toHaveTextContent('Loading report');
    await settle();
    expect(backend.requests).toHaveLength(1);
    expect(backend.requests[0]).toMatchObject({ body: { itemId: 1042 } });
    expect(backend.requests[0]?.url).toMatch(/\/api\/embed-.*\/keys$/);
  });

  it('requests its key before the page is painted', async () => {
    const { backend, page } = setUp();
    const seen: number[] = [];
    const look = () => queueMicrotask(() => seen.push(backend.requests.length));
    render(<AtLayout run={look}>{page()}</AtLayout>);
    await settle();
    expect(seen).toEqual([1]);
  });

  it('shows <tenant_url>/report/<itemId>?ev=<key> in one frame, and is ready when it has loaded', async () => {
    const { page } = setUp();
    render(page());
    await settle();
    expect(frames()).toHaveLength(1);
    const frame = screen.getByTitle('Sales');
    expect(frame).toHaveAttribute('src', 'https://acme.example/report/1042?ev=key%2B1');
    expect(frame).toHaveAttribute('width', '100%');
    expect(frame).toHaveAttribute('height', '800');
    expect(state()).toBe('loading');
    await load();
    expect(state()).toBe('ready');
  });

  it('passes attributes of the host to its root element, so that an ID is unique even during a renewal', async () => {
    const { environment, page } = setUp({ id: 'sales', lang: 'de', 'aria-describedby': 'note' });
    render(page());
    await settle();
    await load();
    await act(() => environment.advance(50 * minute));
    expect(frames()).toHaveLength(2);
    expect([...document.querySelectorAll('#sales')]).toEqual([root()]);
    expect(root()).toHaveAttribute('lang', 'de');
    expect(root()).toHaveAttribute('aria-describedby', 'note');
  });

  it('keeps its frame when callbacks, inline objects or equal props change', async () => {
    const { page, backend } = setUp();
    const { rerender } = render(page());
    await settle();
    const frame = frames()[0];
    rerender(page({ onLoad: () => {}, style: { margin: 0 }, labels: { retry: 'Again' } }));
    await settle();
    expect(frames()).toEqual([frame]);
    expect(backend.requests).toHaveLength(1);
  });

  it('loads the next frame hidden before the key expires, and shows it once it has loaded', async () => {
    const { backend, environment, page } = setUp();
    render(page());
    await settle();
    await load();
    const first = frames()[0];
    await act(() => environment.advance(47 * minute));
    expect(backend.requests).toHaveLength(1);
    await act(() => environment.advance(minute + 10_000));
    expect(backend.requests).toHaveLength(2);
    expect(state()).toBe('refreshing');
    expect(frames()[0]).toBe(first);
    expect(frames()[1]).not.toBeVisible();
    const second = frames()[1];
    await load(second);
    expect(frames()).toEqual([second]);
    expect(second).toBeVisible();
    expect(state()).toBe('ready');
  });

  it('applies frameProps to the frame and to its successors', async () => {
    const powers = {
      sandbox: 'allow-scripts allow-same-origin',
      allow: 'clipboard-write',
      referrerPolicy: 'no-referrer',
    } as const;
    const { environment, page } = setUp({ frameProps: powers });
    render(page());
    await settle();
    await load();
    await act(() => environment.advance(50 * minute));
    expect(frames()).toHaveLength(2);
    for (const frame of frames())
      for (const [name, value] of Object.entries(powers)) expect(frame.getAttribute(name)).toBe(value);
  });

  it('shows an error message with a button "Try again" that works', async () => {
    const { backend, environment, page } = setUp();
    backend.respond = () => problem(503, 'portal_unavailable');
    const onError = vi.fn<(error: unknown) => void>();
    render(page({ onError }));
    await settle();
    expect(state()).toBe('failed');
    expect(screen.getByRole('alert')).toHaveTextContent('This report isn’t responding');
    expect(onError).toHaveBeenCalledTimes(1);
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ name: 'EmbedError', code: 'portal_unavailable' });
    backend.respond = undefined;
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Try again' })));
    await act(() => environment.advance(1000));
    expect(frames()).toHaveLength(1);
  });

  it('rejects an item ID that is not a positive integer, without a request', async () => {
    const { backend, page } = setUp();
    // A plain JavaScript host can pass anything.
    render(page({ itemId: '1042' as unknown as number }));
    await settle();
    expect(root()).toHaveAttribute('data-code', 'invalid_item_id');
    expect(backend.requests).toHaveLength(0);
    expect(frames()).toHaveLength(0);
  });

  it('never navigates to a URL that a portal cannot have', async () => {
    const { backend, page } = setUp();
    backend.respond = () =>
      Response.json({
        itemId: 1042,
        key: 'k',
        tenantUrl: 'javascript:alert(1)',
        lifetimeMs: 1e6,
        expiresAt: '',
      });
    render(page());
    await settle();
    expect(root()).toHaveAttribute('data-code', 'backend_invalid_response');
    expect(frames()).toHaveLength(0);
  });

  it('leaves no timer and no listener behind', async () => {
    const { environment, page } = setUp();
    const { unmount } = render(page());
    await settle();
    // That of the page's clock, and that which guards the focus while the frame is hidden.
    expect(environment.timerCount).toBe(2);
    unmount();
    await settle();
    expect(environment.timerCount).toBe(0);
    expect(environment.listenerCount).toBe(0);
  });
});
