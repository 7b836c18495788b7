import { createPortal, type Portal } from '@vitrine/portal';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/launchBrowser.ts';
import { type Consumer, createConsumer } from './harness/createConsumer.ts';
import { portalEnv } from './harness/portalEnv.ts';
import { versionsOf } from './harness/versions.ts';

let portal: Portal;
let host: Consumer;
let browser: Browser;

beforeAll(async () => {
  [portal, browser, host] = await Promise.all([
    createPortal(),
    launchBrowser(),
    createConsumer({
      app: 'express',
      packages: ['contract', 'portal-client', 'server', 'actions', 'express'],
      registry: versionsOf('express'),
    }),
  ]);
});
afterAll(async () => {
  await Promise.all([portal?.close(), browser?.close(), host?.remove()]);
});

const tools = versionsOf('vite', 'typescript', '@tanstack/react-query');
const apps = [
  {
    react: '19',
    registry: { ...tools, ...versionsOf('react', 'react-dom', '@types/react', '@types/react-dom') },
  },
  {
    react: '18',
    registry: {
      ...tools,
      react: '18.3.1',
      'react-dom': '18.3.1',
      '@types/react': '18.3.31',
      '@types/react-dom': '18.3.7',
    },
  },
];

describe.each(apps)('a Vite app with React $react, installed from the tarball', ({ react, registry }) => {
  let consumer: Consumer;
  beforeAll(async () => {
    consumer = await createConsumer({ app: 'react', packages: ['react'], registry });
  });
  afterAll(() => consumer?.remove());

  it('type-checks, our declarations included', async () => {
    await expect(consumer.bin('tsc', '-p', '.')).resolves.toBe('');
  });

  it('type-checks as CommonJS under `module: node16`, the style sheet included', async () => {
    await expect(consumer.bin('tsc', '-p', 'cjs')).resolves.toBe('');
  });

  it('builds, and shows the report of the running portal', async () => {
    await consumer.bin('vite', 'build', '--logLevel', 'warn');
    const [tenant] = portal.tenants;
    if (tenant === undefined) throw new Error('no tenant');
    const port = await host.serve('server.js', {
      ...portalEnv(tenant),
      STATIC_FOLDER: `${consumer.folder}/dist`,
    });

    const page = await browser.newPage();
    await page.goto(`http://localhost:${port}/`);
    await page.getByText(`React ${react}.`).waitFor();
    const report = page.frameLocator('iframe[title="Sales by region"]');
    const heading = report.getByRole('heading', { name: 'Sales by region' });
    await heading.waitFor();
    expect(await heading.isVisible()).toBe(true);
    await page.close();
  });
});
