import { EmbeddedReport, type EmbeddedReportHandle } from '@vitrine/react';
import { createRef } from 'react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { page as browserPage, userEvent } from 'vitest/browser';
import { createBrowserPage } from '../support/browserPage.tsx';

const minute = 60_000;

const show = async () => {
  const page = createBrowserPage();
  const ref = createRef<EmbeddedReportHandle>();
  // Away from the pointer, which rests in the corner: a report under it counts as used.
  page.render(
    <EmbeddedReport ref={ref} itemId={1042} height={200} fullscreenButton style={{ marginTop: 80 }} />,
  );
  await page.untilState('ready');
  onTestFinished(async () => {
    if (document.fullscreenElement) await document.exitFullscreen();
  });
  return { ...page, ref };
};

const button = (name: string) => browserPage.getByRole('button', { name });

describe('a report in full screen', () => {
  it('fills the screen, survives a renewal, and ends with its button', async () => {
    const { advance, frames, ref } = await show();
    await userEvent.click(button('Full screen'));
    await expect.element(button('Exit full screen')).toBeVisible();
    expect(document.fullscreenElement).toBe(ref.current?.element);
    const [before] = frames();
    expect(before?.getBoundingClientRect().height).toBeGreaterThan(200);
    await userEvent.hover(button('Exit full screen'));
    advance(50 * minute);
    await vi.waitFor(
      () => {
        expect(frames()).toHaveLength(1);
        expect(frames()[0]).not.toBe(before);
      },
      { timeout: 10_000 },
    );
    expect(document.fullscreenElement).toBe(ref.current?.element);
    await userEvent.click(button('Exit full screen'));
    await expect.element(button('Full screen')).toBeVisible();
    await vi.waitFor(() => expect(frames()[0]?.getBoundingClientRect().height).toBe(200));
  });

  it('is not renewed while something inside it has the whole screen', async () => {
    const { advance, frames } = await show();
    const [before] = frames();
    onTestFinished(() => removeEventListener('click', enter));
    const enter = () => void before?.requestFullscreen();
    addEventListener('click', enter, { once: true });
    await userEvent.click(document.body);
    await vi.waitFor(() => expect(document.fullscreenElement).toBe(before));
    advance(50 * minute);
    await vi.waitFor(() => expect(frames()).toHaveLength(2), { timeout: 10_000 });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect([frames().length, frames()[0] === before]).toEqual([2, true]);
  });
});
