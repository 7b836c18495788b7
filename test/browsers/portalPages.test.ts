import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mintKey } from '../portal/mint.ts';
import { findViolations, rulesOfColors } from '../support/findViolations.ts';
import { launchBrowser } from '../support/launchBrowser.ts';

let portal: Portal;
let acme: PortalTenant;
let browser: Browser;
/** Shows one report after the other: a new page costs twice as much CPU time. */
let sharedPage: Page;
const receiver = createServer((request, response) => {
  request.resume();
  response.writeHead(204).end();
});

beforeAll(async () => {
  portal = await createPortal();
  const [first] = portal.tenants;
  if (first === undefined) throw new Error('The default seed has two tenants.');
  acme = first;
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  await portal.setActionTarget('acme', `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`);
  browser = await launchBrowser();
  sharedPage = await browser.newPage();
});
afterAll(async () => {
  await browser.close();
  receiver.close();
  await portal.close();
});

/** A script that lets a test delay rendering, as on a busy computer. */
const holdableFrames = `
  const draw = requestAnimationFrame.bind(window);
  let held;
  window.requestAnimationFrame = (frame) => draw((time) => (held ? held.push(frame) : frame(time)));
  window.holdFrames = () => { held = []; };
  window.releaseFrames = () => { const frames = held; held = undefined; frames.forEach(draw); };
`;

/** Opens a report, in a page of its own if it must be prepared; any error on the page fails the test. */
const openReport = async (
  itemId: number,
  options: {
    roleNames?: readonly string[];
    userId?: string;
    colorScheme?: 'light' | 'dark';
    width?: number;
    isLiteral?: boolean;
    prepare?: (page: Page) => Promise<unknown>;
  } = {},
): Promise<{ page: Page; complaints: string[] }> => {
  const page = options.prepare ? await browser.newPage() : sharedPage;
  await options.prepare?.(page);
  await page.emulateMedia({ colorScheme: options.colorScheme ?? 'light' });
  await page.setViewportSize({ width: options.width ?? 1280, height: 900 });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => complaints.push(message.text()));
  const key = await mintKey({
    tenant: acme,
    itemId,
    roleNames: options.roleNames ?? ['all-regions'],
    userId: options.userId ?? 'sales.director@acme.example',
  });
  await page.goto(
    `${acme.tenantUrl}/report/${itemId}?ev=${options.isLiteral === true ? key : encodeURIComponent(key)}`,
  );
  await page.waitForSelector('html[data-painted]');
  return { page, complaints };
};

const optionsOf = (page: Page, visual: string) =>
  page.locator(`[data-visual="${visual}"] [role="option"]`).allTextContents();

