import { join } from 'node:path';
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import type { PluginOption } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { chromiumFlags, findBrowser, findHeadlessShell } from './scripts/findBrowser.ts';
import { withoutSlowTests } from './scripts/slowTests.ts';
import { reactCompiler } from './test/support/reactCompiler.ts';
import { seed } from './test/support/seed.ts';
import { isLong } from './test/support/size.ts';

const fromRoot = (path: string): string => join(import.meta.dirname, path);

const executablePath = findHeadlessShell() ?? findBrowser();
const browser = () => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({
    launchOptions: { args: [...chromiumFlags], ...(executablePath && { executablePath }) },
  }),
  instances: [{ browser: 'chromium' as const }],
});

/**
 * Projects that start browsers or install packages run after the rest, in alphabetical order: installations do not slow
 * down timing-sensitive tests, and no worker idles while a last long file runs.
 */
const afterOthers = { groupOrder: 1 };

/** Files without a short size. */
const longFiles = isLong ? [] : ['**/*.long.test.ts'];

const setupFiles = [fromRoot('test/support/failOnConsoleOutput.ts')];
const globalSetup = [fromRoot('test/support/browserFiles.ts')];

/** React 18 in place of React 19, for `--mode react-18`. */
const react18 = {
  resolve: {
    alias: [
      {
        find: /^(react|react-dom)($|\/.*)/,
        replacement: fromRoot('test/support/react-18/node_modules/$1$2'),
      },
      {
        find: /^@testing-library\/react$/,
        replacement: fromRoot('node_modules/@testing-library/react/dist/@testing-library/react.esm.js'),
      },
    ],
  },
  test: {
    include: ['test/{actions,errors,key,renewal}/**/*.test.tsx'],
    // React Router 8 and compiled code need React 19; React 18 has no <Activity>.
    exclude: ['test/key/{compiledHost,routers}.test.tsx', 'test/renewal/activity.test.tsx'],
    server: { deps: { inline: [/@testing-library\/react/, /@tanstack\/react-query/] } },
  },
};
/** The library and its hosts as the React Compiler compiles them. */
const react19 = {
  plugins: [reactCompiler()],
  test: { include: ['test/!(browsers|packages)/**/*.test.tsx'] },
};

/** Only for Vitest: Storybook reads this file too, and the tests of its stories start one. */
const allProjects = (dom: typeof react18 | typeof react19): TestProjectInlineConfiguration[] => [
  {
    extends: true,
    test: {
      name: 'node',
      // A long run measures without leftovers of another file.
      isolate: isLong,
      environment: 'node',
      globalSetup,
      include: ['test/!(browsers|packages)/**/*.test.ts'],
      exclude: longFiles,
      setupFiles,
    },
  },
  {
    extends: true,
    ...dom,
    test: {
      ...dom.test,
      name: 'dom',
      isolate: false,
      environment: 'happy-dom',
      setupFiles: [...setupFiles, fromRoot('test/support/domSetup.ts')],
    },
  },
  {
    extends: true,
    test: {
      name: 'components',
      isolate: false,
      include: ['test/browsers/*.browser.test.tsx'],
      setupFiles,
      browser: browser(),
    },
  },
  {
    extends: true,
    test: {
      name: 'browser',
      isolate: false,
      environment: 'node',
      globalSetup,
      include: ['test/browsers/**/*.test.ts'],
      exclude: [...longFiles],
      setupFiles,
      testTimeout: 60_000,
      sequence: afterOthers,
    },
  },
  {
    extends: true,
    test: {
      name: 'packages',
      environment: 'node',
      include: [`test/packages/**/*${isLong ? '.long' : ''}.test.ts`],
      exclude: ['**/node_modules/**', ...longFiles],
      setupFiles,
      globalSetup: [fromRoot('test/packages/harness/packEverything.ts')],
      testTimeout: 240_000,
      hookTimeout: 240_000,
      sequence: afterOthers,
    },
  },
  {
    extends: true,
    plugins: [storybookTest({ configDir: fromRoot('stories/.storybook') }) as PluginOption],
    test: {
      name: 'storybook',
      isolate: false,
      // Text pages have no tests.
      exclude: ['**/*.mdx'],
      browser: browser(),
      testTimeout: 60_000,
    },
  },
];

/** Set by scripts/verify.ts, unless it runs everything. */
const isWithoutSlowTests = process.env['VITRINE_WITHOUT_SLOW_TESTS'] !== undefined;
const isVitest = process.env['VITEST'] !== undefined;
const findProjects = (mode: string): TestProjectInlineConfiguration[] => {
  const projects = allProjects(mode === 'react-18' ? react18 : react19);
  return isWithoutSlowTests ? [...withoutSlowTests(projects)] : projects;
};

export default defineConfig(({ mode }) => ({
  plugins: [react()],
  resolve: { conditions: ['@vitrine/source', 'module', 'browser', 'development|production'] },
  ssr: { resolve: { conditions: ['@vitrine/source', 'module', 'node', 'development|production'] } },
  test: {
    reporters: [isLong ? 'verbose' : 'default', fromRoot('scripts/closingLineReporter.ts')],
    testTimeout: isLong ? 10 * 3_600_000 : 60_000,
    hookTimeout: 60_000,
    env: {
      // One for all files of a run.
      VITRINE_SEED: String(seed),
      // Workers and the many processes that tests start from source come up in half the time.
      NODE_COMPILE_CACHE: fromRoot('node_modules/.cache/node-compile'),
    },
    // Test files wait for much of their time, for a process, a browser or a database: three of them keep two cores busy. A
    // long run measures, so it runs one after the other.
    maxWorkers: isLong ? 1 : 3,
    ...(isVitest && { projects: findProjects(mode) }),
  },
}));
