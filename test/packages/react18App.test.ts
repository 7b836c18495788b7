import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { portalFromEnv, vitrine } from '@vitrine/express';
import { createPortal, type Portal } from '@vitrine/portal';
import express from 'express';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { launchBrowser } from '../support/launchBrowser.ts';
import { serveUntilEnd } from '../support/serveUntilEnd.ts';
import { codeBlocks } from './harness/codeBlocks.ts';
import { type Consumer, createConsumer } from './harness/createConsumer.ts';
import { portalEnv } from './harness/portalEnv.ts';
import { versionsOf } from './harness/versions.ts';

let portal: Portal;
let browser: Browser;
let consumer: Consumer;

beforeAll(async () => {
  [portal, browser, consumer] = await Promise.all([
    createPortal(),
    launchBrowser(),
    createConsumer({
      app: 'react',
      packages: ['react'],
      registry: {
        ...versionsOf('@tanstack/react-query'),
        react: '18.3.1',
        'react-dom': '18.3.1',
        '@types/react': '18.3.31',
        '@types/react-dom': '18.3.7',
      },
      tools: ['typescript', 'vite'],
    }),
  ]);
  const main = codeBlocks('README.md').find(({ file }) => file === 'main.tsx');
  writeFileSync(join(consumer.folder, 'main.tsx'), main?.code ?? '');
});
afterAll(() => Promise.all([portal?.close(), browser?.close(), consumer?.remove()]));

/** The README's example does the same with React 19. */
describe('a Vite app with React 18, installed from the tarball', () => {
  it('type-checks with our declarations', async () => {
    const printVersion = "process.stdout.write(require('react').version)";
    expect(await consumer.bin('node', '-e', printVersion)).toBe('18.3.1');
    await expect(consumer.bin('tsc', '-p', '.')).resolves.toBe('');
  });

  it('type-checks as CommonJS under `module: node16`, including the style sheet', async () => {
    await expect(consumer.bin('tsc', '-p', 'cjs')).resolves.toBe('');
  });

  it('builds, and shows the report of the running portal', async () => {
    await consumer.bin('vite', 'build', '--logLevel', 'warn');
    const [tenant] = portal.tenants;
    if (tenant === undefined) throw new Error('no tenant');
    const handler = vitrine({
      portal: portalFromEnv(portalEnv(tenant)),
      viewer: () => ({ userId: 'north.manager@acme.example', roleNames: ['region-north'] }),
      canView: () => true,
    });
    onTestFinished(() => handler.close());
    const host = express();
    host.use('/api/embed', handler);
    host.use(express.static(`${consumer.folder}/dist`));
    const origin = (await serveUntilEnd(host)).replace('127.0.0.1', 'localhost');

    const page = await browser.newPage();
    await page.goto(origin);
    const report = page.frameLocator('iframe[title="Sales by region"]');
    const heading = report.getByRole('heading', { name: 'Sales by region' });
    await heading.waitFor();
    expect(await heading.isVisible()).toBe(true);
    await page.close();
  });
});
