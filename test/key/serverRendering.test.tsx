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
  const frame = container.querySelector('iframe');
  const root = await act(async () => hydrateRoot(container, page, { onRecoverableError: recovered }));
  await settle();
  return {
    frame,
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

  it('starts the frame in the HTML when the key is available, and keeps this frame', async () => {
    const { provider, backend } = createTestPage();
    const { fetch, ...steady } = provider;
    const server = new QueryClient();
    await server.prefetchQuery(embedKeyOptions(1042, { ...steady, fetch }));
    const page = (client: QueryClient) => (
      <QueryClientProvider client={client}>
        <HydrationBoundary state={JSON.parse(JSON.stringify(dehydrate(server)))}>
          <EmbedProvider {...provider} queryClient={client}>
            <EmbeddedReport itemId={1042} title="Sales" />
          </EmbedProvider>
        </HydrationBoundary>
      </QueryClientProvider>
    );
    const html = renderOnServer(page(server));
    expect(html).toContain('src="https://acme.example/report/1042?ev=key%2B1"');
    expect(html).not.toContain('style=');
    const { frame, recovered, end } = await hydrate(html, page(new QueryClient()));
    expect(recovered).not.toHaveBeenCalled();
    expect(frames()).toEqual([frame]);
    expect(state()).toBe('ready');
    expect(frame).toBeVisible();
    expect(backend.requests).toHaveLength(1);
    await end();
    server.clear();
  });

  it.each([
    // The document of a cross-origin frame is not accessible.
    ['loaded before hydration', null, 1],
    ['is still loading', { URL: 'about:blank' }, 0],
  ])('calls onLoad once for a server-rendered frame that %s', async (_, contentDocument, calls) => {
    const { provider } = createTestPage();
    const onLoad = vi.fn<() => void>();
    const server = new QueryClient();
    await server.prefetchQuery(embedKeyOptions(1042, provider));
    const dehydrated = JSON.parse(JSON.stringify(dehydrate(server)));
    const page = (client: QueryClient) => (
      <QueryClientProvider client={client}>
        <HydrationBoundary state={dehydrated}>
          <EmbedProvider {...provider} queryClient={client}>
            <EmbeddedReport itemId={1042} onLoad={onLoad} />
          </EmbedProvider>
        </HydrationBoundary>
      </QueryClientProvider>
    );
    const html = renderOnServer(page(server));
    Object.defineProperty(HTMLIFrameElement.prototype, 'contentDocument', {
      configurable: true,
      get: () => contentDocument,
    });
    const { frame, end } = await hydrate(html, <StrictMode>{page(new QueryClient())}</StrictMode>);
    expect(onLoad).toHaveBeenCalledTimes(calls);
    expect(state()).toBe(calls ? 'ready' : 'loading');
    Reflect.deleteProperty(HTMLIFrameElement.prototype, 'contentDocument');
    if (frame) await load(frame);
    expect(onLoad).toHaveBeenCalledTimes(1);
    expect(state()).toBe('ready');
    expect(frames()).toEqual([frame]);
    await end();
    server.clear();
  });

  it('covers a server-rendered frame with an expired key, and requests a new one', async () => {
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

  it('gives the frame a new name with every key, because browsers restore frames by name', async () => {
    const { environment, provider } = createTestPage();
    const visit = async () => {
      const server = new QueryClient();
      await server.prefetchQuery(embedKeyOptions(1042, provider));
      const html = renderOnServer(
        <EmbedProvider {...provider} queryClient={server}>
          <EmbeddedReport itemId={1042} />
        </EmbedProvider>,
      );
      server.clear();
      return /<iframe[^>]* name="([^"]+)"/.exec(html)?.[1];
    };
    const first = await visit();
    expect(first).toMatch(/^vitrine/);
    await environment.advance(1_000);
    expect(await visit()).not.toBe(first);
  });

  it('writes no key to the HTML when it is concealed', async () => {
    const { provider } = createTestPage();
    const server = new QueryClient();
    await server.prefetchQuery(embedKeyOptions(1042, provider));
    const html = renderOnServer(
      <EmbedProvider {...provider} queryClient={server}>
        <EmbeddedReport itemId={1042} concealKey />
      </EmbedProvider>,
    );
    expect(html).toContain('<iframe');
    expect(html).not.toContain('key');
    server.clear();
  });
});
