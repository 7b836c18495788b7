import { cpSync } from 'node:fs';
import { createPortal, type Portal } from '@vitrine/portal';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Registry, startRegistry } from '../../scripts/registry/startRegistry.ts';
import { launchBrowser } from '../support/launchBrowser.ts';
import { type Consumer, createConsumer } from './harness/createConsumer.ts';
import { packageManagers } from './harness/packageManagers.ts';
import { portalEnv } from './harness/portalEnv.ts';
import { versionsOf } from './harness/versions.ts';

let registry: Registry;
let portal: Portal;
let browser: Browser;
let managers: Awaited<ReturnType<typeof packageManagers>>;
beforeAll(async () => {
  registry = await startRegistry({ storage: '.vitrine/registry-of-tests' });
  await registry.publish(inject('tarballs'));
  managers = await packageManagers(registry.url);
  [portal, browser] = await Promise.all([createPortal(), launchBrowser()]);
});
afterAll(async () => {
  await Promise.all([portal?.close(), browser?.close(), registry?.close()]);
});

const app = versionsOf(
  '@tanstack/react-query',
  '@types/react',
  '@types/react-dom',
  'react',
  'react-dom',
  'vite',
);
const cases = [
  { manager: 'npm', typescript: versionsOf('typescript')['typescript'] ?? '', express: '5.3.0' },
  { manager: 'pnpm', typescript: '5.9.3', express: '4.22.3' },
  { manager: 'yarn', typescript: '5.9.3', express: '5.3.0' },
] as const;

describe.each(cases)('an app that installs with $manager, by name', ({ manager, typescript, express }) => {
  let consumer: Consumer;
  beforeAll(async () => {
    consumer = await createConsumer({
      app: 'react',
      packages: ['react', 'express', 'cli'],
      registry: { ...app, typescript, express },
      manager: managers[manager],
    });
    cpSync('test/packaging/apps/express/server.js', `${consumer.folder}/server.js`);
  });
  afterAll(() => consumer?.remove());

  it(`type-checks with TypeScript ${typescript}`, async () => {
    expect(await consumer.bin('tsc', '--version')).toContain(typescript);
    await consumer.bin('tsc', '-p', '.');
  });

  it('has the command', async () => {
    expect(await consumer.bin('vitrine', '--version')).toContain('0.1.0');
  });

  it('shows the report of the running portal', async () => {
    await consumer.bin('vite', 'build', '--logLevel', 'warn');
    const [tenant] = portal.tenants;
    if (tenant === undefined) throw new Error('no tenant');
    const environment = { ...portalEnv(tenant), STATIC_FOLDER: `${consumer.folder}/dist` };
    const port = await consumer.serve('server.js', environment);
    const page = await browser.newPage();
    await page.goto(`http://localhost:${port}/`);
    const report = page.frameLocator('iframe[title="Sales by region"]');
    const heading = report.getByRole('heading', { name: 'Sales by region' });
    await heading.waitFor();
    expect(await heading.isVisible()).toBe(true);
    await page.close();
  });
});

it('serves our names from this machine alone', async () => {
  const status = async (name: string) => (await fetch(registry.url + name)).status;
  expect(await status('@vitrine/react')).toBe(200);
  expect(await status('@vitrine/never-published')).toBe(404);
});
