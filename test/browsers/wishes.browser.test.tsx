import { requestMarkerHeader } from '@vitrine/contract';
import { EmbeddedReport, type EmbeddedReportHandle, EmbedProvider, type ReportLoad } from '@vitrine/react';
import sheet from '@vitrine/react/styles.css?inline';
import { createRef } from 'react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { cdp } from 'vitest/browser';
import { helpDevelopers } from '../../src/react/lib/development/helpDevelopers.ts';
import { development } from '../../src/react/lib/errors.ts';
import { createBrowserPage, tenantUrl } from '../support/browserPage.tsx';

const hourMs = 3_600_000;

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

it('lets the host drag over it with `pointer-events: none` on its frame', async () => {
  const { container, frames, render, untilState } = createBrowserPage();
  render(
    <div id="tile">
      <EmbeddedReport itemId={1042} height={200} style={{ marginTop: 80 }} />
    </div>,
  );
  await untilState('ready');
  const style = document.createElement('style');
  style.textContent = '.dragging .vitrine-frame { pointer-events: none }';
  document.head.append(style);
  onTestFinished(() => style.remove());
  const [frame] = frames();
  const hit = () => {
    const { left, top, width, height } = frame?.getBoundingClientRect() ?? new DOMRect();
    return document.elementFromPoint(left + width / 2, top + height / 2);
  };
  expect(hit()).toBe(frame);
  container.className = 'dragging';
  expect(hit()?.closest('#tile')).not.toBeNull();
  expect(hit()).not.toBe(frame);
});

it('does not load again when CSS `order` moves it, unlike in a list of another order', async () => {
  const { frames, render, untilState } = createBrowserPage();
  const loads = vi.fn<() => void>();
  const page = (ids: readonly string[], order: number) => (
    <div style={{ display: 'flex' }}>
      {ids.map((id) => (
        <EmbeddedReport
          key={id}
          itemId={1042}
          height={200}
          style={{ flex: 1, order: id === 'a' ? order : 0 }}
        />
      ))}
    </div>
  );
  render(page(['a', 'b'], 0));
  await untilState('ready');
  await vi.waitFor(() => expect(document.querySelectorAll('[data-state="ready"]')).toHaveLength(2));
  for (const frame of frames()) frame.addEventListener('load', loads);
  const [first] = frames();
  const left = first?.getBoundingClientRect().left ?? 0;
  render(page(['a', 'b'], 1));
  await vi.waitFor(() => expect(first?.getBoundingClientRect().left).toBeGreaterThan(left));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(loads).not.toHaveBeenCalled();
  render(page(['b', 'a'], 1));
  await vi.waitFor(() => expect(loads).toHaveBeenCalled());
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

it('says in each key request whether a viewer or the time causes it', async () => {
  const { advance, render, untilState } = createBrowserPage();
  const markers: (string | null)[] = [];
  const record: typeof fetch = async (_, init) => {
    markers.push(new Headers(init?.headers).get(requestMarkerHeader));
    return Response.json({ itemId: 1042, key: `${markers.length}`, tenantUrl, lifetimeMs: hourMs });
  };
  const handle = createRef<EmbeddedReportHandle>();
  render(
    <EmbedProvider fetch={record}>
      <EmbeddedReport ref={handle} itemId={1042} height={200} />
    </EmbedProvider>,
  );
  await untilState('ready');
  expect(markers).toEqual(['viewer']);
  advance(0.81 * hourMs);
  await vi.waitFor(() => expect(markers).toEqual(['viewer', 'automatic']));
  await untilState('ready');
  advance(10_000);
  handle.current?.refresh();
  await vi.waitFor(() => expect(markers).toEqual(['viewer', 'automatic', 'viewer']));
});

it.each([
  { permission: 'denied', place: 'http://localhost:9', state: 'failed', code: 'frame_denied' },
  { permission: 'denied', place: tenantUrl, state: 'ready', code: null },
  { permission: 'granted', place: 'http://localhost:9', state: 'ready', code: null },
] as const)(
  'is $state if access to a local network is $permission and the portal is at $place',
  async (row) => {
    const { browserContextId = '' } = (await cdp().send('Target.getTargetInfo')).targetInfo;
    const permission = { name: 'local-network-access' };
    const { origin } = location;
    const setPermission = async (setting: 'denied' | 'granted' | 'prompt') =>
      void (await cdp().send('Browser.setPermission', { permission, setting, browserContextId, origin }));
    await setPermission(row.permission);
    onTestFinished(() => setPermission('prompt'));
    const { container, render, untilState } = createBrowserPage();
    const answer: typeof fetch = async () =>
      Response.json({ itemId: 1042, key: '1', tenantUrl: row.place, lifetimeMs: hourMs });
    const onLoad = vi.fn<(load: ReportLoad) => void>();
    render(
      <EmbedProvider fetch={answer}>
        <EmbeddedReport itemId={1042} height={200} onLoad={onLoad} />
      </EmbedProvider>,
    );
    // The browser's error page counts as loaded.
    await vi.waitFor(() => expect(onLoad).toHaveBeenCalled());
    await untilState(row.state);
    expect(container.querySelector('[data-code]')?.getAttribute('data-code') ?? null).toBe(row.code);
  },
);

it.each([
  { keys: 'the same key', keyOf: () => '1', messages: [expect.stringMatching(/the same key as before/)] },
  { keys: 'another key', keyOf: String, messages: [] },
])('tells developers once if renewals bring $keys', async ({ keyOf, messages }) => {
  const before = { ...development };
  helpDevelopers();
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  onTestFinished(() => {
    for (const name of Object.keys(development)) Reflect.deleteProperty(development, name);
    Object.assign(development, before);
    warn.mockRestore();
  });
  const { advance, frames, requests, render, untilState } = createBrowserPage(keyOf);
  // Away from the pointer: a report under it counts as used, and waits with its new frame.
  render(<EmbeddedReport itemId={1042} height={200} style={{ marginTop: 80 }} />);
  await untilState('ready');
  for (const count of [2, 3]) {
    const [before] = frames();
    advance(0.81 * hourMs);
    // The clock must not advance while a frame loads: that would be a slow frame.
    await vi.waitFor(
      () => {
        expect(requests).toHaveLength(count);
        expect(frames()).toHaveLength(1);
        expect(frames()[0]).not.toBe(before);
      },
      { timeout: 10_000 },
    );
  }
  advance(0.81 * hourMs);
  await vi.waitFor(() => expect(requests).toHaveLength(4));
  expect(warn.mock.calls.flat()).toEqual(messages);
});
