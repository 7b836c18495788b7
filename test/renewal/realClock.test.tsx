import { dehydrate, hydrate, QueryClient } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import { EmbeddedReport, EmbedProvider, embedKeyOptions } from '@vitrine/react';
import { createRef } from 'react';
import { describe, expect, it } from 'vitest';
import { createTestPage, frames, load, PrefetchLink, settle, state } from '../support/domReport.tsx';
import { problem } from '../support/virtualBackend.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** A client that decides by the wall clock whether to send a request, whatever its caller specifies. */
class WallClockClient extends QueryClient {
  override fetchQuery: QueryClient['fetchQuery'] = (options) => {
    this.getQueryCache().find({ queryKey: options.queryKey })?.setState({ isInvalidated: false });
    return super.fetchQuery({ ...options, staleTime: 0 });
  };
}

/** A page with a query client. */
const createPage = ({ queryClient = new QueryClient() } = {}) => {
  const { backend, environment, provider } = createTestPage();
  const page = (
    <EmbedProvider {...provider} queryClient={queryClient}>
      <EmbeddedReport itemId={1042} title="Sales" />
    </EmbedProvider>
  );
  const pass = (ms: number) => act(() => environment.advance(ms));
  const wake = (...types: string[]) => act(async () => types.forEach((type) => environment.emit(type)));
  return { backend, environment, queryClient, provider, page, pass, wake };
};

describe('a report on a page whose clock changes', () => {
  it.each([-26 * hour, -2 * hour, -minute, minute, 2 * hour, 26 * hour])(
    'is renewed in time when the clock moves by %i ms',
    async (stepMs) => {
      const { backend, environment, page, pass } = createPage();
      const { unmount } = render(page);
      await settle();
      await load();
      environment.stepWall(stepMs);
      for (let renewals = 1; renewals <= 3; renewals += 1) {
        const before = backend.requests.length;
        await pass(55 * minute);
        await load();
        expect(backend.requests.length).toBeGreaterThan(before);
        expect(state()).toBe('ready');
      }
      unmount();
      await settle();
    },
  );

  it('control: would not be renewed if React Query determined the age of the key', async () => {
    const { backend, environment, page, pass } = createPage({ queryClient: new WallClockClient() });
    const { unmount } = render(page);
    await settle();
    await load();
    environment.stepWall(-2 * hour);
    await pass(70 * minute);
    expect(backend.requests).toHaveLength(1);
    unmount();
    await settle();
  });

  it('renews a hydrated key although the clock of the viewer is behind that of the server', async () => {
    const server = createPage();
    await server.queryClient.prefetchQuery(embedKeyOptions(1042, server.provider));
    const dehydrated = JSON.parse(JSON.stringify(dehydrate(server.queryClient)));
    server.environment.stepWall(-2 * hour);
    const queryClient = new QueryClient();
    hydrate(queryClient, dehydrated);
    const { unmount } = render(
      <EmbedProvider {...server.provider} queryClient={queryClient}>
        <EmbeddedReport itemId={1042} title="Sales" />
      </EmbedProvider>,
    );
    await settle();
    await load();
    expect(server.backend.requests).toHaveLength(1);
    // A negative age would make the key seem two hours newer than it is.
    await server.pass(55 * minute);
    expect(server.backend.requests).toHaveLength(2);
    await load();
    expect(state()).toBe('ready');
    unmount();
    await settle();
    server.queryClient.clear();
  });

  it('does not use a prefetched key that expired while the clock was set back', async () => {
    const { backend, environment, provider, queryClient, page, pass } = createPage();
    await queryClient.prefetchQuery(embedKeyOptions(1042, provider));
    await pass(50 * minute);
    environment.stepWall(-2 * hour);
    await pass(15 * minute);
    const { unmount } = render(page);
    await settle();
    expect(backend.requests).toHaveLength(2);
    expect(frames().map(({ src }) => src)).toEqual(['https://acme.example/report/1042?ev=key%2B2']);
    unmount();
    await settle();
  });

  it('prefetches again when the current key is old, whatever the clock shows', async () => {
    const { backend, environment, provider, queryClient, pass } = createPage();
    const handle = createRef<(itemId: number) => Promise<void>>();
    // The cache removes unused entries; a host may keep them longer.
    queryClient.setQueryDefaults(['vitrine'], { gcTime: Infinity });
    const { unmount } = render(
      <EmbedProvider {...provider} queryClient={queryClient}>
        <PrefetchLink handle={handle} />
      </EmbedProvider>,
    );
    await handle.current?.(1042);
    await handle.current?.(1042);
    expect(backend.requests).toHaveLength(1);
    environment.stepWall(-2 * hour);
    await pass(6 * minute);
    await handle.current?.(1042);
    expect(backend.requests).toHaveLength(2);
    unmount();
    queryClient.clear();
  });
});

