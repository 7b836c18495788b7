import { type FetchQueryOptions, onlineManager, QueryClient } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import { EmbeddedReport, EmbedProvider, embedKeyOptions } from '@vitrine/react';
import { createRef } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestPage, frames, load, PrefetchLink, settle } from '../support/domReport.tsx';
import { problem } from '../support/virtualBackend.ts';

const minute = 60_000;
const later = Date.UTC(2100, 0, 1);

/** The key of another viewer, which must never be shown. A new object for each page, which dates keys by identity. */
const createStolenKey = () => ({
  itemId: 1042,
  key: 'stolen',
  tenantUrl: 'https://acme.example',
  lifetimeMs: 60 * minute,
  expiresAt: '',
  requestedAt: later,
});

type Option = Exclude<keyof FetchQueryOptions, 'queryKey' | 'initialPageParam' | '_defaulted'>;

/** A value for every option that harms the queries of reports. A new option of React Query needs a row. */
const createHostileOptions = (stolen = createStolenKey()) =>
  ({
    _type: 'infinite',
    behavior: {
      onFetch: (context: { fetchFn: () => unknown }) => {
        context.fetchFn = async () => stolen;
      },
    },
    gcTime: 0,
    initialData: stolen,
    initialDataUpdatedAt: later,
    maxPages: 1,
    meta: { isEmbedKey: false },
    networkMode: 'online',
    persister: async () => stolen,
    queryFn: async () => stolen,
    queryHash: 'one for all',
    queryKeyHashFn: () => 'one for all',
    retry: true,
    retryDelay: 1,
    staleTime: Infinity,
    structuralSharing: () => stolen,
  }) satisfies Record<Option, unknown>;

const everyOption = Object.keys(createHostileOptions()) as Option[];
const cases = [
  ...everyOption.map((option) => [option, [option]] as const),
  ['all of them', everyOption] as const,
];

const setters: Readonly<Record<string, (client: QueryClient, options: object) => void>> = {
  'the default options of the client': (client, queries) => client.setDefaultOptions({ queries }),
  'the defaults of all query keys': (client, queries) => client.setQueryDefaults([], queries),
};

describe.each(Object.entries(setters))("a host's option in %s", (_, set) => {
  beforeEach(() => onlineManager.setOnline(false));
  afterEach(() => onlineManager.setOnline(true));

  const openPage = (names: readonly Option[]) => {
    const page = createTestPage();
    const queryClient = new QueryClient();
    const options = createHostileOptions();
    set(queryClient, Object.fromEntries(names.map((name) => [name, options[name]])));
    queryClient.setQueryData(['the last viewer'], createStolenKey());
    const prefetch = createRef<(itemId: number) => Promise<void>>();
    const show = (isShown: boolean) => (
      <EmbedProvider {...page.provider} queryClient={queryClient}>
        <PrefetchLink handle={prefetch} />
        {isShown && <EmbeddedReport itemId={1042} />}
      </EmbedProvider>
    );
    return { ...page, queryClient, prefetch, show };
  };

  const addresses = () => frames().map(({ src }) => src);
  const own = (count: number) => [`https://acme.example/report/1042?ev=key%2B${count}`];

  it.each(cases)('changes neither the key of a report nor its renewal: %s', async (_title, names) => {
    const { backend, environment, show } = openPage(names);
    render(show(true));
    await settle();
    await load();
    expect(addresses()).toEqual(own(1));
    await act(() => environment.advance(50 * minute));
    await load();
    expect(addresses()).toEqual(own(2));
    expect(backend.requests).toHaveLength(2);
  });

  it.each(cases)('changes no key that is prefetched: %s', async (_title, names) => {
    const { backend, environment, prefetch, show } = openPage(names);
    const view = render(show(false));
    await act(async () => prefetch.current?.(1042));
    await act(() => environment.advance(20));
    view.rerender(show(true));
    await settle();
    expect(addresses()).toEqual(own(1));
    expect(backend.requests).toHaveLength(1);
  });

  it.each(cases)('changes no key that a loader requests: %s', async (_title, names) => {
    const { backend, environment, provider, queryClient, show } = openPage(names);
    await queryClient.prefetchQuery(embedKeyOptions(1042, provider));
    await act(() => environment.advance(20));
    render(show(true));
    await settle();
    expect(addresses()).toEqual(own(1));
    expect(backend.requests).toHaveLength(1);
  });

  it('does not repeat a request that failed', async () => {
    const { backend, environment, show } = openPage(['retry', 'retryDelay']);
    backend.respond = () => problem(503, 'portal_unreachable');
    render(show(true));
    await act(() => environment.advance(20));
    expect(backend.requests).toHaveLength(1);
  });

  it("keeps the host's own query with the same hash when the report leaves the page", async () => {
    const { queryClient, show } = openPage(['queryKeyHashFn']);
    const view = render(show(true));
    await settle();
    view.rerender(show(false));
    await settle();
    expect(queryClient.getQueryData(['the last viewer'])).toEqual(createStolenKey());
  });
});
