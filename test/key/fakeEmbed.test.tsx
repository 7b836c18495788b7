import { act, render, screen, waitFor } from '@testing-library/react';
import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { createFakeEmbed } from '@vitrine/react/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import { root } from '../support/domReport.tsx';

it('responds for one item or for all others', async () => {
  const fake = createFakeEmbed();
  fake.answer('signed_out');
  fake.answer('key', 1);
  fake.answer({ code: 'rate_limited', retryAfterMs: 90_000 }, 2);
  const { container } = render(
    <EmbedProvider {...fake.provider}>
      <EmbeddedReport itemId={1} />
      <EmbeddedReport itemId={2} />
      <EmbeddedReport itemId={3} />
    </EmbedProvider>,
  );
  await screen.findByText('You’re signed out');
  await act(async () => fake.load());
  const seen = [...container.querySelectorAll<HTMLElement>('[data-state]')].map(({ dataset }) => [
    dataset['state'],
    dataset['code'],
  ]);
  expect(seen).toEqual([
    ['ready', undefined],
    ['failed', 'rate_limited'],
    ['failed', 'signed_out'],
  ]);
  expect(screen.getByText('Trying again within 90 seconds.')).toBeVisible();
  expect(fake.requests).toEqual([1, 2, 3]);
});

it('lists reports as a backend does', async () => {
  const { fetch, endpoint } = createFakeEmbed().provider;
  const response = await fetch?.(`${endpoint}/items`);
  expect([response?.status, await response?.json()]).toEqual([200, []]);
});

it('loads concealed frames', async () => {
  // As in a browser. In this environment frames have no document.
  const frames = HTMLIFrameElement.prototype;
  const before = Object.getOwnPropertyDescriptor(frames, 'contentDocument');
  Object.defineProperty(frames, 'contentDocument', {
    configurable: true,
    get: () => ({ URL: 'about:blank' }),
  });
  onTestFinished(() => {
    if (before === undefined) Reflect.deleteProperty(frames, 'contentDocument');
    else Object.defineProperty(frames, 'contentDocument', before);
  });
  const fake = createFakeEmbed();
  render(
    <EmbedProvider {...fake.provider}>
      <EmbeddedReport itemId={1042} concealKey />
    </EmbedProvider>,
  );
  await waitFor(() => expect(fake.frames()).toHaveLength(1));
  const [frame] = fake.frames();
  expect(frame?.hasAttribute('src')).toBe(false);
  // The empty document also fires load, which says nothing about the report.
  await act(async () => void frame?.dispatchEvent(new Event('load')));
  expect(root()).toHaveAttribute('data-state', 'loading');
  await act(async () => fake.load());
  await waitFor(() => expect(root()).toHaveAttribute('data-state', 'ready'));
});

it.each([
  ['has an IntersectionObserver', globalThis.IntersectionObserver],
  ['has none, like jsdom', undefined],
])('shows a lazy report where the environment %s', async (_, observer) => {
  const seen: (() => void)[] = [];
  vi.stubGlobal(
    'IntersectionObserver',
    observer &&
      class {
        constructor(callback: (entries: readonly object[]) => void) {
          seen.push(() => callback([{ isIntersecting: true }]));
        }
        observe() {}
        disconnect() {}
      },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  const fake = createFakeEmbed();
  render(
    <EmbedProvider {...fake.provider}>
      <EmbeddedReport itemId={1042} lazy />
    </EmbedProvider>,
  );
  await act(async () => seen.forEach((near) => near()));
  await waitFor(() => expect(fake.frames()).toHaveLength(1));
});
