import { EmbeddedReport, type EmbeddedReportProps } from '@vitrine/react';
import { createFakeEmbed } from '@vitrine/react/testing';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createBrowserPage, tenantUrl } from '../support/browserPage.tsx';

const minute = 60_000;

/** A report in a real browser: real frames of another origin, and a clock that the test advances. */
const show = async (props: Partial<EmbeddedReportProps> = {}) => {
  const page = createBrowserPage((count) => `secret+key/${count}=`);
  const { container, keys, frames, advance } = page;
  // Away from the pointer, which rests in the corner: a report under it counts as used.
  page.render(<EmbeddedReport itemId={1042} height={200} style={{ marginTop: 80 }} {...props} />);
  await page.untilState('ready');
  return {
    keys,
    frames,
    /**
     * Advances until shortly before the key expires, when the renewal no longer waits for a viewer who works in the
     * report.
     */
    renewInFocus: async () => {
      const [before] = container.querySelectorAll('iframe');
      advance(50 * minute);
      await vi.waitFor(() => expect(container.querySelectorAll('iframe')).toHaveLength(2), {
        timeout: 10_000,
      });
      const standby = container.querySelectorAll('iframe')[1];
      await new Promise((resolve) => {
        standby?.addEventListener('load', resolve, { once: true });
        setTimeout(resolve, 3_000);
      });
      expect(container.querySelector('iframe')).toBe(before);
      // In steps: a viewer who was away for five minutes would get a new key.
      for (let step = 0; step < 3; step += 1) {
        advance(3.2 * minute);
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return vi.waitFor(
        () => {
          const [now, ...others] = container.querySelectorAll('iframe');
          expect(others).toHaveLength(0);
          expect(now).not.toBe(before);
          return now!;
        },
        { timeout: 10_000 },
      );
    },
    renew: async (afterMs = 50 * minute) => {
      const [before] = container.querySelectorAll('iframe');
      advance(afterMs);
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
  it('leave the history and the scroll position unchanged over ten renewals', async () => {
    const { keys, renew } = await show();
    const entries = history.length;
    const { scrollY } = window;
    for (let count = 1; count <= 10; count += 1) await renew();
    expect(keys).toHaveLength(11);
    expect(history.length).toBe(entries);
    expect(window.scrollY).toBe(scrollY);
  }, 60_000);

  it('are swapped for the same address by a reload on an interval, without another key or an entry', async () => {
    const { keys, frames, renew } = await show({ reloadIntervalMs: 4 * minute });
    const entries = history.length;
    const [{ src } = {}] = frames();
    await renew(4.1 * minute);
    await renew(4.1 * minute);
    expect(frames().map((frame) => frame.src)).toEqual([src]);
    expect([keys.length, history.length]).toEqual([1, entries]);
  });

  it('control: would add a history entry per renewal if a loaded frame navigated to a new URL', async () => {
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

  it('load in a root that the host lays out with display: contents', async () => {
    const { frames } = await show({ style: { display: 'contents' } });
    expect(frames()).toHaveLength(1);
  });

  it('expose the key to Resource Timing when it is not concealed', async () => {
    performance.clearResourceTimings();
    const { keys } = await show();
    expect(document.documentElement.outerHTML).toContain(encodeURIComponent(keys[0] ?? ''));
  });
});

/** Renders reports with hand-written markup, and returns what React has committed. */
const draw = (page: ReactNode) => {
  const { container, render } = createBrowserPage();
  render(page);
  const untilReady = (count: number) =>
    vi.waitFor(() => expect(container.querySelectorAll('[data-state="ready"]')).toHaveLength(count), {
      timeout: 10_000,
    });
  return { container, render, untilReady };
};

describe('a report on a page with other features', () => {
  it('keeps the focus of a viewer during a renewal', async () => {
    const { frames, renewInFocus } = await show();
    const [frame] = frames();
    frame?.focus();
    expect(document.activeElement).toBe(frame);
    const renewed = await renewInFocus();
    expect(renewed).not.toBe(frame);
    expect(getComputedStyle(renewed).visibility).toBe('visible');
    await vi.waitFor(() => expect(document.activeElement).toBe(renewed));
  }, 60_000);

  it('detects the focus in a shadow root', async () => {
    const { advance, render } = createBrowserPage();
    const host = document.createElement('div');
    document.body.append(host);
    onTestFinished(() => host.remove());
    const inside = document.createElement('div');
    host.attachShadow({ mode: 'open' }).append(inside);
    render(createPortal(<EmbeddedReport itemId={1042} height={200} />, inside));
    const frames = () => [...inside.querySelectorAll('iframe')];
    const state = () => inside.querySelector('[data-state]')?.getAttribute('data-state');
    await vi.waitFor(() => expect(state()).toBe('ready'), { timeout: 10_000 });
    const [frame] = frames();
    frame?.focus();
    // Before the standby exists, which may load faster than the check.
    const loaded = new Promise((resolve) =>
      inside.addEventListener('load', resolve, { capture: true, once: true }),
    );
    advance(50 * minute);
    await loaded;
    expect(frames()).toHaveLength(2);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    // The viewer works in it, so its successor waits.
    expect(frames()[0]).toBe(frame);
  }, 60_000);

  it('shows concealed reports again after the host reorders them', async () => {
    const reports = (items: readonly number[]) => (
      <>
        {items.map((itemId) => (
          <div key={itemId}>
            <EmbeddedReport itemId={itemId} height={100} concealKey />
          </div>
        ))}
      </>
    );
    const { container, render, untilReady } = draw(reports([1, 2, 3]));
    await untilReady(3);
    const isEmpty = (frame: HTMLIFrameElement) => !!frame.contentDocument;
    const [first, middle] = container.querySelectorAll('iframe');
    // The moved reports may have reloaded before the check.
    const states = new Set<string | null>();
    const observer = new MutationObserver((changes) => {
      for (const { oldValue } of changes) states.add(oldValue);
    });
    observer.observe(container, { subtree: true, attributeFilter: ['data-state'], attributeOldValue: true });
    render(reports([3, 2, 1]));
    await vi.waitFor(() => expect(container.querySelector('iframe')).not.toBe(first));
    expect(container.querySelectorAll('iframe')[1]).toBe(middle);
    await vi.waitFor(
      () => {
        const frames = [...container.querySelectorAll('iframe')];
        expect(frames).toHaveLength(3);
        expect(frames.filter(isEmpty)).toEqual([]);
      },
      { timeout: 10_000 },
    );
    await untilReady(3);
    expect(states).toContain('loading');
  }, 60_000);

  it('lets classes of the host position the report', async () => {
    const style = document.createElement('style');
    style.textContent = '.fill { position: absolute; inset: 0 }';
    document.head.append(style);
    onTestFinished(() => style.remove());
    const { container, untilReady } = draw(
      <>
        <EmbeddedReport itemId={1} className="fill" />
        <EmbeddedReport itemId={2} data-testid="plain" id="second" />
      </>,
    );
    await untilReady(2);
    const [first, second] = container.querySelectorAll<HTMLElement>('[data-state]');
    expect(first && getComputedStyle(first).position).toBe('absolute');
    expect(second && getComputedStyle(second).position).toBe('static');
    expect(second?.id).toBe('second');
    expect(container.querySelectorAll('#second')).toHaveLength(1);
  }, 60_000);
});

describe('the page that createFakeEmbed loads in frames', () => {
  it("is shown again after the browser's own error page, which fires no load event", async () => {
    const fake = createFakeEmbed({ page: () => '<p>Figures</p>' });
    const frame = document.createElement('iframe');
    onTestFinished(() => {
      frame.remove();
      fake.close();
    });
    const onLoad = vi.fn();
    frame.addEventListener('load', onLoad);
    frame.name = 'vitrine-1';
    frame.src = 'https://portal.fake.example/report/1042?ev=fake-key-1';
    document.body.append(frame);
    const shows = () => expect(frame.contentDocument?.body.textContent).toBe('Figures');
    await vi.waitFor(shows, { timeout: 10_000 });
    const heard = onLoad.mock.calls.length;

    frame.removeAttribute('srcdoc'); // the browser navigates to the URL, where no server responds
    await vi.waitFor(() => expect(frame.srcdoc).toContain('Figures'), { timeout: 10_000 });
    await vi.waitFor(shows, { timeout: 10_000 });
    await vi.waitFor(() => expect(onLoad).toHaveBeenCalledTimes(heard + 1));
  }, 60_000);
});