describe('a report page in a browser', () => {
  it('draws its visuals from the rows that its key allows', async () => {
    const { page, complaints } = await openReport(1042, { roleNames: ['region-north', 'region-east'] });
    expect((await optionsOf(page, 'revenue-by-region')).map((text) => text.split(':')[0])).toEqual([
      'East',
      'North',
    ]);
    expect(await page.locator('[data-visual="revenue-by-region"] svg path').count()).toBeGreaterThan(2);
    expect(await page.content()).not.toContain('West');
    expect(complaints).toEqual([]);
  });

  it('prints light and without buttons, with all rows of a table, and goes back to what it was', async () => {
    const { page, complaints } = await openReport(1044, { colorScheme: 'dark' });
    const rowCount = await page.evaluate(
      () => JSON.parse(document.querySelector('#report-model')?.textContent ?? '').table.rowCount,
    );
    const look = () =>
      page.evaluate(() => ({
        ink: getComputedStyle(document.body).color,
        label: getComputedStyle(document.querySelector('.chart-canvas text') ?? document.body).fill,
        rows: document.querySelectorAll('tbody tr').length,
        buttons: document.querySelector('.export')?.getClientRects().length,
      }));
    const before = await look();
    expect(before).toMatchObject({ ink: 'rgb(233, 237, 244)', rows: 50, buttons: 1 });
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    const printed = await look();
    expect(printed).toMatchObject({ ink: 'rgb(24, 33, 47)', rows: rowCount, buttons: 0 });
    expect(printed.label).not.toBe(before.label);
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    expect(await look()).toEqual(before);
    // The browser's own print does the same, and leaves nothing behind.
    expect((await page.pdf()).length).toBeGreaterThan(100_000);
    expect(await look()).toEqual(before);
    expect(complaints).toEqual([]);
  });

  it('prints no tip of a chart that has the focus, and no card in two unless it is longer than a page', async () => {
    const { page } = await openReport(1043);
    await page.locator('[role="listbox"]').first().focus();
    const tip = page.locator('.chart-canvas > div ~ div').first();
    await tip.waitFor();
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await tip.waitFor({ state: 'hidden' });
    const cards = () =>
      page.locator('.card').evaluateAll((all) => all.map((card) => getComputedStyle(card).breakInside));
    expect(new Set(await cards())).toEqual(new Set(['avoid']));
  });

  it.each([1042, 1043])(
    'shows the lines of report %i under the pointer and by keyboard, and keeps its height while one point is selected',
    async (itemId) => {
      const { page } = await openReport(itemId);
      const chart = page.locator('.card-line .chart').first();
      const lines = chart.locator('svg path[fill="none"][stroke-width="2.25"]');
      await lines.first().waitFor({ state: 'attached' });
      const colors = () =>
        lines.evaluateAll((all) => [...new Set(all.map((line) => getComputedStyle(line).stroke))]);
      const atRest = await colors();
      const height = () => page.evaluate(() => document.documentElement.scrollHeight);
      const before = await height();
      await chart.hover();
      await chart.locator('.chart-canvas > div ~ div').waitFor();
      expect(await colors()).toEqual(atRest);
      await chart.getByRole('listbox').focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => chart.locator('[aria-selected="true"]').count()).toBe(1);
      expect(await colors()).toEqual(atRest);
      expect(await height()).toBe(before);
    },
  );

  it('shows the amount of each order on a phone', async () => {
    const { page } = await openReport(1044, { width: 375 });
    const table = page.locator('.card-table');
    for (const cell of [
      table.locator('tbody tr').first().locator('.number').last(),
      table.locator('tfoot .number').last(),
    ]) {
      await cell.scrollIntoViewIfNeeded();
      const inView = await cell.evaluate((shown) => {
        const { left, right, top, bottom } = shown.getBoundingClientRect();
        return (
          right <= 375 && shown.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2))
        );
      });
      expect(inView).toBe(true);
    }
  });

  it('selects by keyboard, and sends the webhook of the selection and an empty one when it is cleared', async () => {
    const { page, complaints } = await openReport(1042);
    const revenue = page.locator('[data-visual="kpi-revenue"] .kpi-value');
    const whole = await revenue.textContent();
    await page.locator('[data-visual="revenue-by-region"] [role="listbox"]').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      (before) => document.querySelector('.kpi-value')?.textContent !== before,
      whole,
    );
    const [first] = await portal.deliveries.waitFor({ visual: 'revenue-by-region', outcome: 'delivered' });
    expect(JSON.parse(first?.body ?? '{}').visualData[0].data[0].identity[0].equals).toBe('North');
    await page.keyboard.press('Escape');
    const [, second] = await portal.deliveries.waitFor({ visual: 'revenue-by-region' }, { count: 2 });
    expect(JSON.parse(second?.body ?? '{}').visualData[0].data).toEqual([]);
    await page.waitForFunction(
      (before) => document.querySelector('.kpi-value')?.textContent === before,
      whole,
    );
    expect(complaints).toEqual([]);
  });

  it('keeps the selection after a double-click', async () => {
    const { page } = await openReport(1042);
    const line = page.locator('[data-visual="product-table"] tbody tr').first();
    await line.dblclick();
    expect(await line.getAttribute('aria-selected')).toBe('true');
    await line.click();
    expect(await line.getAttribute('aria-selected')).toBe('false');
  });

  it('selects a bar that is redrawn between press and release', async () => {
    const { page } = await openReport(1042, { prepare: (tab) => tab.addInitScript(holdableFrames) });
    const visual = page.locator('[data-visual="revenue-by-region"]');
    const bars = visual.locator('svg path:not([fill="none"])');
    const { x, y, width, height } = (await bars.first().boundingBox()) ?? expect.fail('There is no bar.');
    await page.evaluate('holdFrames()');
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.evaluate('releaseFrames()');
    await page.mouse.up();
    await expect.poll(() => visual.locator('[role="option"][aria-selected="true"]').count()).toBe(1);
    await page.context().close();
  });

  it('filters every visual with a slicer', async () => {
    const { page } = await openReport(1042);
    await page.click('[data-slicer="Region:South"]');
    expect((await optionsOf(page, 'revenue-by-region')).map((text) => text.split(':')[0])).toEqual(['South']);
    await page.click('[data-slicer="Region:All"]');
    expect(await optionsOf(page, 'revenue-by-region')).toHaveLength(4);
  });

  it('switches pages, and stops all activity of the previous page', async () => {
    const { page, complaints } = await openReport(1045);
    await page.locator('#tab-headline').focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('[role="tab"][aria-selected="true"]').textContent()).toBe('Regions');
    expect(await page.getByRole('tabpanel', { name: 'Regions' }).count()).toBe(1);
    expect(await page.locator('[data-visual="region-table"] tbody tr').count()).toBe(4);
    // Bars compare totals; single rows have none.
    expect(await page.locator('[data-visual="region-table"] td i').count()).toBe(4);
    expect(complaints).toEqual([]);
  });

  it('sorts a table and shows more rows', async () => {
    const { page } = await openReport(1044);
    const rows = page.locator('[data-visual="orders-table"] tbody tr');
    expect([await rows.count(), await rows.locator('i').count()]).toEqual([50, 0]);
    await page.click('[data-visual="orders-table"] .quiet');
    expect(await rows.count()).toBe(250);
    await page.click('[data-visual="orders-table"] th:last-child button');
    const amounts = (
      await page.locator('[data-visual="orders-table"] tbody td:last-child').allTextContents()
    ).map((text) => Number(text.replace(/\D/g, '')));
    expect(amounts).toEqual([...amounts].sort((left, right) => right - left));
  });

  it.each([
    ['percent-encoded', false],
    ['with the key as it is', true],
  ])('saves its visible rows as a file, at an address %s', async (_, isLiteral) => {
    const { page, complaints } = await openReport(1042, { roleNames: ['region-north'], isLiteral });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('Sales by region.csv');
    const rows = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(rows[0]).toContain('Month,Region,Product');
    expect(rows.length).toBeGreaterThan(100);
    expect(complaints).toEqual([]);
  });

  it('shows that its key has expired while it is open, and removes the rows', async () => {
    const { page } = await openReport(1042, { prepare: (tab) => tab.clock.install() });
    portal.clock.advance(60 * 60_000);
    await page.clock.fastForward(10_000);
    await page.waitForSelector('.ended', { timeout: 15_000 });
    portal.clock.reset();
    expect(await page.locator('[role="alertdialog"]').textContent()).toContain('has ended');
    expect(await page.locator('#report-model, .card').count()).toBe(0);
    await page.context().close();
  });

  it('shows a message instead of empty charts when the viewer may see no rows', async () => {
    const { page } = await openReport(1042, { roleNames: ['own-accounts'], userId: 'nobody@acme.example' });
    expect(await page.locator('.no-rows').textContent()).toContain('do not include any rows');
  });

  it('mentions no roles to a viewer without rows who has none', async () => {
    const { page } = await openReport(1042, { roleNames: [], userId: 'nobody@acme.example' });
    expect(await page.locator('.no-rows').textContent()).toBe('There are no rows for you in this report.');
    expect(await page.locator('.viewer').textContent()).toBe('Shown to nobody@acme.example');
  });
});

