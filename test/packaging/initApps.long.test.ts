import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { launchBrowser } from '../support/launchBrowser.ts';
import { createStopwatch } from './harness/createStopwatch.ts';
import { createTerminal, type Terminal } from './harness/createTerminal.ts';
import { versionsOf } from './harness/versions.ts';

const registry = inject('registry');
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

let folder = '';
let terminal: Terminal;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-init-'));
  writeFileSync(join(folder, '.npmrc'), `registry=${registry}\nfund=false\naudit=false\n`);
  terminal = createTerminal(folder);
});
afterEach(() => {
  terminal.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

const react = versionsOf('react', 'react-dom', '@types/react', '@types/react-dom', 'typescript', 'vite');
const reactRouter = '8.4.0';

/** Writes an app as in the documentation of its framework, because `npm create` downloads from elsewhere. */
const write = (app: string, dev: string, dependencies: Readonly<Record<string, string>>) => async () => {
  cpSync(`test/packaging/apps/fresh/${app}`, folder, { recursive: true });
  const type = app === 'express' ? 'commonjs' : 'module';
  const manifest = { name: 'fresh', private: true, type, scripts: { dev }, dependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
};

/** Creates an app with the generator of its framework, which requires its own folder. */
const generate = async (command: string): Promise<void> => {
  await terminal.run(`npx --yes ${command}`);
  cpSync(join(folder, 'made'), folder, { recursive: true });
  rmSync(join(folder, 'made'), { recursive: true });
};

const apps = [
  {
    title: 'Vite',
    create: () => generate('create-vite@9.3.0 made --template react-ts --no-interactive'),
    dev: 'npm run dev -- --port 0',
    path: '/vitrine.html',
    needsPortal: false,
  },
  {
    title: 'Next.js',
    create: () =>
      generate(
        'create-next-app@16.4.3 made --yes --ts --app --no-tailwind --no-eslint --no-src-dir --use-npm --skip-install --disable-git',
      ),
    dev: 'npm run dev -- --port 0',
    path: '/vitrine',
    needsPortal: true,
  },
  {
    title: 'React Router',
    create: write('react-router', 'react-router dev', {
      '@react-router/dev': reactRouter,
      '@react-router/node': reactRouter,
      '@react-router/serve': reactRouter,
      'react-router': reactRouter,
      isbot: '5.2.3',
      ...react,
      ...versionsOf('@types/node'),
    }),
    dev: 'npm run dev -- --port 0',
    path: '/vitrine',
    needsPortal: true,
  },
  {
    title: 'Express',
    create: write('express', 'node server.js', versionsOf('express')),
    dev: 'npm run dev',
    path: '/vitrine',
    needsPortal: true,
  },
  {
    title: 'Hono',
    create: write('hono', 'tsx src/index.ts', {
      ...versionsOf('hono', '@hono/node-server', '@types/node', 'typescript'),
      tsx: '4.23.15',
    }),
    dev: 'npm run dev',
    path: '/vitrine',
    needsPortal: true,
  },
];

describe.each(apps)('a fresh $title app', ({ title, create, dev, path, needsPortal }) => {
  it('shows a report after vitrine init without another step', { timeout: 600_000 }, async () => {
    const watch = createStopwatch(title);
    await create();
    await terminal.run('npm install --ignore-scripts');
    watch.lap('the app');
    const said = await terminal.run('npx --yes vitrine init --yes');
    expect(said).toMatch(/✓ Report page [\s\S]*Open /);
    watch.lap('vitrine init');
    if (needsPortal) {
      await terminal.start('npm run vitrine:portal -- --port auto', /Ctrl-C/);
      expect(existsSync(join(folder, '.env.local'))).toBe(true);
    }
    if (existsSync(join(folder, 'tsconfig.json')) && !existsSync(join(folder, 'next.config.ts')))
      await terminal.run('npx tsc -b');
    const origin = await terminal.start(dev, /http:\/\/localhost:[1-9]\d*/);
    const page = await browser.newPage();
    await page.goto(origin + path, { timeout: 120_000 });
    const report = page.frameLocator('iframe[title="Sales by region"]');
    const heading = report.getByRole('heading', { name: 'Sales by region' });
    await heading.waitFor({ timeout: 120_000 });
    expect(await heading.isVisible()).toBe(true);
    watch.lap('start to the visible report');
    watch.print();
    await page.close();
  });
});
