import { EmbedProvider } from '@vitrine/react';
import { createFakeEmbed } from '@vitrine/react/testing';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, vi } from 'vitest';
import { createPageClock } from './pageClock.ts';

/** Another origin that this machine serves itself. */
export const tenantUrl = `http://tenant.localhost:${location.port}`;

/**
 * Renders reports in a real browser: real frames of another origin, and a clock that the test advances. `keyOf` creates
 * the key of the nth request.
 */
export const createBrowserPage = (keyOf = (count: number) => `${count}`) => {
  const fake = createFakeEmbed();
  const { endpoint, fetch: fakeFetch = fetch } = fake.provider;
  const clock = createPageClock();
  const keys: string[] = [];
  const answerFetch: typeof fetch = async (...request) => {
    const response = await fakeFetch(...request);
    const isKey = response.ok && response.body === null; // not a problem, and not a stream
    if (!isKey) return response;
    const key = keyOf(fake.requests.length);
    keys.push(key);
    return Response.json({ ...(await response.json()), key, tenantUrl });
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
    requests: fake.requests,
    keys,
    advance: clock.advance,
    answer: fake.answer,
    frames: () => [...container.querySelectorAll('iframe')],
    render: (children: ReactNode) =>
      root.render(
        <EmbedProvider endpoint={endpoint} fetch={answerFetch}>
          {children}
        </EmbedProvider>,
      ),
    untilState: (state: string) =>
      vi.waitFor(() => expect(container.querySelector(`[data-state="${state}"]`)).not.toBeNull(), {
        timeout: 10_000,
      }),
  };
};