describe.each([1042, 1043, 1044, 1045])('report %i on one page', (itemId) => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await openReport(itemId));
  });

  it('has no accessibility violations, light and wide, dark and narrow', async () => {
    expect(await findViolations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 400, height: 900 });
    // The other rules look at what is the same in the dark on a narrow page.
    expect(await findViolations(page, { rules: [...rulesOfColors, 'scrollable-region-focusable'] })).toEqual(
      [],
    );
  });

  if (itemId !== 1045)
    it('shows every column of its table at the width of the demo frame', async () => {
      await page.setViewportSize({ width: 981, height: 900 });
      const room = await page
        .locator('.table-scroll')
        .evaluate((table) => table.clientWidth - table.scrollWidth);
      expect(room).toBe(0);
    });

  if (itemId === 1042 || itemId === 1043)
    it('draws straight lines between values', async () => {
      const lines = page.locator('svg path[fill="none"][stroke-width="2.25"]');
      await lines.first().waitFor({ state: 'attached' });
      for (const line of await lines.all()) {
        const steps = ((await line.getAttribute('d')) ?? '').match(/[a-z]/gi) ?? [];
        expect(steps.length).toBeGreaterThan(10);
        expect(new Set(steps)).toEqual(new Set(['M', 'L']));
      }
    });
});

