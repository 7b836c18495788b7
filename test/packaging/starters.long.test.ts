import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { type Registry, startRegistry } from '../../scripts/registry/startRegistry.ts';
import { launchBrowser } from '../support/launchBrowser.ts';
import { createTerminal, type Terminal } from './harness/createTerminal.ts';

let registry: Registry;
let browser: Browser;
beforeAll(async () => {
  registry = await startRegistry({ storage: '.vitrine/registry-of-tests' });
  await registry.publish(inject('tarballs'));
  browser = await launchBrowser();
});
afterAll(() => Promise.all([browser?.close(), registry?.close()]));

let folder = '';
let terminal: Terminal;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-create-'));
  terminal = createTerminal(folder, { npm_config_registry: registry.url });
});
afterEach(() => {
  terminal.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

// What the server's port is for those that have one: others may use 3000 on this machine.
const port = '3917';

it.each(readdirSync('src/create-vitrine/dist/starters'))(
  'npm create vitrine: the starter %s shows a report after npm install and npm run dev',
  async (kind) => {
    const started = performance.now();
    const seconds = () => ((performance.now() - started) / 1000).toFixed(0);
    await terminal.run(`npm create --yes vitrine@latest app -- --kind ${kind}`);
    await terminal.run('cd app && npm install --no-audit --no-fund');
    const installed = seconds();
    const address = await terminal.start(
      `cd app && PORT=${port} npm run dev`,
      /http:\/\/localhost:\d+(?=\/?\s*$)/m,
    );
    const page = await browser.newPage();
    await page.goto(address);
    const report = page.frameLocator('iframe[title="Sales by region"]');
    const heading = report.getByRole('heading', { name: 'Sales by region' });
    await heading.waitFor({ timeout: 120_000 });
    expect(await heading.isVisible()).toBe(true);
    process.stdout.write(
      `${kind}: installed after ${installed} s, the report visible after ${seconds()} s\n`,
    );
    await page.close();
    await terminal.run('cd app && npm run build');
  },
);
