import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { launchBrowser } from '../support/launchBrowser.ts';
import { createStopwatch } from './harness/createStopwatch.ts';
import { createTerminal, type Terminal } from './harness/createTerminal.ts';

const registry = inject('registry');
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

let folder = '';
let terminal: Terminal;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-create-'));
  terminal = createTerminal(folder, { npm_config_registry: registry });
});
afterEach(() => {
  terminal.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

// The server's port, if it has one: others may use 3000 on this machine.
const port = '3917';

const kinds = globSync('examples/*/package.json').map((file) => basename(dirname(file)));

it.each(kinds)(
  'npm create vitrine: the starter %s shows a report after npm install and npm run dev',
  { timeout: 600_000 },
  async (kind) => {
    const watch = createStopwatch(kind);
    await terminal.run(`npm create --yes vitrine@latest app -- --kind ${kind}`);
    watch.lap('npm create');
    await terminal.run('cd app && npm install --no-audit --no-fund');
    watch.lap('npm install');
    const address = await terminal.start(
      `cd app && PORT=${port} npm run dev`,
      /http:\/\/localhost:\d+(?=\/?\s*$)/m,
    );
    const page = await browser.newPage();
    await page.goto(address, { timeout: 120_000 });
    const report = page.frameLocator('iframe[title="Sales by region"]');
    const heading = report.getByRole('heading', { name: 'Sales by region' });
    await heading.waitFor({ timeout: 120_000 });
    expect(await heading.isVisible()).toBe(true);
    watch.lap('npm run dev to the visible report');
    watch.print();
    await page.close();
    await terminal.run('cd app && npm run build');
  },
);