it.each([320, 343])('labels each bar with three digits on a page of %s pixels', async (width) => {
  const { page } = await openReport(1042, { width });
  const chart = page.locator('[data-visual="revenue-by-product"] svg');
  const texts = chart.locator('text');
  await texts.first().waitFor({ state: 'attached' });
  const amounts = (await texts.allTextContents()).filter((text) => text.startsWith('€'));
  expect(amounts).toHaveLength(8);
  for (const amount of amounts) expect(amount.replace(/\D/g, '')).toHaveLength(3);
  const [all, edge] = [await chart.boundingBox(), await chart.getByText('€1.10m').boundingBox()];
  expect((edge?.x ?? 0) + (edge?.width ?? 999)).toBeLessThanOrEqual((all?.x ?? 0) + (all?.width ?? 0));
});

it.each([
  [1042, 'Overview', 'revenue-by-month', 'revenue-by-region'],
  [1045, 'Regions', 'region-course', 'region-table'],
])(
  'draws a region of report %i in one color, in every chart, with every filter and for every viewer',
  async (itemId, tab, ...visuals) => {
    const { page } = await openReport(itemId);
    if (itemId === 1045) await page.getByRole('tab', { name: tab }).click();
    const colorsIn = (visual: string, attribute: string, on = page) =>
      on
        .locator(`[data-visual="${visual}"] svg path`)
        .evaluateAll(
          (paths, name) =>
            [...new Set(paths.map((path) => path.getAttribute(name) ?? ''))].filter((one) =>
              one.includes('series'),
            ),
          attribute,
        );
    const lines = await colorsIn(visuals[0] ?? '', 'stroke');
    expect(lines).toHaveLength(4);
    if (itemId === 1042) expect(new Set(await colorsIn('revenue-by-region', 'fill'))).toEqual(new Set(lines));
    await page.click('[data-slicer="Region:West"]');
    await expect.poll(() => colorsIn(visuals[0] ?? '', 'stroke')).toEqual([lines.at(-1)]);
    if (itemId === 1042)
      await expect.poll(() => colorsIn('revenue-by-region', 'fill')).toEqual([lines.at(-1)]);
    const { page: own } = await openReport(1042, { roleNames: ['region-west'] });
    expect(await colorsIn('revenue-by-region', 'fill', own)).toEqual([lines.at(-1)]);
  },
);

it('keeps the lines of a table in order, and its height, when something else is selected', async () => {
  const { page } = await openReport(1044);
  const table = page.locator('[data-visual="orders-table"]');
  const height = async () => (await table.boundingBox())?.height;
  const before = await height();
  await page.locator('[data-visual="orders-by-status"] [role="listbox"]').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  const statuses = () =>
    table
      .locator('tbody .status')
      .allTextContents()
      .then((texts) => [...new Set(texts)]);
  await expect.poll(statuses).toEqual(['Canceled']);
  const orders = await table.locator('tbody td:first-child').allTextContents();
  expect(orders).toEqual([...orders].sort().reverse());
  expect(await height()).toBe(before);
});

