import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import type { EnvironmentOptions, PluginOption } from 'vite';
import { defineConfig } from 'vitest/config';
import { chromiumFlags, findBrowser } from './scripts/findBrowser.ts';
import { reactCompiler } from './test/support/reactCompiler.ts';
import { seed } from './test/support/seed.ts';
import { isLong } from './test/support/size.ts';

const building = process.argv.includes('--app');
// What is published must not depend on who calls the build: under NODE_ENV=test JSX would be compiled for debugging.
if (building) process.env['NODE_ENV'] = 'production';
const testing = process.env['VITEST'] !== undefined;
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Every package in the order of its imports, with the entries that its `exports` and `bin` name. */
const packages: Record<string, Record<string, string>> = {
  contract: { index: 'index.ts', 'schema/index': 'schema/index.ts', requireNode: 'requireNode.ts' },
  react: {
    index: 'index.ts',
    'index.server': 'index.server.ts',
    'index.development': 'index.development.ts',
    'testing/index': 'testing/index.ts',
    'devtools/index': 'devtools/index.ts',
  },
  'portal-client': { index: 'index.ts' },
  server: { index: 'index.ts', internal: 'internal.ts' },
  actions: { index: 'index.ts', 'inbox/sqlite/worker': 'inbox/sqlite/worker.ts' },
  express: { index: 'index.ts' },
  portal: { index: 'index.ts', 'testing/index': 'testing/index.ts' },
  vite: { index: 'index.ts' },
  cli: { bin: 'bin.ts' },
};

const isExternalTo = (name: string) => {
  const manifest = JSON.parse(readFileSync(path(`src/${name}/package.json`), 'utf8'));
  const names = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  return (id: string) =>
    id.startsWith('node:') ||
    names.some((dependency) => id === dependency || id.startsWith(`${dependency}/`));
};

/** Server packages say which Node they need before anything breaks there; the command line asks by itself. */
const needsNode = (name: string): boolean => ['portal-client', 'server', 'actions', 'portal'].includes(name);

/**
 * One library build: ES modules, a file each, so that `'use client'` stays on the files that have it.
 * A sibling that is no dependency of the package (the contract, for `react`) is compiled into it.
 */
const libraryBuild = (name: string, entries: Record<string, string>): EnvironmentOptions => ({
  consumer: 'client',
  resolve: { conditions: ['@vitrine/source'] },
  build: {
    outDir: `src/${name}/dist`,
    emptyOutDir: true,
    sourcemap: true,
    minify: false,
    target: 'es2023',
    lib: {
      entry: Object.fromEntries(
        Object.entries(entries).map(([key, file]) => [key, path(`src/${name}/lib/${file}`)]),
      ),
      formats: ['es'],
    },
    rolldownOptions: {
      external: isExternalTo(name),
      output: {
        banner: ({ isEntry }) =>
          isEntry && needsNode(name) ? "import '@vitrine/contract/require-node';" : '',
        preserveModules: true,
        preserveModulesRoot: path(`src/${name}/lib`),
        entryFileNames: '[name].js',
      },
      onwarn: (warning, next) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') next(warning);
      },
    },
  },
});

/** Vite's environments, one a package; their names may hold no dash. */
const builds = Object.entries(packages).map(
  ([name, entries]) => [name.replaceAll('-', '_'), libraryBuild(name, entries)] as const,
);

const executablePath = testing ? findBrowser() : undefined;
const browser = () => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({
    launchOptions: { args: [...chromiumFlags], ...(executablePath && { executablePath }) },
  }),
  instances: [{ browser: 'chromium' as const }],
});

const sourceConditions = ['@vitrine/source', 'module', 'browser', 'development|production'];
const setupFiles = [path('test/support/failOnNoise.ts')];
const domSetupFiles = [...setupFiles, path('test/support/domSetup.ts')];
const react18 = (name: string) => path(`test/support/react-18/node_modules/${name}`);
const hasStories = existsSync(path('stories/.storybook/main.ts'));

