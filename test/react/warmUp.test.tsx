import { QueryClient } from '@tanstack/react-query';
import { cleanup, render } from '@testing-library/react';
import { EmbeddedReport, EmbedProvider, type EmbedProviderProps, embedKeyOptions } from '@vitrine/react';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestPage, frames, load, settle, state } from '../support/domReport.tsx';

const tenantUrl = 'https://acme.example';

const show = (props: Partial<EmbedProviderProps> = {}, { provider, backend } = createTestPage()) => {
  const page = (
    <EmbedProvider {...provider} {...props}>
      <EmbeddedReport itemId={1042} title="Sales" />
    </EmbedProvider>
  );
  return { provider, backend, ...render(page) };
};

const hidden = () => frames().filter((frame) => frame.hidden);

afterEach(cleanup);

describe('the preconnection to a tenant URL that the provider knows', () => {
  it('uses a hidden frame while the key is requested', async () => {
    const { backend } = show({ tenantUrl });
    expect(hidden().map(({ src }) => src)).toEqual(['https://acme.example/favicon.ico']);
    expect(state()).toBe('loading');
    await settle();
    expect(backend.requests).toHaveLength(1);
  });

  it('loads no script of the tenant, and sends no referrer and no part of the key', async () => {
    show({ tenantUrl: `${tenantUrl}/a/path/` });
    const [frame] = hidden();
    expect(frame?.getAttribute('sandbox')).toBe('');
    expect(frame?.referrerPolicy).toBe('no-referrer');
    expect(frame?.src).toBe('https://acme.example/favicon.ico');
    await settle();
  });

  it('removes its frame once it has loaded, and keeps the report', async () => {
    show({ tenantUrl });
    await load(hidden()[0]);
    expect(hidden()).toHaveLength(0);
    await settle();
    expect(frames()).toHaveLength(1);
    await load();
    expect(state()).toBe('ready');
  });

  it('leaves no frame behind when the reports unmount first', async () => {
    const { unmount } = show({ tenantUrl });
    unmount();
    expect(frames()).toHaveLength(0);
    await settle();
  });

  it('is skipped when the key is already available', async () => {
    const page = createTestPage();
    const queryClient = new QueryClient();
    await queryClient.prefetchQuery(embedKeyOptions(1042, page.provider));
    show({ queryClient, tenantUrl }, page);
    expect(hidden()).toHaveLength(0);
    expect(frames()).toHaveLength(1);
    await settle();
  });

  it('is skipped for an unknown URL and for one that no report can have', async () => {
    for (const address of [undefined, '', 'javascript:alert(1)', 'http://acme.example', '/portal']) {
      const { unmount } = show({ tenantUrl: address });
      expect(hidden()).toHaveLength(0);
      await settle();
      unmount();
    }
  });
});