it('stays calm when its key has ended: asks nothing, draws nothing, and leaves the focus to its host', async () => {
  const { page, complaints } = await openReport(1042, { prepare: (tab) => tab.clock.install() });
  await page.locator('[data-visual="revenue-by-region"] [role="listbox"]').focus();
  await page.keyboard.press('Enter');
  portal.clock.advance(60 * 60_000);
  await page.clock.fastForward(10_000);
  await page.waitForSelector('.ended', { timeout: 15_000 });
  portal.clock.reset();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.clock.fastForward(3_600_000);
  await page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange'));
    for (const event of ['beforeprint', 'afterprint', 'resize']) window.dispatchEvent(new Event(event));
  });
  await page.keyboard.press('Escape');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 400, height: 700 });
  await expect.poll(() => page.getByRole('alertdialog').isVisible()).toBe(true);
  expect([asked, complaints]).toEqual([[], []]);
  await page.context().close();
});

it('follows the color scheme of the viewer while it is open, in its charts too', async () => {
  const { page } = await openReport(1042);
  const fill = () =>
    page
      .locator('[data-visual="revenue-by-product"] svg path[fill*="series"]')
      .first()
      .evaluate((bar) => getComputedStyle(bar).fill);
  expect(await fill()).toBe('rgb(47, 95, 208)');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(fill).toBe('rgb(126, 162, 247)');
});

it.each([320, 1280])(
  'shows each status in full in “Amount by status” on a page of %s pixels',
  async (width) => {
    const { page } = await openReport(1044, { width });
    const visual = page.locator('[data-visual="orders-by-status"]');
    await visual.locator('svg text').first().waitFor({ state: 'attached' });
    const statuses = (await optionsOf(page, 'orders-by-status')).map((text) => text.split(':')[0] ?? '');
    expect(statuses.length).toBeGreaterThan(2);
    const boxes = await visual.locator('svg').evaluate((svg, names) => {
      const all = [...svg.querySelectorAll('text')].map((text) => ({
        text: text.textContent,
        box: text.getBoundingClientRect().toJSON() as { x: number; y: number; right: number; bottom: number },
      }));
      const { x, right } = svg.getBoundingClientRect();
      return { left: x, right, names: names.map((name) => all.find(({ text }) => text === name)), all };
    }, statuses);
    for (const [index, status] of statuses.entries()) {
      const { text, box } = boxes.names[index] ?? expect.fail(`${status} is cut or missing`);
      expect([text, box.x >= boxes.left && box.right <= boxes.right]).toEqual([status, true]);
      const covering = boxes.all.filter(
        (other) =>
          other.text !== text &&
          other.box.x < box.right &&
          other.box.right > box.x &&
          other.box.y < box.bottom &&
          other.box.bottom > box.y,
      );
      expect(covering).toEqual([]);
    }
  },
);

