import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { launchBrowser } from '../support/launchBrowser.ts';
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
  cpSync(`test/packages/apps/fresh/${app}`, folder, { recursive: true });
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

/** Changes a file of the app, as its author does. */
const edit = (file: string, change: (code: string) => string): void =>
  writeFileSync(join(folder, file), change(readFileSync(join(folder, file), 'utf8')));

const apps: readonly App[] = [
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
    paste: (lines: string) => {
      const [importLine = '', ...routes] = lines.split('\n');
      edit('app/routes.ts', (code) => `${importLine}\n${code.replace('[', `[${routes.join('\n')}`)}`);
    },
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
    paste: (lines: string) => edit('server.js', (code) => code.replace('\n\n', `\n${lines}\n\n`)),
    create: write('express', 'node server.js', versionsOf('express')),
    dev: 'npm run dev',
    path: '',
    needsPortal: true,
  },
  {
    title: 'Hono',
    paste: (lines: string) =>
      edit('src/index.ts', (code) => code.replace('new Hono();\n', `new Hono();\n${lines}\n`)),
    create: write('hono', 'tsx src/index.ts', {
      ...versionsOf('hono', '@hono/node-server', '@types/node', 'typescript'),
      tsx: '4.23.15',
    }),
    dev: 'npm run dev',
    path: '',
    needsPortal: true,
  },
];

interface App {
  readonly title: string;
  readonly create: () => Promise<void>;
  /** Adds the lines that `vitrine init` shows. */
  readonly paste?: (lines: string) => void;
  readonly dev: string;
  readonly path: string;
  readonly needsPortal: boolean;
}

describe.each(apps)('a fresh $title app', ({ title, create, paste, dev, path, needsPortal }) => {
  it('shows a report after vitrine init without another step', { timeout: 600_000 }, async () => {
    await create();
    await terminal.run('npm install --ignore-scripts');
    const said = await terminal.run('npx --yes vitrine init --yes');
    if (title === 'Vite') expect(said).toMatch(/Open http:\/\/localhost:\d+\/vitrine\.html/);
    const [, lines = ''] = /Add to .*:\r?\n\r?\n([^]*?)\r?\n\r?\n1\. /.exec(said) ?? [];
    paste?.(lines.replaceAll(/^ {2}/gm, ''));
    if (needsPortal) {
      await terminal.start('npx vitrine portal --write-env .env.local --port auto', /Ctrl-C/);
      expect(existsSync(join(folder, '.env.local'))).toBe(true);
    }
    if (existsSync(join(folder, 'tsconfig.json')) && !existsSync(join(folder, 'next.config.ts')))
      await terminal.run('npx tsc -b');
    const origin = await terminal.start(dev, /http:\/\/localhost:[1-9]\d*/);
    if (path === '') {
      const answer = await fetch(`${origin}/api/embed/keys`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-vitrine-request': '1' },
        body: '{"itemId":1042}',
      });
      expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ itemId: 1042 })]);
      return;
    }
    const page = await browser.newPage();
    await page.goto(origin + path, { timeout: 120_000 });
    const report = page.frameLocator('iframe[title="Sales by region"]');
    const heading = report.getByRole('heading', { name: 'Sales by region' });
    await heading.waitFor({ timeout: 120_000 });
    expect(await heading.isVisible()).toBe(true);
    await page.close();
  });
});
