import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPortal, type Portal } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/launchBrowser.ts';
import { codeBlocks } from './harness/codeBlocks.ts';
import { type Consumer, createConsumer } from './harness/createConsumer.ts';
import { portalEnv } from './harness/portalEnv.ts';
import { versionsOf } from './harness/versions.ts';

const readme = readFileSync('README.md', 'utf8');
const blocks = codeBlocks('README.md');
const packageBlocks = globSync('src/*/README.md').flatMap(codeBlocks);

describe("the README's links", () => {
  const targets = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, target = '']) => target);

  it.each([...new Set(targets)])('%s is there', (target) => {
    expect(existsSync(target)).toBe(true);
  });
});

describe("the README's example", () => {
  let portal: Portal;
  let consumer: Consumer;
  beforeAll(async () => {
    portal = await createPortal();
    consumer = await createConsumer({
      app: 'readme',
      packages: ['contract', 'portal-client', 'server', 'express', 'portal', 'cli', 'react'],
      registry: versionsOf(
        '@tanstack/react-query',
        '@types/express',
        '@types/node',
        '@types/react',
        '@types/react-dom',
        'express',
        'react',
        'react-dom',
        'typescript',
        'vite',
      ),
    });
    // Those under app/ make a Next.js app of their own, which nextApp.long.test.ts builds.
    for (const { file, code } of [...blocks, ...packageBlocks])
      if (file !== undefined && !file.startsWith('app/')) writeFileSync(join(consumer.folder, file), code);
  });
  afterAll(async () => {
    await Promise.all([portal?.close(), consumer?.remove()]);
  });

  it('has at most ten lines of code on either side', () => {
    const examples = blocks.filter(({ file }) => file !== undefined);
    expect(examples.map(({ file }) => file)).toEqual(['server.ts', 'SalesPage.tsx']);
    for (const { code } of examples) {
      const lines = code.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('//'));
      expect(lines.length).toBeLessThanOrEqual(10);
    }
  });

  it('type-checks, as do those of the packages', async () => {
    await expect(consumer.bin('tsc', '-p', '.')).resolves.toBe('');
  });

  it('has commands beside it in the packages, and they run', async () => {
    const commands = packageBlocks
      .filter(({ language }) => language === 'sh')
      .flatMap(({ code }) => code.trim().split('\n'));
    expect(commands).not.toEqual([]);
    for (const command of commands) {
      const [, name = '', ...args] = command.split(' ');
      expect(await consumer.bin(name, ...args)).toContain('Usage: vitrine');
    }
  });

  it('shows the report of the running portal to somebody who is signed in', async () => {
    await consumer.bin('vite', 'build', '--logLevel', 'warn');
    // The example listens on $PORT; a page beside it needs the built files as well, which Vite's preview serves.
    const [tenant] = portal.tenants;
    if (tenant === undefined) throw new Error('no tenant');
    const port = await consumer.serve('serve.ts', portalEnv(tenant));
    const browser = await launchBrowser();
    const context = await browser.newContext();
    await context.addCookies([{ name: 'user', value: 'north', url: `http://localhost:${port}` }]);
    const page = await context.newPage();
    await page.goto(`http://localhost:${port}/`);
    const report = page.frameLocator('iframe[title="Sales by region"]');
    const heading = report.getByRole('heading', { name: 'Sales by region' });
    await heading.waitFor();
    expect(await heading.isVisible()).toBe(true);
    await browser.close();
  });
});
