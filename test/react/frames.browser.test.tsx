import { EmbeddedReport, type EmbeddedReportProps, EmbedProvider } from '@vitrine/react';
import { createFakeEmbed } from '@vitrine/react/testing';
import { createRoot } from 'react-dom/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

const minute = 60_000;
/** Another origin that this machine answers for itself. */
const tenantUrl = `http://tenant.localhost:${location.port}`;

/** A report in a real browser: real frames of another origin, a clock that can be moved on. */
const show = async (props: Partial<EmbeddedReportProps> = {}) => {
  const fake = createFakeEmbed();
  const keys: string[] = [];
  const answer: typeof fetch = async () => {
    const key = `secret+key/${keys.length + 1}=`;
    keys.push(key);
    return Response.json({ itemId: 1042, key, tenantUrl, lifetimeMs: 60 * minute, expiresAt: '' });
  };
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  onTestFinished(() => {
    root.unmount();
    container.remove();
    fake.close();
  });
  root.render(
    <EmbedProvider {...fake.provider} fetch={answer}>
      <EmbeddedReport itemId={1042} height={200} {...props} />
    </EmbedProvider>,
  );
  const state = () => container.querySelector('[data-state]')?.getAttribute('data-state');
  await vi.waitFor(() => expect(state()).toBe('ready'), { timeout: 10_000 });
  return {
    keys,
    frames: () => [...container.querySelectorAll('iframe')],
    renew: async () => {
      const [before] = container.querySelectorAll('iframe');
      fake.advance(50 * minute);
      await vi.waitFor(
        () => {
          const now = container.querySelectorAll('iframe');
          expect(now).toHaveLength(1);
          expect(now[0]).not.toBe(before);
        },
        { timeout: 10_000 },
      );
    },
  };
};

describe('frames in a real browser', () => {
  it('leave the history and the scroll of the page as they were, over ten renewals', async () => {
    const { keys, renew } = await show();
    const entries = history.length;
    const { scrollY } = window;
    for (let count = 1; count <= 10; count += 1) await renew();
    expect(keys).toHaveLength(11);
    expect(history.length).toBe(entries);
    expect(window.scrollY).toBe(scrollY);
  }, 60_000);

  it('would add an entry per renewal if a living frame were sent to a new address', async () => {
    const { frames } = await show();
    const entries = history.length;
    const [frame] = frames();
    for (let count = 1; count <= 3; count += 1) {
      const loaded = new Promise((resolve) => frame?.addEventListener('load', resolve, { once: true }));
      if (frame) frame.src = `${tenantUrl}/report/1042?ev=${count}`;
      await loaded;
    }
    expect(history.length).toBeGreaterThan(entries);
  }, 60_000);

  it('keep a concealed key out of the document, Resource Timing and the storage of the page', async () => {
    performance.clearResourceTimings();
    const { keys, renew } = await show({ concealKey: true });
    for (let count = 1; count <= 3; count += 1) await renew();
    const seen = [
      document.documentElement.outerHTML,
      JSON.stringify(performance.getEntries()),
      JSON.stringify([localStorage, sessionStorage]),
      location.href,
    ].join();
    expect(keys).toHaveLength(4);
    for (const key of keys)
      for (const form of [key, encodeURIComponent(key), btoa(key)]) expect(seen).not.toContain(form);
  }, 60_000);

  it('show the key to Resource Timing when it is not concealed', async () => {
    performance.clearResourceTimings();
    const { keys } = await show();
    expect(document.documentElement.outerHTML).toContain(encodeURIComponent(keys[0] ?? ''));
  });
});

describe('the page that createFakeEmbed gives to frames', () => {
  it('comes back when the browser has shown its own error page for the address, and that one is not heard to load', async () => {
    const fake = createFakeEmbed({ page: () => '<p>Figures</p>' });
    const frame = document.createElement('iframe');
    onTestFinished(() => {
      frame.remove();
      fake.close();
    });
    const onLoad = vi.fn();
    frame.addEventListener('load', onLoad);
    frame.src = 'https://portal.fake.example/report/1042?ev=fake-key-1';
    document.body.append(frame);
    const shows = () => expect(frame.contentDocument?.body.textContent).toBe('Figures');
    await vi.waitFor(shows, { timeout: 10_000 });
    const heard = onLoad.mock.calls.length;

    frame.removeAttribute('srcdoc'); // the browser goes to the address, where nobody answers
    await vi.waitFor(() => expect(frame.srcdoc).toContain('Figures'), { timeout: 10_000 });
    await vi.waitFor(shows, { timeout: 10_000 });
    await vi.waitFor(() => expect(onLoad).toHaveBeenCalledTimes(heard + 1));
  }, 60_000);
});
