import { dehydrate, hydrate, QueryClient } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import { EmbeddedReport, EmbedProvider, embedKeyOptions, type RefreshPolicy } from '@vitrine/react';
import { createRef } from 'react';
import { describe, expect, it } from 'vitest';
import { createTestPage, frames, load, PrefetchLink, settle, state } from '../support/domReport.tsx';
import { createVirtualBackend } from '../support/virtualBackend.ts';

const minute = 60_000;

const show = async (policies: readonly RefreshPolicy[]) => {
  const { backend, environment, provider } = createTestPage();
  const queryClient = new QueryClient();
  const handle = createRef<(itemId: number) => Promise<void>>();
  const view = render(
    <EmbedProvider {...provider} queryClient={queryClient}>
      <PrefetchLink handle={handle} />
      {policies.map((policy) => (
        <EmbeddedReport key={policy} itemId={1042} title={policy} refreshPolicy={policy} />
      ))}
    </EmbedProvider>,
  );
  await settle();
  for (const frame of frames()) await load(frame);
  return {
    ...view,
    backend,
    environment,
    provider,
    queryClient,
    prefetch: (itemId: number) => act(async () => handle.current?.(itemId)),
    stateOf: (policy: RefreshPolicy) =>
      view.container.querySelector(`iframe[title="${policy}"]`)?.closest<HTMLElement>('[data-state]')
        ?.dataset['state'],
  };
};

describe('a key that is prefetched for an open report', () => {
  it.each(['seamless', 'manual', 'off'] as const)(
    'is not requested, and does not change the frame: %s',
    async (policy) => {
      const { backend, environment, prefetch } = await show([policy]);
      await act(() => environment.advance(6 * minute));
      const before = frames();
      await prefetch(1042);
      await settle();
      expect(backend.requests).toHaveLength(1);
      expect(frames()).toEqual(before);
      expect(state()).toBe('ready');
    },
  );

  it('keeps the frame when a loader or a server brings another key, which is used once the old key is due', async () => {
    const { backend, environment, provider, queryClient } = await show(['seamless']);
    const before = frames();
    // As a revalidated loader does: the server requests again, and the page hydrates its response.
    const revalidate = async (key: string) => {
      const server = new QueryClient();
      const source = createVirtualBackend();
      source.respond = () =>
        Response.json({ itemId: 1042, key, tenantUrl: 'https://acme.example', lifetimeMs: 60 * minute });
      await server.prefetchQuery(embedKeyOptions(1042, { ...provider, fetch: source.fetch }));
      await act(async () => hydrate(queryClient, dehydrate(server)));
      server.clear();
    };
    await act(() => environment.advance(10 * minute));
    await revalidate('revalidated');
    await act(() => environment.advance(minute));
    expect(frames()).toEqual(before);
    await act(() => environment.advance(33 * minute));
    await revalidate('shortly-before');
    await act(() => environment.advance(5 * minute));
    expect(frames().at(-1)?.src).toContain('ev=shortly-before');
    expect(backend.requests).toHaveLength(1);
  });
});

describe('reports of one item with different policies', () => {
  it('each follow their own', async () => {
    const { backend, environment, stateOf, container } = await show(['seamless', 'manual', 'off']);
    const frameOf = (policy: RefreshPolicy) => container.querySelector(`iframe[title="${policy}"]`);
    const [manual, off] = [frameOf('manual'), frameOf('off')];
    await act(() => environment.advance(50 * minute));
    for (const frame of frames()) await load(frame);
    expect(backend.requests).toHaveLength(2);
    expect(frames()).toHaveLength(3);
    expect([frameOf('manual'), frameOf('off')]).toEqual([manual, off]);
    await act(() => environment.advance(11 * minute));
    expect(['seamless', 'manual', 'off'].map((policy) => stateOf(policy as RefreshPolicy))).toEqual([
      'ready',
      'expired',
      'expired',
    ]);
  });
});
