import { EmbeddedReport, EmbedProvider, type ReportLoad } from '@vitrine/react';
import sheet from '@vitrine/react/styles.css?inline';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createBrowserPage } from '../support/browserPage.tsx';

it('shows and requests nothing while nobody is signed in', async () => {
  const { requests, frames, render, untilState } = createBrowserPage();
  const page = (viewerKey: string | null) => (
    <EmbedProvider viewerKey={viewerKey}>
      <EmbeddedReport itemId={1042} height={200} />
    </EmbedProvider>
  );
  render(page('ann'));
  await untilState('ready');
  expect([frames().length, requests.length]).toEqual([1, 1]);
  render(page(null));
  await untilState('idle');
  expect([frames().length, requests.length]).toEqual([0, 1]);
});

it('may use the clipboard, the full screen and a portal in a local network', async () => {
  const { frames, render, untilState } = createBrowserPage();
  render(<EmbeddedReport itemId={1042} height={200} />);
  await untilState('ready');
  expect(frames()[0]?.allow).toBe('fullscreen; clipboard-write; local-network-access');
});

it('says how long its key and its frame took', async () => {
  const { render, untilState } = createBrowserPage();
  const onLoad = vi.fn<(load: ReportLoad) => void>();
  render(<EmbeddedReport itemId={1042} height={200} onLoad={onLoad} />);
  await untilState('ready');
  const [{ keyMs, frameMs } = { keyMs: -1, frameMs: -1 }] = onLoad.mock.calls[0] ?? [];
  expect(keyMs).toBeGreaterThanOrEqual(0);
  expect(frameMs).toBeGreaterThan(0);
});

it('is scaled by `zoom` in a narrow column: the frame lays out at its full width', async () => {
  const { container, frames, render, untilState } = createBrowserPage();
  container.style.width = '300px';
  render(<EmbeddedReport itemId={1042} height={200} style={{ zoom: 0.5 }} />);
  await untilState('ready');
  const [frame] = frames();
  expect(frame?.getBoundingClientRect().width).toBeCloseTo(300, -1);
  expect(frame?.clientWidth).toBeGreaterThan(560);
});

it('shows no skeleton for 200 ms, and prints none of its own parts', () => {
  const style = document.createElement('style');
  style.textContent = sheet;
  document.head.append(style);
  onTestFinished(() => style.remove());
  const skeleton = document.createElement('div');
  skeleton.className = 'vitrine-skeleton';
  document.body.append(skeleton);
  onTestFinished(() => skeleton.remove());
  const { animationDuration, animationName, visibility } = getComputedStyle(skeleton);
  expect([animationName, animationDuration, visibility]).toEqual(['vitrine-appear', '0.2s', 'hidden']);
  const findPrint = (rules: CSSRuleList | undefined): CSSMediaRule | undefined =>
    [...(rules ?? [])]
      .flatMap((rule) => {
        if (rule instanceof CSSMediaRule && rule.conditionText === 'print') return rule;
        return rule instanceof CSSGroupingRule ? (findPrint(rule.cssRules) ?? []) : [];
      })
      .at(0);
  const print = [...(findPrint(style.sheet?.cssRules)?.cssRules ?? [])].map(({ cssText }) => cssText).join();
  for (const part of ['.vitrine-bar', '.vitrine-loading', '.vitrine-message button'])
    expect(print).toContain(part);
});
