import { dehydrate, HydrationBoundary, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup } from '@testing-library/react';
import { EmbeddedReport, EmbedProvider, embedKeyOptions } from '@vitrine/react';
import { type ReactNode, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { createTestPage, frames, load, settle, state } from '../support/domReport.tsx';

/** React 18 warns about effects that a server does not run where it finds the document of this test. */
const renderOnServer = (page: ReactNode): string => {
  const warn = vi.spyOn(console, 'error');
  const report = warn.getMockImplementation();
  warn.mockImplementation((...parts: unknown[]) => {
    if (!String(parts[0]).includes('useLayoutEffect does nothing on the server')) report?.(...parts);
  });
  try {
    return renderToString(page);
  } finally {
    if (report) warn.mockImplementation(report);
  }
};

const hydrate = async (html: string, page: ReactNode) => {
  const container = document.createElement('div');
  container.innerHTML = html;
  document.body.append(container);
  const recovered = vi.fn<(error: unknown) => void>();
  const root = await act(async () => hydrateRoot(container, page, { onRecoverableError: recovered }));
  await settle();
  return {
    recovered,
    end: async () => {
      await act(async () => root.unmount());
      container.remove();
      cleanup();
    },
  };
};

describe('on a server', () => {
  it('reserves the space of the report without inline styles, which a strict policy would block', () => {
    const { report, backend } = createTestPage();
    const html = renderOnServer(report({ height: 600 }));
    expect(html).toContain('data-state="loading"');
    expect(html).toContain('height="600"');
    expect(html).not.toContain('style=');
    expect(backend.requests).toHaveLength(0);
  });

  it('hydrates without a mismatch, and requests its key in the browser', async () => {
    const { report, backend } = createTestPage();
    const { recovered, end } = await hydrate(renderOnServer(report()), report());
    expect(recovered).not.toHaveBeenCalled();
    expect(backend.requests).toHaveLength(1);
    expect(frames()).toHaveLength(1);
    await end();
  });

  it('adds the frame when it hydrates, without a request, if the server has requested the key', async () => {
    const { provider, backend } = createTestPage();
    const onLoad = vi.fn<() => void>();
    const server = new QueryClient();
    await server.prefetchQuery(embedKeyOptions(1042, provider));
    const page = (client: QueryClient) => (
      <QueryClientProvider client={client}>
        <HydrationBoundary state={JSON.parse(JSON.stringify(dehydrate(server)))}>
          <EmbedProvider {...provider} queryClient={client}>
            <EmbeddedReport itemId={1042} title="Sales" onLoad={onLoad} />
          </EmbedProvider>
        </HydrationBoundary>
      </QueryClientProvider>
    );
    const html = renderOnServer(page(server));
    // No key: a browser would restore a former document into the frame, and a cache would keep the key.
    expect(html).not.toMatch(/<iframe|key%2B1|style=/);
    const { recovered, end } = await hydrate(html, <StrictMode>{page(new QueryClient())}</StrictMode>);
    expect(recovered).not.toHaveBeenCalled();
    expect(frames().map(({ src }) => src)).toEqual(['https://acme.example/report/1042?ev=key%2B1']);
    await load();
    expect(state()).toBe('ready');
    expect(onLoad).toHaveBeenCalledTimes(1);
    expect(backend.requests).toHaveLength(1);
    await end();
    server.clear();
  });

  it('adds no frame for a key that has expired since, and requests a new one', async () => {
    const { provider, backend, environment } = createTestPage();
    const server = new QueryClient();
    await server.prefetchQuery(embedKeyOptions(1042, provider));
    const dehydrated = JSON.parse(JSON.stringify(dehydrate(server)));
    environment.stepWall(30 * 24 * 3_600_000);
    const page = (client: QueryClient) => (
      <HydrationBoundary state={dehydrated} queryClient={client} {...{}}>
        <EmbedProvider {...provider} queryClient={client}>
          <EmbeddedReport itemId={1042} />
        </EmbedProvider>
      </HydrationBoundary>
    );
    const wrap = (client: QueryClient) => (
      <QueryClientProvider client={client}>{page(client)}</QueryClientProvider>
    );
    const { recovered, end } = await hydrate(renderOnServer(wrap(server)), wrap(new QueryClient()));
    expect(recovered).not.toHaveBeenCalled();
    expect(backend.requests).toHaveLength(2);
    expect(state()).toBe('loading');
    await end();
    server.clear();
  });
});
