import { EmbedProvider } from '@vitrine/react';
import { createFakeEmbed } from '@vitrine/react/testing';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, vi } from 'vitest';
import { createPageClock } from './pageClock.ts';

const hourMs = 3_600_000;
/** Another origin that this machine serves itself. */
export const tenantUrl = `http://tenant.localhost:${location.port}`;

/**
 * Renders reports in a real browser: real frames of another origin, and a clock that the test advances. `keyOf` creates
 * the key of the nth request.
 */
export const createBrowserPage = (keyOf = (count: number) => `${count}`) => {
  const fake = createFakeEmbed();
  const { endpoint, fetch } = fake.provider;
  const clock = createPageClock();
  const requests: number[] = [];
  const keys: string[] = [];
  const answer: typeof globalThis.fetch = async (_, init) => {
    const { itemId } = JSON.parse(init?.body as string) as { itemId: number }; // the library writes text
    requests.push(itemId);
    const key = keyOf(requests.length);
    keys.push(key);
    return Response.json({ itemId, key, tenantUrl, lifetimeMs: hourMs, expiresAt: '' });
  };
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  onTestFinished(() => {
    root.unmount();
    container.remove();
    fake.close();
    clock.restore();
  });
  return {
    container,
    requests,
    keys,
    advance: clock.advance,
    answer: fake.answer,
    frames: () => [...container.querySelectorAll('iframe')],
    render: (children: ReactNode) =>
      root.render(
        <EmbedProvider endpoint={endpoint} fetch={answer}>
          {children}
        </EmbedProvider>,
      ),
    renderFake: (children: ReactNode) =>
      root.render(
        <EmbedProvider endpoint={endpoint} fetch={fetch}>
          {children}
        </EmbedProvider>,
      ),
    untilState: (state: string) =>
      vi.waitFor(() => expect(container.querySelector(`[data-state="${state}"]`)).not.toBeNull(), {
        timeout: 10_000,
      }),
  };
};
