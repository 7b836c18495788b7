import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { launchBrowser } from '../support/launchBrowser.ts';
import { codeBlocks } from './harness/codeBlocks.ts';
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

/** The heading of the report in the page at an address, once it is visible. */
const reportHeading = async (address: string): Promise<string> => {
  const page = await browser.newPage();
  await page.goto(address, { timeout: 120_000 });
  const report = page.frameLocator('iframe[title="Sales by region"]');
  const heading = report.getByRole('heading').first();
  await heading.waitFor({ timeout: 120_000 });
  const text = await heading.innerText();
  await page.close();
  return text;
};

it.each(kinds)(
  'npm create vitrine: the starter %s shows a report after npm install and npm run dev',
  { timeout: 600_000 },
  async (kind) => {
    await terminal.run(`npm create --yes vitrine@latest app -- --kind ${kind}`);
    await terminal.run('cd app && npm install --no-audit --no-fund');
    const address = await terminal.start(
      `cd app && PORT=${port} npm run dev`,
      /http:\/\/localhost:\d+(?=\/?\s*$)/m,
    );
    expect(await reportHeading(address)).toBe('Sales by region');
    await terminal.run('cd app && npm run build');
  },
);

it('by hand: an empty folder shows a report after the steps of the guide', { timeout: 600_000 }, async () => {
  const steps = codeBlocks('docs/guides/start.md');
  const [create = '', ...commands] = steps
    .filter(({ language }) => language === 'text')
    .flatMap(({ code }) => code.trim().split('\n'));
  const installs = commands.filter((line) => line.startsWith('npm install'));
  expect(create).toContain('npm create vite@latest my-app');
  await terminal.run(create.replace('npm create', 'npm create --yes'));
  for (const line of ['npm install', ...installs]) await terminal.run(`cd my-app && ${line}`);
  await terminal.start(
    'cd my-app && npx vitrine portal --port 0 --tenant acme --write-env .env.local',
    /Ready|Console/,
  );
  mkdirSync(join(folder, 'my-app/server'));
  for (const { file, code } of steps)
    if (file !== undefined && file !== 'yourSignIn.ts') writeFileSync(join(folder, 'my-app', file), code);
  const running = terminal.start(`cd my-app && PORT=${port} node server/index.ts`, /./);
  running.catch(() => undefined); // it prints nothing
  const address = await terminal.start(
    `cd my-app && PORT=${port} npx vite --port 0`,
    /http:\/\/localhost:\d+(?=\/?\s*$)/m,
  );
  expect(await reportHeading(address)).toBe('Sales by region');
});