describe('a key with a lifetime under a minute', () => {
  it.each([15, 20, 30, 45].map((seconds) => seconds * second))(
    'is never shown after its expiration: %i ms',
    async (lifetimeMs) => {
      const { backend, page, pass } = createPage();
      backend.lifetimeMs = lifetimeMs;
      const { unmount } = render(page);
      await settle();
      await load();
      let shownAt = Date.now();
      for (let passed = 0; passed < minute; passed += second) {
        const before = frames()[0];
        await pass(second);
        await load();
        if (frames()[0] !== before) shownAt = Date.now();
        if (Date.now() > shownAt + lifetimeMs) expect(state()).not.toMatch(/ready|refreshing/);
      }
      expect(backend.requests.length).toBeGreaterThan(1);
      unmount();
      await settle();
    },
  );
});

describe('a returning viewer', () => {
  it('sees the same report after Back in a browser that froze the page', async () => {
    const { backend, page, pass, wake } = createPage();
    const { unmount } = render(page);
    await settle();
    await load();
    const [shown] = frames();
    await wake('pagehide', 'visibilitychange', 'freeze');
    await pass(second);
    await wake('resume', 'visibilitychange', 'pageshow');
    await pass(30 * second);
    expect(backend.requests).toHaveLength(1);
    expect(frames()).toEqual([shown]);
    // A tab that was frozen in place keeps its report and its filters too.
    await wake('resume');
    await pass(second);
    expect(backend.requests).toHaveLength(1);
    expect(frames()).toEqual([shown]);
    unmount();
    await settle();
  });

  it('sees the report after signing in elsewhere within ten seconds', async () => {
    const { backend, page, pass, wake } = createPage();
    backend.respond = () => problem(401, 'signed_out');
    const { unmount } = render(page);
    await settle();
    await pass(5 * second);
    backend.respond = undefined;
    await wake('visibilitychange', 'focus');
    await pass(4 * second);
    expect(backend.requests).toHaveLength(1);
    await pass(second);
    expect(backend.requests).toHaveLength(2);
    await load();
    expect(state()).toBe('ready');
    unmount();
    await settle();
  });

  it('causes one request although browsers fire several events', async () => {
    const { backend, page, pass, wake } = createPage();
    backend.respond = () => problem(401, 'signed_out');
    const { unmount } = render(page);
    await settle();
    await pass(minute);
    backend.respond = async () => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      return problem(401, 'signed_out');
    };
    for (const type of ['visibilitychange', 'focus', 'pageshow']) await wake(type);
    await pass(5 * minute);
    expect(backend.requests).toHaveLength(2);
    unmount();
    await settle();
  });

  it.each([3 * second, 25 * second, 10 * minute])(
    'sees every report at once when the network returns after %i ms',
    async (ms) => {
      const { backend, environment, provider, pass } = createPage();
      environment.setOnline(false);
      backend.respond = () => Promise.reject(new TypeError('Failed to fetch'));
      const items = Array.from({ length: 12 }, (_, index) => 1000 + index);
      const { unmount } = render(
        <EmbedProvider {...provider}>
          {items.map((itemId) => (
            <EmbeddedReport key={itemId} itemId={itemId} />
          ))}
        </EmbedProvider>,
      );
      await settle();
      await pass(ms);
      expect(state()).toBe('failed');
      backend.respond = undefined;
      await act(async () => environment.setOnline(true));
      await pass(1.1 * second);
      expect(frames()).toHaveLength(items.length);
      unmount();
      await settle();
    },
  );
});
