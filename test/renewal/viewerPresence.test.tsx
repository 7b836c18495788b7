import { QueryClient } from '@tanstack/react-query';
import { act, fireEvent, render, screen } from '@testing-library/react';
import {
  EmbeddedReport,
  type EmbeddedReportHandle,
  EmbedProvider,
  embedKeyOptions,
  type ReportLoad,
} from '@vitrine/react';
import { createRef } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTestPage, frames, load, root, settle, state } from '../support/domReport.tsx';
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

  it('`automatic` for every renewal of a key that a loader has brought', async () => {
    const page = createTestPage();
    const queryClient = new QueryClient();
    await queryClient.prefetchQuery(embedKeyOptions(1042, page.provider));
    render(
      <EmbedProvider {...page.provider} queryClient={queryClient}>
        <EmbeddedReport itemId={1042} />
      </EmbedProvider>,
    );
    await settle();
    await load();
    await act(() => page.environment.advance(100 * minute));
    expect(new Set(markersOf(page).slice(1))).toEqual(new Set(['automatic']));
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
    ref.current?.refresh();
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

describe('a report of a viewer who has to sign in', () => {
  it('offers `onSignIn`, and is requested again when its promise resolves', async () => {
    const { backend, environment, report } = createTestPage();
    backend.respond = () => problem(401, 'signed_out');
    let signedIn: () => void = () => {};
    const onSignIn = vi.fn<() => Promise<void>>(() => new Promise((resolve) => (signedIn = resolve)));
    render(report({ onSignIn }));
    await settle();
    await act(() => environment.advance(2_000));
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    await settle();
    expect(backend.requests).toHaveLength(1);
    backend.respond = undefined;
    await act(async () => signedIn());
    await settle();
    expect([backend.requests.length, frames().length]).toEqual([2, 1]);
  });

  it('leaves the retry to the host if `onSignIn` returns nothing', async () => {
    const { backend, environment, report } = createTestPage();
    backend.respond = () => problem(401, 'signed_out');
    const onSignIn = vi.fn<() => void>();
    render(report({ onSignIn }));
    await settle();
    await act(() => environment.advance(2_000));
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    await act(() => environment.advance(2_000));
    expect([onSignIn.mock.calls.length, backend.requests.length]).toEqual([1, 1]);
  });
});

describe('reloadIntervalMs', () => {
  const setUp = async () => {
    const page = createTestPage();
    render(page.report({ reloadIntervalMs: 5 * minute }));
    await settle();
    await load();
    const [first] = frames();
    await act(() => page.environment.advance(4.9 * minute));
    expect(frames()).toEqual([first]);
    return { ...page, first, pass: (ms: number) => act(() => page.environment.advance(ms)) };
  };

  it('loads the report again behind the visible one, with the same key', async () => {
    const { backend, first, pass } = await setUp();
    await pass(0.2 * minute);
    expect(frames()).toHaveLength(2);
    expect(first).toBeVisible();
    await load();
    expect(frames()).toHaveLength(1);
    expect(frames()[0]?.src).toBe(first?.src);
    await pass(5.1 * minute);
    expect([frames().length, backend.requests.length]).toEqual([2, 1]);
  });

  it('loads it once more at the next time, and by reload(), if the frame behind it is lost', async () => {
    const ref = createRef<EmbeddedReportHandle>();
    const { page, environment } = createTestPage();
    render(page(<EmbeddedReport itemId={1042} ref={ref} reloadIntervalMs={5 * minute} />));
    await settle();
    await load();
    await act(() => environment.advance(5.1 * minute));
    const [first, lost] = frames();
    await act(() => environment.advance(minute));
    expect([frames(), state()]).toEqual([[first, lost], 'degraded']);
    await act(() => environment.advance(4.1 * minute));
    const [, second] = frames();
    expect([frames()[0], frames().length, second === lost]).toEqual([first, 2, false]);
    await act(() => environment.advance(minute));
    await act(async () => ref.current?.reload());
    expect([frames()[0], frames().length, frames()[1] === second]).toEqual([first, 2, false]);
    await load();
    expect([frames().length, frames()[0] === first, state()]).toEqual([1, false, 'ready']);
  });

  it.each([
    ['the page is hidden', async ({ environment }) => environment.setVisible(false)],
    ['there is no network', async ({ environment }) => environment.setOnline(false)],
    ['the viewer uses the report', async ({ first }) => first?.focus()],
  ] as readonly [string, (page: Awaited<ReturnType<typeof setUp>>) => Promise<void>][])(
    'pauses while %s',
    async (_, begin) => {
      const page = await setUp();
      await act(() => begin(page));
      await page.pass(30 * minute);
      expect(frames()).toEqual([page.first]);
    },
  );
});

describe('a portal in a local network that the browser denies', () => {
  const setUp = async (permission: string, probe: () => Promise<Response>) => {
    const query = vi.fn<() => Promise<object>>(() => Promise.resolve({ state: permission }));
    Object.defineProperty(navigator, 'permissions', { value: { query }, configurable: true });
    const probed = vi.spyOn(globalThis, 'fetch').mockImplementation(probe);
    const { report } = createTestPage();
    render(report());
    await settle();
    await load();
    await settle();
    return probed.mock.calls;
  };
  const failing = () => Promise.reject(new TypeError('Failed to fetch'));
  afterEach(() => {
    vi.restoreAllMocks();
    Reflect.deleteProperty(navigator, 'permissions');
  });

  it('is a state of its own: the frame shows the browser’s error page', async () => {
    const calls = await setUp('denied', failing);
    expect(calls).toEqual([['https://acme.example', { mode: 'no-cors', credentials: 'omit' }]]);
    expect([state(), root()?.getAttribute('data-code')]).toEqual(['failed', 'frame_denied']);
    expect(screen.getByRole('alert')).toHaveTextContent('local network');
    expect(screen.getByRole('button')).toHaveTextContent('Try again');
  });

  it.each([
    ['a portal that responds', 'denied', () => Promise.resolve(new Response())],
    [
      'a policy of the page that forbids the request',
      'denied',
      () => {
        dispatchEvent(new Event('securitypolicyviolation'));
        return failing();
      },
    ],
  ] as const)('is not confused with %s', async (_, permission, probe) => {
    expect(await setUp(permission, probe)).toHaveLength(1);
    expect(state()).toBe('ready');
  });

  it.each(['granted', 'prompt'])('is not asked when the permission is %s', async (permission) => {
    expect(await setUp(permission, failing)).toHaveLength(0);
    expect(state()).toBe('ready');
  });
});
