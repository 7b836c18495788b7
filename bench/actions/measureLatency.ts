import { createDemo } from '../../examples/demo/backend/createDemo.ts';
import { launchBrowser } from '../../test/support/launchBrowser.ts';
import { type BenchResults, columns } from '../lib/benchResults.ts';
import { type BenchOptions, isWanted } from '../lib/options.ts';
import { quantile } from '../lib/stats.ts';

const wait = (delayMs: number) => new Promise((resolve) => setTimeout(resolve, delayMs));

/** Latency from sending the webhook to the selection on the host page, in a real browser. */
export const measureLatency = async (options: BenchOptions, results: BenchResults): Promise<void> => {
  if (!isWanted(options, 'latency')) return;
  const actions = options.quick ? 20 : 300;
  const [demo, browser] = await Promise.all([createDemo(), launchBrowser({ isWhole: true })]);
  const page = await browser.newPage();
  const streaming = page.waitForResponse((response) => response.url().endsWith('/api/embed/actions'));
  await page.goto(demo.demoUrl);
  await page.getByRole('button', { name: 'Regional manager, North' }).click();
  await streaming;
  await page.locator('[data-state="ready"]').waitFor();
  await page.evaluate(() => {
    const shownAt: Record<string, number> = {};
    Object.assign(globalThis, { shownAt });
    const aside = document.querySelector('.selection');
    if (aside)
      new MutationObserver(() => {
        const name = /click-\d+/.exec(aside.textContent ?? '')?.[0];
        if (name) shownAt[name] ??= performance.timeOrigin + performance.now();
      }).observe(aside, { childList: true, subtree: true, characterData: true });
  });
  const client = await fetch(`${demo.tenant.baseUrl}/v1/users`, {
    headers: { authorization: `Bearer ${demo.tenant.apiKey}` },
  });
  const { items } = (await client.json()) as { items: { id: number; email: string }[] }; // the portal's own list
  const currentUser = items.find(({ email }) => email.startsWith('north.manager'))?.id;
  const { guid: reportId } = demo.tenant.items[0] ?? {};
  const port = new URL(demo.demoUrl).port;
  const sentAt: Record<string, number> = {};
  for (let n = 0; n < actions; n += 1) {
    const name = `click-${n}`;
    const body = JSON.stringify({
      metadata: {
        actionTriggeredAt: new Date().toISOString(),
        clientUrl: demo.tenant.tenantUrl,
        currentUser,
        reportId,
        reportName: 'Sales by region',
        tenancyName: demo.tenant.tenancyName,
        visualName: 'revenue-by-region',
      },
      visualData: [
        {
          visual: 'revenue-by-region',
          data: [{ identity: [{ equals: name, target: { table: 'Sales', column: 'Region' } }], values: [] }],
        },
      ],
    });
    sentAt[name] = performance.timeOrigin + performance.now();
    await fetch(`http://127.0.0.1:${port}/api/embed/webhook`, {
      method: 'POST',
      headers: { authorization: `Bearer ${demo.tenant.webhookSecret}` },
      body,
    });
    await wait(30 + Math.random() * 60);
  }
  await wait(500);
  const shownAt = await page.evaluate(
    () => (globalThis as unknown as { shownAt: Record<string, number> }).shownAt,
  );
  await Promise.all([browser.close(), demo.close()]);
  const delays = Object.entries(sentAt).flatMap(([name, sent]) =>
    shownAt[name] === undefined ? [] : [shownAt[name] - sent],
  );
  const [p50, p99] = [quantile(delays, 0.5), quantile(delays, 0.99)];
  results.table({
    title: 'Action → onAction, seen on the page of the demo (Chromium, one machine)',
    columns: columns('actions', 'shown', 'p50 ms', 'p99 ms', 'slowest ms'),
    rows: [[String(actions), delays.length, p50, p99, Math.max(...delays)]],
    notes: [
      'From before the webhook is sent until its text stands on the page: store, handler, stream, React.',
    ],
  });
  results.goals([
    { text: 'action → onAction, p50', limit: 50, sense: 'at most', seen: p50, unit: 'ms' },
    { text: 'action → onAction, p99', limit: 250, sense: 'at most', seen: p99, unit: 'ms' },
  ]);
};