export default defineConfig({
  ...(building
    ? {
        environments: Object.fromEntries(builds),
        builder: {
          buildApp: async (builder) => {
            for (const [name] of builds) {
              const environment = builder.environments[name];
              if (environment) await builder.build(environment);
            }
          },
        },
      }
    : {
        plugins: [react() as PluginOption],
        resolve: { conditions: sourceConditions },
        ssr: { resolve: { conditions: ['@vitrine/source', 'module', 'node', 'development|production'] } },
      }),
  test: {
    reporters: [isLong ? 'verbose' : 'default', path('scripts/closingLineReporter.ts')],
    testTimeout: isLong ? 10 * 3_600_000 : 60_000,
    hookTimeout: 60_000,
    // One for all files of a run.
    env: { VITRINE_SEED: String(seed) },
    maxWorkers: 2,
    // A shared machine may starve a browser once. What needed its second try is named before the closing line.
    retry: process.env['CI'] === undefined ? 0 : 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: [
            'test/{contract,portal-client,server,actions,express,portal,cli,vite,conformance,regressions,faults,types,support,scripts,docs,bench}/**/*.test.{ts,tsx}',
            'test/react/life/**/*.test.ts',
          ],
          exclude: ['**/*.long.test.ts', 'test/regressions/**/*.tsx'],
          setupFiles,
        },
      },
      {
        extends: true,
        test: {
          name: 'dom',
          environment: 'happy-dom',
          include: ['test/react/**/*.test.{ts,tsx}', 'test/regressions/**/*.test.tsx'],
          exclude: [
            '**/*.browser.test.tsx',
            '**/*.long.test.{ts,tsx}',
            'test/react/life/**/*.test.ts',
            'test/react/compiled/**',
          ],
          setupFiles: domSetupFiles,
        },
      },
      {
        extends: true,
        resolve: {
          alias: [
            { find: /^react($|\/.*)/, replacement: `${react18('react')}$1` },
            { find: /^react-dom($|\/.*)/, replacement: `${react18('react-dom')}$1` },
            {
              find: /^@testing-library\/react$/,
              replacement: path('node_modules/@testing-library/react/dist/@testing-library/react.esm.js'),
            },
          ],
        },
        test: {
          name: 'dom-react-18',
          environment: 'happy-dom',
          include: ['test/react/**/*.test.tsx'],
          // React Router 8 needs React 19.
          exclude: [
            '**/*.browser.test.tsx',
            '**/*.long.test.{ts,tsx}',
            'test/react/routers.test.tsx',
            'test/react/compiled/**',
          ],
          setupFiles: domSetupFiles,
          server: { deps: { inline: [/@testing-library\/react/, /@tanstack\/react-query/] } },
        },
      },
      {
        extends: true,
        plugins: [reactCompiler()],
        test: {
          name: 'dom-compiled',
          environment: 'happy-dom',
          include: [
            'test/react/compiled/**/*.test.tsx',
            'test/react/{boundaries,embeddedReport,renewal,states}.test.tsx',
          ],
          setupFiles: domSetupFiles,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser-components',
          include: ['test/react/**/*.browser.test.tsx'],
          setupFiles,
          browser: browser(),
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          environment: 'node',
          include: ['test/browser/**/*.test.ts'],
          exclude: ['**/*.long.test.ts', 'test/browser/engines/**'],
          setupFiles,
          testTimeout: 60_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'engines',
          environment: 'node',
          include: ['test/browser/engines/**/*.test.ts'],
          setupFiles,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'packaging',
          environment: 'node',
          include: [`test/{packaging,hosts}/**/*${isLong ? '.long' : ''}.test.ts`],
          exclude: ['**/node_modules/**', ...(isLong ? [] : ['**/*.long.test.ts'])],
          setupFiles,
          globalSetup: [path('test/packaging/harness/packEverything.ts')],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          // After the others, so that an installation from the registry never takes a worker from a test with a clock.
          sequence: { groupOrder: 1 },
        },
      },
      ...(isLong
        ? [
            {
              extends: true as const,
              test: {
                name: 'long',
                environment: 'node' as const,
                include: ['test/**/*.long.test.ts', 'test/react/life/**/*.test.ts', 'test/actions/*.test.ts'],
                // Those need the packed packages, which their own project makes.
                exclude: ['test/{packaging,hosts}/**'],
                setupFiles,
                fileParallelism: false,
              },
            },
            {
              extends: true as const,
              test: {
                name: 'long-dom',
                environment: 'happy-dom' as const,
                include: ['test/react/{manyReports,races}.test.tsx'],
                setupFiles: domSetupFiles,
                fileParallelism: false,
              },
            },
          ]
        : []),
      ...(hasStories
        ? [
            {
              extends: true as const,
              plugins: [storybookTest({ configDir: path('stories/.storybook') }) as PluginOption],
              // Pages of text have nothing to run.
              test: { name: 'storybook', exclude: ['**/*.mdx'], browser: browser(), testTimeout: 60_000 },
            },
          ]
        : []),
    ],
  },
});
