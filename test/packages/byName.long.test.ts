import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createPortal, type Portal } from '@vitrine/portal';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { launchBrowser } from '../support/launchBrowser.ts';
import { codeBlocks } from './harness/codeBlocks.ts';
import { type Consumer, createConsumer } from './harness/createConsumer.ts';
import { packageManagers } from './harness/packageManagers.ts';
import { portalEnv } from './harness/portalEnv.ts';
import { publicEntries } from './harness/publicEntries.ts';
import { ourVersion, versionsOf } from './harness/versions.ts';

const registry = inject('registry');
let portal: Portal;
let browser: Browser;
let managers: Awaited<ReturnType<typeof packageManagers>>;
beforeAll(async () => {
  managers = await packageManagers(registry);
  [portal, browser] = await Promise.all([createPortal(), launchBrowser()]);
});
afterAll(async () => {
  await Promise.all([portal?.close(), browser?.close()]);
});

const environment = () => {
  const [tenant] = portal.tenants;
  if (tenant === undefined) throw new Error('no tenant');
  return portalEnv(tenant);
};

/** Opens a page, and returns whether it shows the report. */
const showsReport = async (url: string): Promise<boolean> => {
  const context = await browser.newContext();
  await context.addCookies([{ name: 'user', value: 'north', url }]);
  const page = await context.newPage();
  await page.goto(url);
  const report = page.frameLocator('iframe[title="Sales by region"]');
  const heading = report.getByRole('heading', { name: 'Sales by region' }).first();
  await heading.waitFor();
  const isVisible = await heading.isVisible();
  await context.close();
  return isVisible;
};

const tools = versionsOf('@tanstack/react-query', '@types/node', 'vite', 'zod');
const react19 = versionsOf('@types/react', '@types/react-dom', 'react', 'react-dom');
const react18 = {
  '@types/react': '18.3.31',
  '@types/react-dom': '18.3.7',
  react: '18.3.1',
  'react-dom': '18.3.1',
  '@tanstack/react-query': '5.60.6',
};
const express5 = versionsOf('@types/express', 'express');
const express4 = { '@types/express': '4.17.25', express: '4.22.3' };
const newest = versionsOf('typescript');
const older = { typescript: '5.9.3' };

const cases = [
  { manager: 'npm', versions: { ...react19, ...express5, ...newest } },
  { manager: 'pnpm', versions: { ...react18, ...express4, ...older } },
  { manager: 'yarn', versions: { ...react19, ...express5, ...older } },
] as const;

describe.each(cases)(
  'an app with React $versions.react, Express $versions.express and TypeScript $versions.typescript that installs with $manager from a registry',
  ({ manager, versions }) => {
    let consumer: Consumer;
    /** The errors of the compiler. */
    const compile = (...args: string[]) => consumer.bin('tsc', ...args);
    beforeAll(async () => {
      consumer = await createConsumer({
        app: 'react',
        packages: [
          'cli',
          'conformance',
          'contract',
          'express',
          'portal',
          'portal-client',
          'react',
          'server',
          'vite',
        ],
        registry: { ...tools, ...versions },
        manager: managers[manager],
      });
      cpSync('test/packages/apps/spa/server.js', join(consumer.folder, 'server.js'));
      const main = codeBlocks('README.md').find(({ file }) => file === 'main.tsx');
      writeFileSync(join(consumer.folder, 'main.tsx'), main?.code ?? '');
      for (const type of ['module', 'commonjs']) {
        cpSync('test/packages/apps/express', join(consumer.folder, type), { recursive: true });
        writeFileSync(join(consumer.folder, type, 'package.json'), JSON.stringify({ type }));
      }
      cpSync('test/packages/apps/everything', join(consumer.folder, 'everything'), { recursive: true });
      const imports = publicEntries.map((name, index) =>
        name.endsWith('.css') ? `import '${name}';` : `export * as entry${index} from '${name}';`,
      );
      for (const kind of ['mts', 'cts'])
        writeFileSync(join(consumer.folder, `everything/all.${kind}`), imports.join('\n'));
    });
    afterAll(() => consumer?.remove());

    it('uses the requested TypeScript version', async () => {
      expect(await consumer.bin('tsc', '--version')).toContain(versions.typescript);
    });

    it.each([
      ['bundler', ['-p', '.']],
      ['node16, as an ES module', ['-p', '.', '--module', 'node16', '--moduleResolution', 'node16']],
      ['node16, as CommonJS', ['-p', 'cjs']],
    ])('type-checks its page under moduleResolution %s', async (_, args) => {
      expect(await compile(...args)).toBe('');
    });

    it.each([
      ['node16', []],
      ['bundler', ['--module', 'esnext', '--moduleResolution', 'bundler']],
    ])('type-checks every import, as both kinds of module, under moduleResolution %s', async (_, args) => {
      expect(await compile('-p', 'everything', ...args)).toBe('');
    });

    it('has the vitrine command', async () => {
      expect(await consumer.bin('vitrine', '--version')).toContain(ourVersion);
    });

    it('shows the report of the running portal with a JavaScript server', async () => {
      await consumer.bin('vite', 'build', '--logLevel', 'warn');
      const url = await consumer.serve('node server.js', {
        ...environment(),
        WEBHOOK_SECRET: 'webhook-secret-of-at-least-32-bytes-0001',
      });
      expect(await showsReport(url)).toBe(true);
    });

    it.each([
      ['ES modules', 'module'],
      ['CommonJS', 'commonjs'],
    ])('gets a key from a TypeScript server compiled to %s', async (_, folder) => {
      expect(await compile('-p', folder, '--module', 'node16')).toBe('');
      const url = await consumer.serve(`node ${folder}/out/server.js`, environment());
      const { status } = await fetch(`${url}/api/embed/keys`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-vitrine-request': '1' },
        body: '{"itemId":1042}',
      });
      expect(status).toBe(200);
    });

    it.runIf(manager === 'npm')('control: would not type-check without one of our declarations', async () => {
      rmSync(join(consumer.folder, 'node_modules/@vitrine/react/dist/labels/de.d.cts'));
      await expect(consumer.bin('tsc', '-p', 'everything')).rejects.toThrow('@vitrine/react/labels/de');
    });
  },
);

describe('a Next.js app with TypeScript 5.9 from a registry', () => {
  let app: Consumer;
  beforeAll(async () => {
    app = await createConsumer({
      app: 'next',
      signIn: 'app/yourSignIn.ts',
      packages: ['react', 'server'],
      registry: {
        next: '16.4.6',
        ...versionsOf('@tanstack/react-query', '@types/node'),
        ...react19,
        ...older,
      },
      manager: managers.npm,
    });
    // With its own type check, which requires an older TypeScript.
    writeFileSync(join(app.folder, 'next.config.ts'), 'export default { cacheComponents: true };');
    const snippets = codeBlocks('docs/guides/nextjs.md').filter(({ file }) => file?.startsWith('app/'));
    for (const { file = '', code } of snippets) {
      mkdirSync(dirname(join(app.folder, file)), { recursive: true });
      writeFileSync(join(app.folder, file), code);
    }
  });
  afterAll(() => app?.remove());

  it('builds with type checks, and shows the report of the running portal', async () => {
    expect(await app.bin('next', 'build')).toContain('TypeScript');
    const url = await app.serve('next start --port 0', environment());
    expect(await showsReport(`${url}/sales`)).toBe(true);
  });
});

it('serves our packages only from this machine', async () => {
  const status = async (name: string) => (await fetch(registry + name)).status;
  expect(await status('@vitrine/react')).toBe(200);
  expect(await status('@vitrine/never-published')).toBe(404);
});