describe('the console in a browser', () => {
  it('starts a dialog at its heading, and keeps the focus when the view changes', async () => {
    const page = await (await browser.newContext()).newPage();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await page.goto(`${portal.url}/#users/acme`);
    await page.getByRole('button', { name: 'Details' }).first().click();
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('dialog');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Clock' }).press('Enter');
    await page.getByText(/^\d{4}-.* UTC$/).waitFor();
    expect(await focused()).toBe('Clock');
    await page.context().close();
  });

  it('separates names from values on a narrow page', async () => {
    const page = await (await browser.newContext({ viewport: { width: 375, height: 740 } })).newPage();
    await page.goto(`${portal.url}/#organization-units/acme`);
    const cells = page.locator('td[data-title="Directory group"]');
    await cells.first().waitFor();
    // A value that does not wrap, unlike its name.
    expect(await cells.first().getAttribute('class')).toBe('word');
    for (const cell of await cells.all())
      expect(await cell.evaluate((td) => getComputedStyle(td, '::before').whiteSpace)).toBe('normal');
    await page.context().close();
  });

  it('does not break words, and shows every view, on a narrow page', async () => {
    const page = await (await browser.newContext({ viewport: { width: 375, height: 740 } })).newPage();
    await page.goto(`${portal.url}/#overview/acme`);
    await page.getByRole('button', { name: 'Menu' }).click();
    const nav = page.getByRole('navigation');
    await nav.waitFor();
    expect(await nav.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await nav.getByRole('link', { name: 'Items' }).click();
    await nav.waitFor({ state: 'hidden' });
    const lines = await page.getByRole('cell', { name: '1042' }).evaluate((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getClientRects().length;
    });
    expect(lines).toBe(1);
    await page.context().close();
  });

  it('shows a rejection by the portal until the next success', async () => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${portal.url}/#requests/acme`);
    const refusal = page.getByText('The log cannot be cleared now.');
    const clear = page.getByRole('button', { name: 'Clear' });
    await page.route('**/_control/requests', (route) =>
      route.fulfill({ status: 400, json: { error: { message: 'The log cannot be cleared now.' } } }),
    );
    await clear.click();
    await refusal.waitFor();
    await page.unroute('**/_control/requests');
    await clear.click();
    await expect.poll(() => refusal.count()).toBe(0);
    await page.context().close();
  });

  /** Fills the request log. */
  const askRoles = (count = 1) =>
    Promise.all(
      Array.from({ length: count }, async () => (await fetch(`${portal.url}/v1/roles`)).arrayBuffer()),
    );

  it('keeps the focus, the selection and the place of its row when rows arrive', async () => {
    const page = await (await browser.newContext({ viewport: { width: 770, height: 300 } })).newPage();
    await portal.requests.clear();
    await askRoles(8);
    await page.goto(`${portal.url}/#requests`);
    const rows = page.locator('tbody tr');
    await expect.poll(() => rows.count(), { timeout: 10_000 }).toBe(8);
    await rows.nth(4).getByRole('button', { name: 'Details' }).focus();
    const place = () =>
      page.evaluate(() => {
        const row = document.activeElement?.closest('tr');
        return {
          focused: document.activeElement?.textContent,
          row: row?.textContent,
          top: Math.round(row?.getBoundingClientRect().top ?? -1),
          selected: window.getSelection()?.toString(),
        };
      });
    await page.evaluate(() => {
      const cell = document.activeElement?.closest('tr')?.cells[2];
      if (cell !== undefined) window.getSelection()?.selectAllChildren(cell);
      window.scrollBy(0, 1);
    });
    const before = await place();
    expect(before).toMatchObject({ focused: 'Details', selected: 'GET /v1/roles' });
    for (const count of [9, 10, 11]) {
      await askRoles();
      await expect.poll(() => rows.count(), { timeout: 10_000 }).toBe(count);
    }
    expect(await place()).toEqual(before);
    await page.context().close();
  });

  it('moves the focus to the next row when a row is removed', async () => {
    const page = await (await browser.newContext()).newPage();
    for (const path of ['/a', '/b', '/c']) portal.faults.add({ effect: { kind: 'drop' }, path });
    await page.goto(`${portal.url}/#faults`);
    const buttons = page.getByRole('button', { name: 'Remove', exact: true });
    await expect.poll(() => buttons.count(), { timeout: 10_000 }).toBe(3);
    const focused = () => page.evaluate(() => document.activeElement?.closest('tr')?.cells[2]?.textContent);
    await buttons.nth(1).focus();
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('/c');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('/a');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe('main');
    portal.faults.clear();
    await page.context().close();
  });

  it('moves the focus to the view when the row of a closed dialog no longer exists', async () => {
    const page = await (await browser.newContext()).newPage();
    await portal.requests.clear();
    await askRoles();
    await page.goto(`${portal.url}/#requests`);
    await page.getByRole('button', { name: 'Details' }).click();
    await askRoles(25);
    await page.getByText('1–25 of 26').waitFor();
    await page.keyboard.press('Escape');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.localName), { timeout: 10_000 })
      .toBe('main');
    await page.context().close();
  });

  it('does not request a list again before the portal responds, and shows the latest state', async () => {
    const page = await (await browser.newContext()).newPage();
    await portal.requests.clear();
    await page.goto(`${portal.url}/#requests`);
    await page.getByText('No requests yet.').waitFor();
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().includes('/lists/requests')) asked += 1;
    });
    const { promise: release, resolve: answer } = Promise.withResolvers<void>();
    await page.route('**/lists/requests*', async (route) => {
      await release;
      await route.continue();
    });
    for (let count = 0; count < 21; count += 1) await askRoles();
    await expect.poll(() => asked, { timeout: 10_000 }).toBe(1);
    await page.waitForTimeout(2000);
    expect(asked).toBe(1);
    answer();
    await expect.poll(() => page.locator('tbody tr').count(), { timeout: 10_000 }).toBe(21);
    await page.context().close();
  });
});
